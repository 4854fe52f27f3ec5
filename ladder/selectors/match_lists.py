"""Lists of matches: one's own, a club's, and the ones that a moderator must decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ladder.core.results import Result
from ladder.models import Match, Player, ResultReport
from ladder.selectors.access import Access
from ladder.selectors.match_words import result_in_words
from ratings.models import RatingEvent

PAGE = 30
HIDDEN_STATES = (Match.State.READY_CHECK,)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list. outcome: win, loss, draw or empty; points: what it did to the viewer's rank, if it did.

    is_reversed: it was taken back; it stays on the record, struck through.
    """

    match: Match
    title: str
    subtitle: str
    outcome: str
    outcome_word: str
    score: str
    points: int | None
    waits_for_me: bool
    at: datetime
    is_reversed: bool


@dataclass(frozen=True, slots=True)
class MatchList:
    """One page of matches, newest first; `older` continues it."""

    rows: tuple[MatchRow, ...]
    older: UUID | None


def my_matches(access: Access, *, before: UUID | None = None) -> MatchList:
    """The person's own matches in this club; four queries."""
    assert access.player is not None
    return _page(access, Match.objects.filter(participants__player=access.player), before)


def club_matches(access: Access, *, before: UUID | None = None, size: int = PAGE) -> MatchList:
    """Everybody's completed matches."""
    return _page(access, Match.objects.filter(state=Match.State.COMPLETED), before, size)


def _page(access: Access, matches: "QuerySet[Match]", before: UUID | None, size: int = PAGE) -> MatchList:
    wanted = matches.filter(queue__club=access.club).exclude(state__in=HIDDEN_STATES)
    if before is not None:
        wanted = wanted.filter(pk__lt=before)
    found = list(
        wanted.select_related("queue").prefetch_related("teams__participants__player").order_by("-pk")[: size + 1]
    )
    rows = dressed(access.player, found[:size])
    return MatchList(rows=rows, older=found[size - 1].pk if len(found) > size else None)


def dressed(player: Player | None, matches: Sequence[Match]) -> tuple[MatchRow, ...]:
    """The rows of these matches, whose teams, participants and players are prefetched; two queries."""
    mine = {match.pk: _my_side(match, player) for match in matches}
    points = _points(player, matches) if player else {}
    waiting = _waiting(player, [match for match in matches if match.state == Match.State.REPORTED])
    return tuple(_row(match, mine[match.pk], points.get(match.pk), match.pk in waiting) for match in matches)


def _row(match: Match, mine: int | None, points: int | None, waits: bool) -> MatchRow:
    teams = sorted(match.teams.all(), key=lambda team: (team.index != mine, team.index))
    names = [", ".join(row.player.name for row in team.participants.all()) for team in teams]
    outcome, word = _outcome(match, mine)
    scores = [str(team.score) for team in teams if team.score is not None]
    return MatchRow(
        match=match,
        title=_("against %(name)s") % {"name": names[1]} if mine is not None else " – ".join(names),
        subtitle=match.queue.name,
        outcome=outcome,
        outcome_word=word,
        score=" : ".join(scores) if len(scores) == len(teams) else "",
        points=points,
        waits_for_me=waits or (mine is not None and match.state in (Match.State.ASSIGNED, Match.State.PLAYING)),
        at=match.completed_at or match.ended_at or match.reported_at or match.formed_at,
        is_reversed=match.reversed_at is not None,
    )


def _outcome(match: Match, mine: int | None) -> tuple[str, str]:
    if match.state != Match.State.COMPLETED:
        return "", str(match.get_state_display())
    ranks = {team.index: team.rank for team in match.teams.all()}
    if all(rank == 1 for rank in ranks.values()):
        return "draw", _("Drawn")
    if mine is None:
        return "", ""
    return ("win", _("Won")) if ranks[mine] == 1 else ("loss", _("Lost"))


def _my_side(match: Match, player: Player | None) -> int | None:
    for team in match.teams.all():
        if player is not None and any(row.player_id == player.pk for row in team.participants.all()):
            return team.index
    return None


def _points(player: Player, matches: Sequence[Match]) -> dict[UUID, int]:
    events = RatingEvent.objects.filter(
        match__in=[match.pk for match in matches], player_rating__player=player, kind=RatingEvent.Kind.MATCH
    )
    return {
        match: delta for match, delta in events.values_list("match_id", "points_delta") if match and delta is not None
    }


def _waiting(player: Player | None, reported: Sequence[Match]) -> set[UUID]:
    """The reported matches whose last word came from the other side than this player's."""
    if player is None or not reported:
        return set()
    last: dict[UUID, ResultReport] = {}
    for report in ResultReport.objects.filter(match__in=reported).order_by("revision"):
        last[report.match_id] = report
    return {
        match.pk
        for match in reported
        if (mine := _my_side(match, player)) is not None
        and match.pk in last
        and last[match.pk].reporter_id not in _players_of(match, mine)
    }


def _players_of(match: Match, side: int) -> set[UUID]:
    return {row.player_id for team in match.teams.all() if team.index == side for row in team.participants.all()}


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A disputed match: who plays, what was said, since when, and whether the viewer plays in it."""

    match: Match
    title: str
    claims: tuple[str, ...]
    since: datetime
    is_own: bool


def disputed_matches(access: Access) -> list[CaseRow]:
    """What waits for a moderator, the longest waiting first; four queries."""
    matches = (
        Match.objects.filter(queue__club=access.club, state=Match.State.DISPUTED)
        .select_related("queue")
        .prefetch_related("teams__participants__player", "reports__reporter")
    )
    return sorted((_case(match, access.player) for match in matches), key=lambda row: row.since)


def _case(match: Match, viewer: Player | None) -> CaseRow:
    names = [", ".join(row.player.name for row in team.participants.all()) for team in match.teams.all()]
    reports = sorted(match.reports.all(), key=lambda report: report.revision)
    claims = [
        f"{report.reporter.name if report.reporter else ''}: "
        + result_in_words(Result(tuple(report.ranks), tuple(report.scores)), names)
        for report in reports
        if report.ranks
    ]
    claims += [f"{report.reporter.name}: “{report.note}”" for report in reports if report.note and report.reporter]
    return CaseRow(
        match=match,
        title=" – ".join(names),
        claims=tuple(claims),
        since=reports[-1].created_at if reports else match.formed_at,
        is_own=_my_side(match, viewer) is not None,
    )
