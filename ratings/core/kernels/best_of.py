"""The chance of being the best of several independent Gaussian performances."""

import math

from ratings.core.kernels import Vector
from ratings.core.kernels.gauss import cdf

_REACH = 32  # steps of a quarter deviation on either side


def best_of(count: int, mean: Vector, deviation: Vector, chances: Vector, first: int) -> None:
    """Write P(performance i is the highest) to chances[first + i]; they add up to 1.

    Trapezoid over each density, then normalised.
    """
    whole = 0.0
    for i in range(count):
        total = 0.0
        for step in range(-_REACH, _REACH + 1):
            z = 0.25 * step
            x = mean[i] + deviation[i] * z
            density = math.exp(-0.5 * z * z)
            for j in range(count):
                if j != i:
                    density *= cdf((x - mean[j]) / deviation[j])
            total += density
        chances[first + i] = total
        whole += total
    for i in range(count):
        chances[first + i] /= whole
