"""What the page of a match shows: its sides, what everybody said, and the one next step of the person who looks."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.core.results import Said
from ladder.models import Match, MatchParticipant, Player, ResultReport
from ladder.selectors.access import Access
from ladder.selectors.match_words import (
    cancelled_because,
    counts_on,
    result_in_words,
    said_in_words,
    unrated_because,
)
from ladder.selectors.matches import ENDED_STATES, Sheet, sheet
from ratings.core.visible_rank import RankLabel, label
from ratings.errors import NotFound
from ratings.selectors import MatchEffect, match_effects, rank_rules, undoing_sentences


@dataclass(frozen=True, slots=True)
class Moved:
    """What the match did to one player's rank, with the ranks to draw; both None during placement."""

    player: Player
    effect: MatchEffect
    before: RankLabel | None
    after: RankLabel | None

    @property
    def is_new_rank(self) -> bool:
        """Whether tier or division changed."""
        return self.before is not None and self.after is not None and self.before.name != self.after.name


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match. word: won, lost or drew, empty before the result. rank: 1 for the best."""

    index: int
    players: tuple[Player, ...]
    moved: tuple[Moved, ...]
    score: int | None
    rank: int | None
    word: str
    is_mine: bool

    @property
    def name(self) -> str:
        """Who that is, in one line."""
        return ", ".join(player.name for player in self.players)


@dataclass(frozen=True, slots=True)
class Line:
    """One entry in the story of a match."""

    at: datetime
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything the page shows. `step` names what the viewer does next; `can` what they may do at all.

    counts_on: when the match will be rated, for one that waits for the end of its rating period. undone: for one that
    was taken back, what that did to the viewer's own rank.
    """

    match: Match
    sides: tuple[Side, ...]
    my_side: int | None
    step: str
    can: frozenset[str]
    headline: str
    mood: str
    reported: str
    lines: tuple[Line, ...]
    cancelled: str
    unrated: str
    is_rated: bool
    is_reversed: bool
    undone: tuple[str, ...]
    counts_on: str
    other_asks_to_cancel: bool
    i_asked_to_cancel: bool

    @property
    def version(self) -> str:
        """Differs whenever the card would look different."""
        marks = f"{'w' if self.counts_on else ''}{'r' if self.is_reversed else ''}"
        return f"{self.match.revision}-{self.match.state}-{int(self.is_rated)}{marks}"

    @property
    def shown(self) -> tuple[Side, ...]:
        """The sides in the order in which a person thinks of them: one's own first."""
        return tuple(sorted(self.sides, key=lambda side: (not side.is_mine, side.index)))

    @property
    def has_score(self) -> bool:
        """Whether the result came with a score."""
        return all(side.score is not None for side in self.sides)


def match_of(access: Access, match_id: UUID) -> Match:
    """A match of this club; raises NotFound for any other."""
    found = Match.objects.filter(pk=match_id, queue__club=access.club).select_related("queue", "season").first()
    if found is None:
        raise NotFound("not_found", _("There is no such match."))
    return found


def match_page(access: Access, match_id: UUID) -> MatchPage:
    """The page of one match for one person; a constant number of queries."""
    match = match_of(access, match_id)
    current = sheet(match)
    me = access.player.pk if access.player else None
    mine = current.side_of(me) if me else None
    names = _people(match)
    moved = _moved(match, names)
    sides = tuple(_side(current, index, names, moved, mine) for index in range(len(current.sides)))
    may_decide = access.may(Capability.DECIDE_DISPUTES) and mine is None
    can = frozenset(said.value for said in current.open_to(me)) if me and access.may(Capability.PLAY) else frozenset()
    asked = current.verdict.cancel_asked if match.state not in ENDED_STATES else frozenset()
    return MatchPage(
        match=match,
        sides=sides,
        my_side=mine,
        step=_step(match, mine, can),
        can=can | _staff_can(access, match, mine),
        headline=_headline(match, sides, mine, can),
        mood=_mood(match, sides, mine),
        reported=_reported(current, sides),
        lines=_story(current, sides, names, sees_notes=mine is not None or may_decide),
        cancelled=cancelled_because(match.end_reason) if match.state == Match.State.CANCELLED else "",
        unrated=unrated_because(match.unrated_reason) if match.unrated_reason else "",
        is_rated=match.rated_at is not None,
        is_reversed=match.reversed_at is not None,
        undone=undoing_sentences(match_id=match.pk, player_id=me) if me and match.reversed_at else (),
        counts_on=_counts_on(match, access.club.time_zone),
        other_asks_to_cancel=bool(asked) and mine is not None and mine not in asked,
        i_asked_to_cancel=mine is not None and mine in asked,
    )


def _staff_can(access: Access, match: Match, mine: int | None) -> frozenset[str]:
    """What a member of the staff may do about a match that they do not play in."""
    if mine is not None:
        return frozenset()
    if match.state not in ENDED_STATES:
        return frozenset({"decide"}) if access.may(Capability.DECIDE_DISPUTES) else frozenset()
    may_reverse = match.rated_at is not None and access.may(Capability.REVERSE_MATCHES)
    return frozenset({"reverse"}) if may_reverse else frozenset()


