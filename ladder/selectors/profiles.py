"""A player's profile in one ladder: rank, place, history, results. Ten queries or fewer, however long the record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from ladder.core.rivalry import Meeting, Run, best_run, closest_rival, opponents, present_run
from ladder.models import Match, Membership, Player, SeasonRules
from ladder.selectors.access import Access
from ladder.selectors.board_counts import count_around
from ladder.selectors.board_order import key_of
from ladder.selectors.ladders import Ladder, ladder_of, rules_of
from ladder.selectors.last_results import DRAW, LOSS, WIN, Outcome, Person, outcomes
from ladder.selectors.play_hours import Hours, hours_of
from ladder.selectors.rank_histories import History, Step, history_of, peak_of, steps_of
from ladder.selectors.unrated import IN_A_PERIOD
from ratings.core.visible_rank import RankLabel, RankRules, label
from ratings.errors import NotFound
from ratings.models import PlayerRating

MATCHES_A_PAGE = 20
MOST_OPPONENTS = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands. rank and place are None in placement; place too for who is no longer on the ladder."""

    rank: RankLabel | None
    best: RankLabel | None
    place: int | None
    total: int
    played: int
    placement_matches: int


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent, and the score against them as this player sees it."""

    person: Person
    wins: int
    losses: int
    draws: int

    @property
    def meetings(self) -> int:
        """How often they met."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest rank of the season and when it was reached first."""

    rank: RankLabel
    at: datetime


@dataclass(frozen=True, slots=True)
class Cards:
    """The figures under the plot."""

    games: int
    wins: int
    draws: int
    losses: int
    best_run: int
    run: Run
    rival: Rival | None
    peak: Peak | None


@dataclass(frozen=True, slots=True)
class Against:
    """Results by opponent: those met most often, and how many more there are."""

    rows: tuple[Rival, ...]
    more: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match of the list; delta: points it gave or took, None where it moved no rank."""

    outcome: Outcome
    delta: int | None
    is_rated: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """Another season of the same queue."""

    slug: str
    name: str
    rank: RankLabel | None
    best: RankLabel | None
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything a profile shows. standing is None for somebody who has not played in this ladder."""

    player: Player
    is_member: bool
    is_me: bool
    ladder: Ladder | None
    seasons: tuple[SeasonLine, ...]
    standing: Standing | None = None
    history: History | None = None
    cards: Cards | None = None
    against: Against | None = None
    hours: Hours | None = None
    matches: tuple[MatchLine, ...] = ()
    next: str = ""


def profile(access: Access, handle: str, wish: Mapping[str, str | None]) -> Profile:
    """The profile of somebody who is or was in the club; raises NotFound for anybody else.

    wish: queue and season by their addresses (none: what was played last), after: how many matches to leave out.
    """
    membership = Membership.objects.filter(club=access.club, player__handle=handle).select_related("player").first()
    if membership is None:
        raise NotFound("not_found", _("This club has no such player."))
    every = rules_of(access)
    ratings = _ratings(access, membership.player_id, every)
    ladder = _chosen(every, ratings, wish)
    return _drawn(access, membership, ladder, ratings, wish.get("after"))


def _ratings(access: Access, player_id: UUID, every: Sequence[SeasonRules]) -> list[PlayerRating]:
    """The player's standings in every queue and season that the viewer may see, with at least one match.

    A match that still waits for the end of its rating period is one too, and so is one that was taken back.
    """
    seen = {(rules.queue_id, rules.season_id) for rules in every}
    waiting = Match.objects.filter(
        IN_A_PERIOD, queue=OuterRef("queue"), season=OuterRef("season"), participants__player=player_id
    )
    taken_back = Match.objects.filter(
        reversed_at__isnull=False, queue=OuterRef("queue"), season=OuterRef("season"), participants__player=player_id
    )
    rows = PlayerRating.objects.filter(
        Q(games__gt=0) | Exists(taken_back) | Exists(waiting), player_id=player_id, queue__club=access.club, role=""
    )
    return [row for row in rows if (row.queue_id, row.season_id) in seen]


def _chosen(
    every: Sequence[SeasonRules], ratings: Sequence[PlayerRating], wish: Mapping[str, str | None]
) -> Ladder | None:
    """The ladder asked for, else the one this player played last, else the club's first."""
    queue_slug, season_slug = wish.get("queue"), wish.get("season")
    if not every and not queue_slug:
        return None
    own = [rules for rules in every if not queue_slug or rules.queue.slug == queue_slug]
    played = {(row.queue_id, row.season_id): row for row in ratings}
    last = max(
        (rules for rules in own if (rules.queue_id, rules.season_id) in played),
        key=lambda rules: _last_match(played[rules.queue_id, rules.season_id]),
        default=None,
    )
    if last is not None and not season_slug:
        return ladder_of(every, last.queue.slug, last.season.slug)
    return ladder_of(every, queue_slug or every[0].queue.slug, season_slug or None)


def _last_match(row: PlayerRating) -> datetime:
    return row.last_match_at or row.created_at


