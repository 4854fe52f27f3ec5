"""Where a newcomer starts: everything that is known before the first match, as one belief.

An earlier season of the same queue stands alone. Everything else is a `Signal` on the club scale, and `combine` makes
one belief of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from ratings.core.assessments import WIDE_DEVIATION, Assessments
from ratings.core.guards import number
from ratings.core.prior_rules import PriorRules
from ratings.core.problems import RatingInputError
from ratings.core.scales import moved
from ratings.core.types import CLUB_CENTRE, Belief, Engine

_LEAST_UNTRACKED = 60.0


class Source(StrEnum):
    """Where a signal comes from."""

    SAME_GAME = "same_game"
    OTHER_GAME = "other_game"
    SELF_ASSESSMENT = "self_assessment"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who may need a first rating; `self_assessment` is the key of an answer, or empty for none."""

    player_id: UUID
    self_assessment: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """One hint at a newcomer's rating, on the club scale. facts: how it came about, ready for JSON.

    Raises RatingInputError for a mean that is no number and a deviation that is not above 0.
    """

    source: Source
    mean: float
    deviation: float
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        number("mean", self.mean)
        if number("deviation", self.deviation, 0.0) <= 0.0:
            raise RatingInputError("deviation", f"must be above 0, got {self.deviation!r}")

    def to_json(self) -> dict[str, Any]:
        """Everything about it as plain values, for an event's explanation."""
        return {"source": self.source.value, "mean": self.mean, "deviation": self.deviation, **self.facts}


@dataclass(frozen=True, slots=True)
class OtherRating:
    """A rating in another queue of the club: on the club scale, aged to the moment it is asked for.

    A deviation of None is one that the engine there does not track; `games` then says how sure the rating is.
    """

    queue_id: UUID
    queue_name: str
    is_same_game: bool
    belief: Belief
    games: int
    idle_days: float


def combine(signals: Sequence[Signal]) -> Belief:
    """One belief (club scale) out of one or more signals; their order does not matter.

    The rating is their mean weighted by precision, 1 / deviation^2. The deviation is that of the surest signal: signals
    about one person lean on the same past, so that agreement of several is no further proof. Where they contradict
    each other more than their deviations allow, it is widened by the ratio of R. T. Birge ("The calculation of errors
    by the method of least squares", Physical Review 40, 1932), but never beyond the least sure signal.
    """
    if len(signals) == 1:
        return Belief(signals[0].mean, signals[0].deviation)
    surest = min(one.deviation for one in signals)
    weights = [(surest / one.deviation) ** 2 for one in signals]
    total = math.fsum(weights)
    mean = math.fsum(weight * one.mean for weight, one in zip(weights, signals, strict=True)) / total
    mean = min(max(mean, min(one.mean for one in signals)), max(one.mean for one in signals))
    misfit = math.fsum(((one.mean - mean) / one.deviation) ** 2 for one in signals) / (len(signals) - 1)
    return Belief(mean, min(surest * max(1.0, math.sqrt(misfit)), max(one.deviation for one in signals)))


def start_of(engine: Engine, signals: Sequence[Signal]) -> Belief:
    """The first belief on the engine's own scale; without signals the engine's newcomer."""
    return engine.from_club(combine(signals)) if signals else engine.initial()


def signals_of(
    newcomer: Newcomer, others: Sequence[OtherRating], rules: PriorRules, assessments: Assessments
) -> tuple[Signal, ...]:
    """Everything that is known of a newcomer, the same game first, then other games, then the own answer.

    Raises RatingInputError for an answer that the club never had.
    """
    found = [from_other_queue(one, rules) for one in others]
    found.append(from_self_assessment(assessments, newcomer.self_assessment))
    ranked = sorted((one for one in found if one is not None), key=_place)
    return tuple(ranked)


def _place(signal: Signal) -> tuple[int, float, str]:
    return list(Source).index(signal.source), signal.deviation, str(signal.facts.get("queue", ""))


def from_self_assessment(assessments: Assessments, answer: str) -> Signal | None:
    """What an answer says; None for no answer. Raises RatingInputError for one that the club never had."""
    if not answer:
        return None
    chosen = assessments.find(answer)
    if chosen is None:
        known = ", ".join(one.key for one in assessments.answers)
        raise RatingInputError("self_assessment", f"must be one of {known}, got {answer!r}")
    facts = {"answer": chosen.key, "label": chosen.label}
    return Signal(Source.SELF_ASSESSMENT, chosen.rating, WIDE_DEVIATION, facts)


def from_other_queue(other: OtherRating, rules: PriorRules) -> Signal | None:
    """What a rating in another queue says; None for another game where such ratings are to be ignored."""
    known = other.belief.deviation
    deviation = untracked_deviation(other.games) if known is None else known
    facts: dict[str, Any] = {
        "queue": str(other.queue_id),
        "queue_name": other.queue_name,
        "rating": other.belief.rating,
        "rating_deviation": deviation,
        "games": other.games,
        "idle_days": other.idle_days,
    }
    if other.is_same_game:
        facts |= {"offset": rules.offset, "widened_by": rules.same_game_widening}
        wide = math.hypot(deviation, rules.same_game_widening)
        return Signal(Source.SAME_GAME, other.belief.rating + rules.offset, wide, facts)
    weight = rules.other_game_weight
    if weight == 0.0:
        return None
    facts |= {"weight": weight, "widened_by": rules.other_game_widening}
    mean = CLUB_CENTRE + weight * (other.belief.rating - CLUB_CENTRE)
    return Signal(Source.OTHER_GAME, mean, math.hypot(weight * deviation, rules.other_game_widening), facts)


def untracked_deviation(games: int) -> float:
    """How sure a rating is whose engine keeps no deviation, by the matches behind it (club scale).

    350 / sqrt(1 + games): an even game of the logistic curve tells (ln 10 / 400)^2 / 4, which is the precision of a
    deviation of 347. It ends at 60, near the lasting scatter of Elo at K 32, sqrt(K * 200 / ln 10).
    """
    return max(WIDE_DEVIATION / math.sqrt(1.0 + games), _LEAST_UNTRACKED)


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