def _counts_on(match: Match, time_zone: str) -> str:
    if match.rated_at is not None or match.period_ends_at is None:
        return ""
    return counts_on(match.period_ends_at, time_zone)


def _moved(match: Match, names: dict[UUID, Player]) -> dict[UUID, Moved]:
    """By player; two queries for a match that has been rated."""
    if match.rated_at is None:
        return {}
    rules = rank_rules(queue_id=match.queue_id, season_id=match.season_id)
    return {
        effect.player_id: Moved(
            player=names[effect.player_id],
            effect=effect,
            before=None if effect.position_before is None else label(rules, effect.position_before),
            after=None if effect.position_after is None else label(rules, effect.position_after),
        )
        for effect in match_effects(match_id=match.pk)
    }


def _people(match: Match) -> dict[UUID, Player]:
    rows = MatchParticipant.objects.filter(match=match).select_related("player")
    return {row.player_id: row.player for row in rows}


def _side(current: Sheet, index: int, names: dict[UUID, Player], moved: dict[UUID, Moved], mine: int | None) -> Side:
    team = current.teams[index]
    words = {None: "", 1: _("won")}
    drawn = team.rank == 1 and all(other.rank == 1 for other in current.teams)
    return Side(
        index=index,
        players=tuple(names[player] for player in current.sides[index]),
        moved=tuple(moved[player] for player in current.sides[index] if player in moved),
        score=team.score,
        rank=team.rank,
        word=_("drew") if drawn else words.get(team.rank, _("lost")),
        is_mine=index == mine,
    )


def _step(match: Match, mine: int | None, can: frozenset[str]) -> str:
    if match.state in ENDED_STATES:
        return "over"
    if mine is None:
        return "watch"
    if match.state == Match.State.READY_CHECK:
        return "accept"
    if Said.CONFIRM.value in can:
        return "answer"
    if Said.REPORT.value in can:
        return "report"
    return "disputed" if match.state == Match.State.DISPUTED else "wait"


def _headline(match: Match, sides: tuple[Side, ...], mine: int | None, can: frozenset[str]) -> str:
    state = Match.State
    if match.state == state.COMPLETED:
        return _result_headline(sides, mine)
    if match.state == state.REPORTED and mine is not None:
        return _("Is this right?") if Said.CONFIRM.value in can else _("Waiting for the other side")
    return {
        state.READY_CHECK: _("Match found"),
        state.ASSIGNED: _("Play your match") if mine is not None else _("To be played"),
        state.PLAYING: _("Being played"),
        state.REPORTED: _("Reported, not yet confirmed"),
        state.DISPUTED: _("Disputed"),
        state.CANCELLED: _("Called off"),
        state.ABANDONED: _("Abandoned"),
        state.REMADE: _("Played again as another match"),
    }[state(match.state)]


def _result_headline(sides: tuple[Side, ...], mine: int | None) -> str:
    """Won 3 : 1, seen from one's own side; by names for everybody else."""
    order = sorted(sides, key=lambda side: (not side.is_mine, side.index))
    scores = [str(side.score) for side in order if side.score is not None]
    score = " : ".join(scores) if len(scores) == len(sides) else ""
    if mine is not None:
        word = {1: _("Won")}.get(sides[mine].rank or 0, _("Lost"))
        word = _("Drawn") if all(side.rank == 1 for side in sides) else word
        return f"{word} {score}".strip()
    if all(side.rank == 1 for side in sides):
        return _("%(a)s and %(b)s drew") % {"a": sides[0].name, "b": sides[1].name}
    best = next((side for side in sides if side.rank == 1), sides[0])
    return _("%(winner)s won") % {"winner": best.name}


def _mood(match: Match, sides: tuple[Side, ...], mine: int | None) -> str:
    """The colour of the headline: win, loss, draw or nothing."""
    if match.state != Match.State.COMPLETED or mine is None:
        return ""
    if all(side.rank == 1 for side in sides):
        return "draw"
    return "win" if sides[mine].rank == 1 else "loss"


def _reported(current: Sheet, sides: tuple[Side, ...]) -> str:
    """The standing report in one sentence."""
    result = current.verdict.result
    return result_in_words(result, [side.name for side in sides]) if result else ""


def _story(current: Sheet, sides: tuple[Side, ...], names: dict[UUID, Player], *, sees_notes: bool) -> tuple[Line, ...]:
    lines = []
    for report in current.reports:
        who = names.get(report.reporter_id) if report.reporter_id else None
        public = report.kind == ResultReport.Kind.DECISION
        lines.append(
            Line(
                at=report.created_at,
                text=said_in_words(report, who.name if who else "", [side.name for side in sides]),
                note=report.note if sees_notes or public else "",
            )
        )
    return tuple(lines)
