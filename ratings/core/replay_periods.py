"""Rating periods in a replay: games of one against one wait and are rated together when the next period begins.

Predictions inside a period are made from the beliefs before it. A match without a day, or with one from an earlier
period, belongs to the period under way: rows are taken in the order of the file.
"""

import copy
import math
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from ratings.core import compiled
from ratings.core.engine_base import BaseEngine
from ratings.core.history import NOBODY, Chunk, Floats
from ratings.core.kernels import replay_waiting
from ratings.core.kernels.replay_common import TRAIL, describe, note
from ratings.core.periods import MONTH, WEEK, check_period
from ratings.core.problems import RatingInputError
from ratings.core.replay_live import belief_of, facts_of, keep_top, read_by_loops
from ratings.core.types import Belief, PeriodGame

State = dict[str, Any]
_EPOCH = date(1970, 1, 1).toordinal()
_VECTORS = replay_waiting.CLOCK  # per player, in the order of `replay_waiting`


class Waiting(Protocol):
    """The games that wait, in whatever form the loop needs them."""

    def grow(self, players: int) -> None:
        """Make room for players up to this number."""
        ...

    def run(self, chunk: Chunk, lift: Floats, multiplier: Floats, state: State, context: Any) -> Floats:
        """Predict every match, rating each period when the next begins; the chances of the first of the two."""
        ...

    def close(self, state: State) -> None:
        """Rate what waits: the history is over."""
        ...

    def checkpoint(self) -> Any:
        """Everything that waits, as a copy."""
        ...

    def restore(self, checkpoint: Any) -> None:
        """Go on from there."""
        ...


def waiting_for(
    engine: BaseEngine,
    period: str,
    loop: ModuleType | None,
    parameters: tuple[float, ...],
    *,
    ageing: bool,
    accelerated: bool,
    cache_folder: Path | None,
) -> Waiting:
    """The compiled or plain loop where the engine has one, else a walk through its live door."""
    check_period(engine, period, teams=2, team_size=1)
    if loop is None:
        return WaitingGames(engine, period, ageing=ageing)
    return WaitingSums(period, loop, parameters, accelerated=accelerated, cache_folder=cache_folder)


def period_numbers(days: Floats, period: str) -> Floats:
    """The number of the week or month in which each day (an ordinal, NaN where unknown) lies; NaN where unknown."""
    if period not in (WEEK, MONTH):
        raise RatingInputError("period", f"must be {WEEK} or {MONTH}, got {period!r}")
    if period == WEEK:
        return np.floor((days - 1.0) / 7.0)  # day 1 was a Monday
    numbers = np.full(len(days), np.nan)
    known = ~np.isnan(days)
    since = np.floor(days[known] - _EPOCH).astype("timedelta64[D]")
    numbers[known] = (np.datetime64("1970-01-01", "D") + since).astype("datetime64[M]").astype(np.int64)
    return numbers


def check_duels(chunk: Chunk) -> None:
    """Refuse teams and free-for-alls."""
    if not (np.diff(chunk.team_start) == 2).all() or not (np.diff(chunk.member_start) == 1).all():
        raise RatingInputError("period", "only matches of one against one can be rated by periods")


def scores_of(chunk: Chunk) -> Floats:
    """The first player's score of every duel."""
    scores: Floats = 0.5 + 0.5 * np.sign(chunk.place[1::2] - chunk.place[0::2])
    return scores


class WaitingSums:
    """For the loops: a few sums per player."""

    def __init__(
        self,
        period: str,
        loop: ModuleType,
        parameters: tuple[float, ...],
        *,
        accelerated: bool,
        cache_folder: Path | None,
    ) -> None:
        self.period = period
        self.accelerated = accelerated
        self._loop: Any = compiled.compiled(loop, cache_folder) if accelerated else loop
        self._parameters = self._vector(np.array(parameters))
        self._vectors = [self._vector(np.zeros(0)) for _ in range(_VECTORS)]
        self._clock = self._vector(np.array([-math.inf, 0.0]))

    def grow(self, players: int) -> None:
        """Nobody new waits."""
        for position, old in enumerate(self._vectors):
            fresh = -1.0 if position == replay_waiting.SINCE else 0.0
            added = np.full(players - len(old), fresh)
            self._vectors[position] = self._vector(np.concatenate((np.asarray(old, dtype=np.float64), added)))

    def run(self, chunk: Chunk, lift: Floats, multiplier: Floats, state: State, context: Any) -> Floats:
        """The loop over a chunk."""
        check_duels(chunk)
        numbers = period_numbers(chunk.day, self.period)
        parts = (
            chunk.player[0::2],
            chunk.player[1::2],
            scores_of(chunk),
            lift[0::2] - lift[1::2],
            multiplier,
            chunk.day,
            chunk.weight[0::2],
            chunk.weight[1::2],
            np.where(np.isnan(numbers), -math.inf, numbers),
        )
        chances = self._vector(np.zeros(len(chunk)))
        vectors = tuple(self._vector(part) for part in parts)
        self._loop.duels(vectors, self._parameters, read_by_loops(state), self._waiting(), chances, context)
        return np.asarray(chances, dtype=np.float64)

    def close(self, state: State) -> None:
        """The loop's own end of a period."""
        self._loop.close(self._parameters, read_by_loops(state), self._waiting())

    def checkpoint(self) -> Any:
        """The sums and the clock."""
        return copy.deepcopy((self._vectors, self._clock))

    def restore(self, checkpoint: Any) -> None:
        """The same again, as this loop takes them."""
        vectors, clock = checkpoint
        self._vectors = [self._vector(np.array(values, dtype=np.float64)) for values in vectors]
        self._clock = self._vector(np.array(clock, dtype=np.float64))

    def _waiting(self) -> tuple[Any, ...]:
        return (*self._vectors, self._clock)

    def _vector(self, values: Any) -> Any:
        return np.ascontiguousarray(values, dtype=np.float64) if self.accelerated else values.tolist()


