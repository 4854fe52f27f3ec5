"""A queue's ledger as plain values: a chain of events for each rating, and the matches that link the chains."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from uuid import UUID

from ratings.core.decay import PLAIN_DAYS, Calendar
from ratings.core.match_facts import MatchFacts
from ratings.core.priors import Signal
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import Account, Formed, standing_on
from ratings.core.scales import BeliefModel
from ratings.core.types import Engine
from ratings.core.undo import Undo

Place = tuple[UUID, int]  # a rating, and the number of an event in its chain; 0 is before the first


class Act(Enum):
    """How an event is done once more."""

    OPEN = "first rating"
    MATCH = "match"
    DECAY = "a day of idleness"
    CORRECTION = "correction"
    MODEL_CHANGE = "model change"
    UNDO = "gives back what another event did"
    TRACE = "says that matches were taken back, which this walk finds anew"
    OTHER = "any other change"


@dataclass(slots=True)
class Recorded:
    """An event as it stands in the ledger.

    after: the account it left. delta: of a correction, points of the club scale. undoes: the number of the event that
    it takes back. carries: of a first rating, whether an earlier season gave it; of a change of model, whether the
    value was carried over by the club scale. signals: what a first rating was made of, None where that was not kept or
    an earlier season gave it. period: the key of the rating period that it was rated in.
    """

    id: UUID
    act: Act
    after: Account
    at: datetime
    match_id: UUID | None = None
    delta: float = 0.0
    undoes: int | None = None
    carries: bool = False
    signals: tuple[Signal, ...] | None = None
    period: tuple[object, ...] | None = None


@dataclass(slots=True)
class Chain:
    """One rating: whose, of which season, by which rules of rank, and its events in order."""

    rating_id: UUID
    player_id: UUID
    season_id: UUID
    rules: RankRules
    start: Account
    events: list[Recorded] = field(default_factory=list)

    def account(self, number: int) -> Account:
        """As recorded after that many events."""
        return self.events[number - 1].after if number else self.start

    def run(self, number: int) -> tuple[int, list[Undo]]:
        """The events that give back which end with this one, and how many events stand before them.

        Nothing stands between them but the traces of recomputing, which are not among the events of the run.
        """
        first = number
        while first > 1 and self.events[first - 2].act in (Act.UNDO, Act.TRACE):
            first -= 1
        every = range(first, number + 1)
        return first - 1, [self.undo(one) for one in every if self.events[one - 1].act is Act.UNDO]

    def last_trace(self) -> int:
        """After how many events the chain was last recomputed; 0 if it never was."""
        traces = (number for number, event in enumerate(self.events, 1) if event.act is Act.TRACE)
        return max(traces, default=0)

    def undo(self, number: int) -> Undo:
        """An event that gives back, with the accounts around the one that it undoes."""
        event = self.events[number - 1]
        assert event.undoes is not None, "an event that gives back names the one that it undoes"
        return Undo(number, event.undoes, self.account(event.undoes - 1), self.account(event.undoes), event.at)


@dataclass(slots=True)
class Played:
    """A rated match. at_formation: by player, after how many events of the chain the forecast was made."""

    match_id: UUID
    season_id: UUID
    model: BeliefModel
    formed_at: datetime
    completed_at: datetime
    teams: tuple[tuple[UUID, ...], ...]
    ranks: tuple[int, ...]
    rules: RankRules
    facts: MatchFacts
    ends_at: datetime | None
    at_formation: Mapping[UUID, int]
    calendar: Calendar = PLAIN_DAYS

    @property
    def players(self) -> Iterator[UUID]:
        """Everybody in it."""
        return (player for team in self.teams for player in team)


def formed_after(chain: Chain, engine: Engine, formed: Formed, hint: int, last: int) -> int:
    """After how many events of the chain, at most `last`, a belief was read that a forecast recorded.

    The nearest to `hint` (where clocks put it) that ages to exactly this belief; `hint` itself where none does.
    """
    hint = min(hint, last)
    for number in sorted(range(1, last + 1), key=lambda number: (abs(number - hint), number)):
        if standing_on(engine, chain.account(number), formed.idle_days) == formed.belief:
            return number
    return hint