def _drawn(
    access: Access,
    membership: Membership,
    ladder: Ladder | None,
    ratings: Sequence[PlayerRating],
    after: str | None,
) -> Profile:
    player = membership.player
    profile = Profile(
        player=player,
        is_member=membership.state == Membership.State.ACTIVE and player.is_active,
        is_me=access.player is not None and access.player.pk == player.pk,
        ladder=ladder,
        seasons=_season_lines(ladder, ratings) if ladder is not None else (),
    )
    own = _own_rating(ladder, ratings)
    if ladder is None or own is None:
        return profile
    steps = steps_of(ladder, ratings)
    results = outcomes(ladder, player.pk)
    counted = [result for result in results if not result.is_reversed]
    matches, following = _page_of_matches(results, steps, after)
    return replace(
        profile,
        standing=_standing(ladder, own, is_listed=profile.is_member),
        history=history_of(ladder, own, steps, access.club.time_zone),
        cards=_cards(counted, _peak(ladder, steps)),
        against=_against(counted),
        hours=hours_of(counted, access.club.time_zone),
        matches=matches,
        next=following,
    )


def _own_rating(ladder: Ladder | None, ratings: Sequence[PlayerRating]) -> PlayerRating | None:
    if ladder is None or ladder.season is None:
        return None
    here = (ladder.queue.pk, ladder.season.pk)
    return next((row for row in ratings if (row.queue_id, row.season_id) == here), None)


def _standing(ladder: Ladder, own: PlayerRating, *, is_listed: bool) -> Standing:
    rules = ladder.rank_rules
    rank = label(rules, own.position) if own.position is not None else None
    best = label(rules, own.peak_position) if own.peak_position is not None and rank is not None else None
    counts = count_around(ladder, key_of(own))
    has_place = rank is not None and (is_listed or ladder.is_final)
    return Standing(
        rank=rank,
        best=best,
        place=counts.higher + 1 if has_place else None,
        total=counts.total,
        played=own.games,
        placement_matches=own.games + max(own.placement_left, 1),
    )


def _cards(results: Sequence[Outcome], peak: Peak | None) -> Cards:
    letters = [result.letter for result in results]
    return Cards(
        games=len(letters),
        wins=letters.count(WIN),
        draws=letters.count(DRAW),
        losses=letters.count(LOSS),
        best_run=best_run(letters),
        run=present_run(letters),
        rival=_rival(results),
        peak=peak,
    )


def _peak(ladder: Ladder, steps: Sequence[Step]) -> Peak | None:
    step = peak_of(ladder, steps)
    if step is None or step.position is None:
        return None
    return Peak(label(ladder.rank_rules, step.position), step.at)


def _against(results: Sequence[Outcome]) -> Against:
    """Everybody who stood on another side, with this player's result each time."""
    people = {person.player_id: person for result in results for person in result.opponents}
    met = opponents([Meeting(key.player_id, result.letter) for result in results for key in result.opponents])
    shown = tuple(Rival(people[one.opponent], one.wins, one.losses, one.draws) for one in met[:MOST_OPPONENTS])
    return Against(shown, max(len(met) - MOST_OPPONENTS, 0))


def _rival(results: Sequence[Outcome]) -> Rival | None:
    """Among opponents met alone: in team matches nobody in particular is the rival."""
    duels = [result for result in results if len(result.opponents) == 1 and not result.partners]
    people = {result.opponents[0].player_id: result.opponents[0] for result in duels}
    closest = closest_rival([Meeting(result.opponents[0].player_id, result.letter) for result in duels])
    if closest is None:
        return None
    return Rival(people[closest.opponent], closest.wins, closest.losses, closest.draws)


def _page_of_matches(
    results: Sequence[Outcome], steps: Sequence[Step], after: str | None
) -> tuple[tuple[MatchLine, ...], str]:
    """The page of matches older than the one named by `after`, newest first, and the name of its last one."""
    newest_first = list(reversed(results))
    start = next((number + 1 for number, result in enumerate(newest_first) if str(result.match_id) == after), 0)
    page = newest_first[start : start + MATCHES_A_PAGE]
    of_match = {step.match_id: step for step in steps if step.is_match}
    lines = tuple(
        MatchLine(result, of_match[result.match_id].delta, True)
        if result.match_id in of_match
        else MatchLine(result, None, False)
        for result in page
    )
    is_last = start + MATCHES_A_PAGE >= len(newest_first)
    return lines, "" if is_last or not page else str(page[-1].match_id)


def _season_lines(ladder: Ladder, ratings: Sequence[PlayerRating]) -> tuple[SeasonLine, ...]:
    """The player's other seasons in this queue, the newest first."""
    by_season = {row.season_id: row for row in ratings if row.queue_id == ladder.queue.pk}
    return tuple(
        _season_line(rules, by_season[rules.season_id])
        for rules in ladder.every_season
        if rules.season_id in by_season and (ladder.season is None or rules.season_id != ladder.season.pk)
    )


def _season_line(rules: SeasonRules, row: PlayerRating) -> SeasonLine:
    table = RankRules.from_json(rules.rank_rules)
    is_ranked = row.position is not None
    return SeasonLine(
        slug=rules.season.slug,
        name=rules.season.name,
        rank=label(table, row.position) if row.position is not None else None,
        best=label(table, row.peak_position) if is_ranked and row.peak_position is not None else None,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
    )
