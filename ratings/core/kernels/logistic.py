"""The logistic curve and Davidson's extension of it to draws."""

import math

LOGIT_BOUND = 40.0  # exp(-40) is below the resolution of 1 - p; beyond it nothing more can be said


def bounded(x: float, low: float, high: float) -> float:
    """`x` held between `low` and `high`."""
    if x < low:
        return low
    if x > high:
        return high
    return x


def expected_score(x: float, draw_nu: float) -> float:
    """Expected score at logit `x` (R. R. Davidson 1970): win + half a draw. `draw_nu` 0 is the plain logistic curve.

    P(draw) is proportional to draw_nu, P(win) to exp(x/2), P(loss) to exp(-x/2). Symmetric to the last bit:
    the smaller side is computed, the larger is one minus it.
    """
    size = min(abs(x), LOGIT_BOUND)
    if draw_nu == 0.0:
        small = 1.0 / (1.0 + math.exp(size))
    else:
        root = math.exp(-0.5 * size)
        small = (root + 0.5 * draw_nu) / (root + 1.0 / root + draw_nu)
    return 1.0 - small if x > 0.0 else small


def curve(x: float, draw_nu: float) -> tuple[float, float]:
    """(expected score, variance of the score) at logit `x`.

    The variance is also the slope of the expected score and the information of one game.
    """
    size = min(abs(x), LOGIT_BOUND)
    if draw_nu == 0.0:
        small = 1.0 / (1.0 + math.exp(size))
        variance = small * (1.0 - small)
    else:
        root = math.exp(-0.5 * size)
        total = root + 1.0 / root + draw_nu
        small = (root + 0.5 * draw_nu) / total
        variance = small * (1.0 / root + 0.5 * draw_nu) / total - 0.25 * draw_nu / total
    return (1.0 - small if x > 0.0 else small), variance


def draw_nu_of(draw_probability: float) -> float:
    """Davidson's parameter for a given chance of a draw between equals."""
    return 2.0 * draw_probability / (1.0 - draw_probability)
