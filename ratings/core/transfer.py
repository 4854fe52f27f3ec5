"""What a rating in one queue says about the rating in another, measured on those who have both."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core.types import CLUB_CENTRE, Belief

FEWEST_PLAYERS = 10
SCEPTICS = 10  # so many further players are counted as though the one queue had told nothing about the other
LEAST_SPREAD, MOST_SPREAD = 30.0, 350.0
MOST_OFFSET = 800.0

Pair = tuple[Belief, Belief]  # one player there and here, on the club scale


@dataclass(frozen=True, slots=True)
class Transfer:
    """here = 1500 + weight * (there - 1500) + offset, give or take `spread`, as `players` players showed it.

    spread: the standard deviation of what is left over, without what the deviations of the two ratings explain.
    """

    weight: float
    offset: float
    spread: float
    players: int


def fit_transfer(pairs: Sequence[Pair], *, weight: float | None = None, offset: float | None = None) -> Transfer | None:
    """Least squares of ratings here on ratings there, one pair a player; None for fewer than ten players.

    A given `weight` or `offset` is held and the other one fitted. What is fitted is shrunk by n / (n + 10), towards
    "says nothing", because few players show much by chance; the weight is held within 0 and 1.

    Ratings are means of what is believed, so their errors scatter around them and do not flatten the slope (errors of
    Berkson's kind: J. Berkson, "Are there two regressions?", Journal of the American Statistical Association 45, 1950).
    """
    count = len(pairs)
    if count < FEWEST_PLAYERS:
        return None
    there = [one.rating - CLUB_CENTRE for one, _ in pairs]
    here = [other.rating - CLUB_CENTRE for _, other in pairs]
    kept = count / (count + SCEPTICS)
    used = weight if weight is not None else min(max(kept * _slope(there, here, offset), 0.0), 1.0)
    added = offset
    if added is None:
        middle = math.fsum(y - used * x for x, y in zip(there, here, strict=True)) / count
        added = min(max(kept * middle, -MOST_OFFSET), MOST_OFFSET)
    left = math.fsum((y - used * x - added) ** 2 for x, y in zip(there, here, strict=True))
    variance = left / (count - (weight is None) - (offset is None)) - _explained(pairs, used)
    spread = min(max(math.sqrt(max(variance, 0.0)), LEAST_SPREAD), MOST_SPREAD)
    return Transfer(used, added, spread, count)


def _slope(there: Sequence[float], here: Sequence[float], offset: float | None) -> float:
    """The least-squares slope: through the offset where one is given, else through the middle of the points."""
    count = len(there)
    middle, height = (math.fsum(there) / count, math.fsum(here) / count) if offset is None else (0.0, offset)
    squares = math.fsum((x - middle) ** 2 for x in there)
    if squares == 0.0:
        return 0.0
    return math.fsum((x - middle) * (y - height) for x, y in zip(there, here, strict=True)) / squares


def _explained(pairs: Sequence[Pair], weight: float) -> float:
    """The variance that the ratings' own deviations account for, on average."""
    return math.fsum((weight * (one.deviation or 0.0)) ** 2 + (other.deviation or 0.0) ** 2 for one, other in pairs) / (
        len(pairs)
    )
