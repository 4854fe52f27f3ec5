"""A club's own history for a replay: matches with what the ledger knew besides them, in the order of time."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ratings.core.history import Chunk
from ratings.core.replay import Replay
from ratings.core.types import Belief, Engine


@dataclass(frozen=True, slots=True)
class Step:
    """Some matches, and what happens before the first of them. Players are indices, all numbers on the club scale.

    starts: where players who come in with these matches begin; who is not named begins as the engine's newcomer.
    shifts: points that the staff added to a rating by hand. widening: at a season's start the deviation of everybody
    who has played grows to hypot(deviation, widening).
    """

    chunk: Chunk
    starts: Mapping[int, Belief] = field(default_factory=dict)
    shifts: Mapping[int, float] = field(default_factory=dict)
    widening: float = 0.0


def prepare(replay: Replay, step: Step) -> None:
    """Bring a replay to where the step's first match finds everybody.

    What changes ratings besides matches cuts a rating period short, as the end of a season does in the ledger.
    """
    engine = replay.engine
    if step.widening > 0.0 or step.shifts:
        replay.close()
    if step.widening > 0.0:
        for player in range(replay.players):
            if replay.games(player) > 0:
                replay.put(player, widened(engine, replay.belief(player), step.widening))
    for player, belief in step.starts.items():
        replay.put(player, engine.from_club(belief))
    for player, points in step.shifts.items():
        before = replay.belief(player)
        club = engine.to_club(before)
        moved = engine.from_club(Belief(club.rating + points, club.deviation, club.volatility))
        replay.put(player, Belief(moved.rating, before.deviation, before.volatility))


def widened(engine: Engine, belief: Belief, by: float) -> Belief:
    """The belief with its deviation widened by so many club points, within the engine's bounds."""
    if belief.deviation is None or by <= 0.0:
        return belief
    club = engine.to_club(belief)
    assert club.deviation is not None
    wide = engine.from_club(Belief(club.rating, math.hypot(club.deviation, by), club.volatility))
    return Belief(belief.rating, wide.deviation, belief.volatility)
