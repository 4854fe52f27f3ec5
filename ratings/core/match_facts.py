"""What is known of a match besides its ranks: for the engine, and for the words that explain an event."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from ratings.core.types import Engine, PlayerFacts, Signals

FIDE_MARK = 2400.0  # who reached it once has a lower K for good
T = TypeVar("T")
Rows = tuple[tuple[T, ...], ...]  # one value per member, in the shape of the teams


@dataclass(frozen=True, slots=True)
class Reduction:
    """A match pays and costs a participant only so many per cent of its points. reason: a code."""

    percent: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """The same of one participant. share: how much of the match they played, 0 is "did not play".

    points_percent: how much of its points the match pays and costs; points_reason: the code of why it is not all.
    """

    party: int | None = None
    share: float = 1.0
    performance: float | None = None
    left_early: bool = False
    points_percent: int = 100
    points_reason: str = ""

    @property
    def reduction(self) -> Reduction | None:
        """What the points are reduced to, None for a match that counts in full."""
        return None if self.points_percent == 100 else Reduction(self.points_percent, self.points_reason)


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What is known of a match besides its ranks; None where nothing is.

    margin: how clearly it was decided, in the game's own unit. side: index of the team with the side advantage.
    weights: the share that each member played. parties: equal numbers within a team came together, None for alone.
    quits: who left before the end. performance: individual figures. juniors: players under 18 until the year ends.
    """

    margin: float | None = None
    side: int | None = None
    weights: Rows[float] | None = None
    parties: Rows[int | None] | None = None
    quits: Rows[bool] | None = None
    performance: Rows[float | None] | None = None
    juniors: frozenset[UUID] = frozenset()
    reduced: Rows[Reduction | None] | None = None

    @classmethod
    def of(cls, margin: float | None, side: int | None, seats: Sequence[Sequence[SeatFacts]]) -> "MatchFacts":
        """From what is known of each participant; a fact that nobody stands out by counts as not known."""
        every = [seat for team in seats for seat in team]
        if all(seat == _USUAL for seat in every):
            return cls(margin, side)
        return cls(
            margin,
            side,
            weights=_rows(seats, "share") if any(seat.share != 1.0 for seat in every) else None,
            parties=_rows(seats, "party") if any(seat.party is not None for seat in every) else None,
            quits=_rows(seats, "left_early") if any(seat.left_early for seat in every) else None,
            performance=_rows(seats, "performance") if any(seat.performance is not None for seat in every) else None,
            reduced=_rows(seats, "reduction") if any(seat.reduction for seat in every) else None,
        )

    @property
    def at_formation(self) -> "MatchFacts":
        """What can be known before the match is played."""
        return MatchFacts(side=self.side, parties=self.parties, juniors=self.juniors)

    def share(self, team: int, member: int) -> float:
        """How much of the match a member played."""
        return 1.0 if self.weights is None else self.weights[team][member]

    def reduction(self, team: int, member: int) -> Reduction | None:
        """What a member's points are reduced to, None for all of them."""
        return None if self.reduced is None else self.reduced[team][member]

    @property
    def teams_that_played(self) -> int | None:
        """How many teams had somebody who played; None for all."""
        return None if self.weights is None else sum(any(share > 0.0 for share in row) for row in self.weights)

    def signals(self, known: Sequence[Sequence["Known"]]) -> Signals:
        """For the engine, with what the ledger knows of each participant."""
        return Signals(
            margin=self.margin,
            games=[[one.games for one in team] for team in known],
            parties=self.parties,
            quits=self.quits,
            performance=self.performance,
            players=[[one.player_id for one in team] for team in known],
            facts=[[self.about(one) for one in team] for team in known],
        )

    def about(self, one: "Known") -> PlayerFacts:
        """What some engines need to know of a player beyond the belief."""
        return PlayerFacts(one.games, one.player_id in self.juniors, one.top >= FIDE_MARK)

    def party_of(self, team: int, member: int) -> int:
        """How many of the team came together with this member, who counts."""
        if self.parties is None or self.parties[team][member] is None:
            return 1
        return self.parties[team].count(self.parties[team][member])

    @property
    def has_parties(self) -> bool:
        """Whether anybody came together with somebody."""
        rows = self.parties or ()
        return any(count > 1 for row in rows for count in Counter(party for party in row if party is not None).values())


NOTHING_KNOWN = MatchFacts()
_USUAL = SeatFacts()


@dataclass(frozen=True, slots=True)
class Known:
    """What the ledger knows of a participant before the match: rated matches of the queue, the highest rating so far.

    top: on the scale of the model that rates the match.
    """

    player_id: UUID
    games: int
    top: float


def _rows(seats: Sequence[Sequence[SeatFacts]], name: str) -> Rows[Any]:
    return tuple(tuple(getattr(seat, name) for seat in team) for team in seats)


def told(engine: Engine, facts: MatchFacts, team: int, member: int) -> dict[str, Any]:
    """What a member's explanation says of these facts, under `known`; empty where nothing is known.

    moved: the names of those that the engine counts.
    """
    if facts == NOTHING_KNOWN:
        return {}
    parameters = engine.parameters.as_dict()
    said: dict[str, Any] = {}
    moved = []

    def say(name: str, value: object, *, counts: bool) -> None:
        said[name] = value
        if counts:
            moved.append(name)

    if facts.side is not None:
        own = "own" if facts.side == team else "other"
        say("side", own, counts=parameters["side_advantage"] != 0.0)
    if facts.margin is not None:
        said["margin_factor"] = engine.margin_multiplier(facts.margin)
        say("margin", facts.margin, counts=said["margin_factor"] != 1.0)
    if facts.share(team, member) != 1.0:
        say("share", facts.share(team, member), counts=True)
    if facts.has_parties:
        say("party", facts.party_of(team, member), counts=parameters["party_offset"] != 0.0)
    figure = None if facts.performance is None else facts.performance[team][member]
    if figure is not None:
        say("performance", figure, counts=bool(parameters.get("performance_weight")))
    if facts.quits is not None and facts.quits[team][member]:
        say("left_early", True, counts=bool(parameters.get("quit_penalty")))
    return {"known": {**said, "moved": moved}} if said else {}
