"""What TrueSkill 2 adds to TrueSkill (Minka, Cleven, Zaykov 2018), as far as its signals are public. Each is 0 at 0."""

import math

from ratings.core.kernels import Vector


def experience_lift(games: float, offset: float, fade: float) -> float:
    """Points by which a newcomer performs away from the own skill, fading with the matches played."""
    return offset * math.exp(-games / fade) if offset != 0.0 else 0.0


def standard_scores(count: int, figures: Vector, scores: Vector) -> int:
    """Individual figures of one match as deviations from its mean, held within 2; NaN stays unknown.

    Returns how many are known; with fewer than two, or with no difference, nothing is said.
    """
    known = 0
    total = 0.0
    squares = 0.0
    for i in range(count):
        if figures[i] == figures[i]:  # not NaN
            known += 1
            total += figures[i]
    mean = total / known if known else 0.0
    for i in range(count):
        if figures[i] == figures[i]:
            squares += (figures[i] - mean) * (figures[i] - mean)
    if known < 2 or squares <= 0.0:
        return 0
    deviation = math.sqrt(squares / known)
    for i in range(count):
        scores[i] = min(max((figures[i] - mean) / deviation, -2.0), 2.0) if figures[i] == figures[i] else math.nan
    return known


def observed(
    rating: float, variance: float, level: float, score: float, beta: float, weight: float, cap: float
) -> tuple[float, float]:
    """A skill after one individual figure: seen once at level + beta * score, with noise variance beta^2 / weight.

    `level` is the mean skill in the match; the move is held within `cap`. Weight 0 leaves everything.
    """
    noise = beta * beta
    gain = weight * variance / (noise + weight * variance)
    move = min(max(gain * (level + beta * score - rating), -cap), cap)
    return rating + move, variance * (1.0 - gain)