@dataclass(slots=True)
class _Queue:
    """One player's games that wait: the belief before the first of them, the games before it, the last day."""

    base: Belief
    since: int
    seen: float = 0.0
    games: list[PeriodGame] = field(default_factory=list)


class WaitingGames:
    """For an engine's live door: every game as it is."""

    def __init__(self, engine: BaseEngine, period: str, *, ageing: bool) -> None:
        self.engine = engine
        self.period = period
        self.ageing = ageing
        self._number = -math.inf
        self._queues: dict[int, _Queue] = {}
        self._first: dict[int, tuple[PeriodGame, ...]] = {}  # games of those who have no first rating yet

    def grow(self, players: int) -> None:
        """Nothing stands ready for players who do not wait."""

    def run(self, chunk: Chunk, lift: Floats, multiplier: Floats, state: State, context: Any) -> Floats:
        """Match after match; the engine knows side and margin itself."""
        del lift, multiplier
        check_duels(chunk)
        chances = np.zeros(len(chunk))
        scores, numbers = scores_of(chunk), period_numbers(chunk.day, self.period)
        for m in range(len(chunk)):
            if numbers[m] > self._number:
                self.close(state)
                self._number = float(numbers[m])
            describe(m, 2 * m, 2 * m + 2, chunk.player, state["rating"], state["games"], context)
            chances[m] = self._match(chunk, m, float(scores[m]), state)
        return chances

    def close(self, state: State) -> None:
        """Rate everybody who waits."""
        for who, queue in self._queues.items():
            earlier = self._first.pop(who, ())
            facts = facts_of(state, who, queue.since, earlier)
            after = self.engine.rate_period(queue.base, queue.games, facts)
            if queue.since + len(queue.games) < self.engine.wants_first_games:
                self._first[who] = (*earlier, *queue.games)
            keep_top(state, who, after.rating)
            state["rating"][who] = after.rating
            state["deviation"][who] = after.deviation or 0.0
            state["volatility"][who] = after.volatility or 0.0
            state["last_day"][who] = max(state["last_day"][who], queue.seen)
            last = int(state["games"][who]) - 1
            if 0 <= last < TRAIL and len(state["trail"]) > 0:
                state["trail"][who * TRAIL + last] = after.rating
        self._queues = {}

    def checkpoint(self) -> Any:
        """The games, those of who has no first rating, and the number of the period."""
        return copy.deepcopy((self._number, self._queues, self._first))

    def restore(self, checkpoint: Any) -> None:
        """The same again."""
        self._number, self._queues, self._first = copy.deepcopy(checkpoint)

    def _match(self, chunk: Chunk, m: int, score: float, state: State) -> float:
        a, b = (int(who) for who in chunk.player[2 * m : 2 * m + 2])
        day, margin = float(chunk.day[m]), float(chunk.margin[m])
        beliefs = [self._now(who, day, state) for who in (a, b)]
        shares = [float(share) for share in chunk.weight[2 * m : 2 * m + 2]]
        side = None if chunk.side[m] == NOBODY else int(chunk.side[m])
        edge = 0 if side is None else 1 - 2 * side
        chance = self.engine.expected([[belief] for belief in beliefs], side)[0]
        known = None if math.isnan(margin) else margin
        if min(shares) > 0.0:
            mine = PeriodGame(beliefs[1], score, edge, known, (shares[0], shares[1]))
            other = PeriodGame(beliefs[0], 1.0 - score, -edge, known, (shares[1], shares[0]))
            for who, belief, game in ((a, beliefs[0], mine), (b, beliefs[1], other)):
                queue = self._queues.setdefault(who, _Queue(belief, int(state["games"][who])))
                queue.games.append(game)
                queue.seen = queue.seen if math.isnan(day) else day
        for who, share in zip((a, b), shares, strict=True):
            if share > 0.0:
                note(who, state["rating"][who], state["games"], state["trail"])
        return chance

    def _now(self, who: int, day: float, state: State) -> Belief:
        """A belief today: ageing starts with the last rated game, for a newcomer with the first game."""
        belief = belief_of(self.engine, state, who)
        if not self.ageing or math.isnan(day):
            return belief
        if state["games"][who] <= 0:
            state["last_day"][who] = day
            return belief
        idle = day - float(state["last_day"][who])
        return self.engine.widen(belief, idle) if idle > 0.0 and state["last_day"][who] > 0.0 else belief
