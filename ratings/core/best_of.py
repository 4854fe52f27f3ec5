"""The chance of being the best of several independent Gaussian performances."""

from collections.abc import Sequence

from ratings.core.kernels import best_of as kernel


def best_of(means: Sequence[float], deviations: Sequence[float]) -> tuple[float, ...]:
    """P(performance i is the highest) for each i; adds up to 1."""
    chances = [0.0] * len(means)
    kernel.best_of(len(means), list(means), list(deviations), chances, 0)
    return tuple(chances)
