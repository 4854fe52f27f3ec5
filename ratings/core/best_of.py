"""The chance of being the best of several independent Gaussian performances."""

import math
from collections.abc import Sequence

from ratings.core.kernels.gauss import cdf

_REACH = 8.0
_STEP = 0.25


def best_of(means: Sequence[float], deviations: Sequence[float]) -> tuple[float, ...]:
    """P(performance i is the highest) for each i; adds up to 1. Trapezoid over each density, then normalised."""
    nodes = [k * _STEP for k in range(-int(_REACH / _STEP), int(_REACH / _STEP) + 1)]
    chances = []
    for i, (mean, deviation) in enumerate(zip(means, deviations, strict=True)):
        total = 0.0
        for z in nodes:
            x = mean + deviation * z
            density = math.exp(-0.5 * z * z)
            for j, (other, spread) in enumerate(zip(means, deviations, strict=True)):
                if j != i and density > 0.0:
                    density *= cdf((x - other) / spread)
            total += density
        chances.append(total)
    whole = sum(chances)
    return tuple(chance / whole for chance in chances)
