"""Where a newcomer starts: what a self-assessment or an earlier season says before the first match."""

import math
from dataclasses import dataclass
from uuid import UUID

from ratings.core.problems import RatingInputError
from ratings.core.scales import moved
from ratings.core.types import Belief, Engine

WIDE_DEVIATION = 350.0
SELF_ASSESSMENTS = {"novice": 800.0, "casual": 1200.0, "club": 1500.0, "expert": 1800.0}


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who may need a first rating; `self_assessment` is a key of SELF_ASSESSMENTS, or empty for none."""

    player_id: UUID
    self_assessment: str = ""


def from_self_assessment(engine: Engine, answer: str) -> Belief:
    """The belief (own scale) behind an answer; no answer gives the engine's newcomer. Raises RatingInputError."""
    if not answer:
        return engine.initial()
    if answer not in SELF_ASSESSMENTS:
        raise RatingInputError("self_assessment", f"must be one of {', '.join(SELF_ASSESSMENTS)}, got {answer!r}")
    return engine.from_club(Belief(SELF_ASSESSMENTS[answer], WIDE_DEVIATION))


def from_earlier_season(
    engine: Engine, old: Engine, belief: Belief, *, idle_days: float, carry_deviation: float
) -> Belief:
    """An earlier season's belief: the rating kept, the deviation aged, then widened by a stated amount (club scale).

    belief: on the scale of `old`, the engine of that season, which also ages it; the outcome is on that of `engine`.
    """
    aged = moved(old.widen(belief, idle_days), old, engine)
    if aged.deviation is None:
        return aged
    club = engine.to_club(aged)
    assert club.deviation is not None
    wide = engine.from_club(Belief(club.rating, math.hypot(club.deviation, carry_deviation), club.volatility))
    return Belief(aged.rating, wide.deviation, aged.volatility)
