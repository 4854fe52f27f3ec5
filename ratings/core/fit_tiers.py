"""Where tiers should begin so that each holds a stated share of the players, and what share a table really gives.

A division begins at the quantile of the ratings (club scale) below which the shares of all divisions under it add up;
within a tier its divisions share alike. Boundaries are whole numbers at least `NARROWEST` apart: where the ratings
stand closer than that, they are moved as little as possible (least squares).
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core.guards import number
from ratings.core.problems import RatingInputError
from ratings.core.rank_rules import MAX_DIVISIONS, RankRules, Tier

FEWEST = 20  # fewer players say nothing of how a club's ratings are spread
NARROWEST = 10  # rating points of the narrowest division that is proposed
TOP_SHARE = 0.02  # of the top tier, unless it is stated


@dataclass(frozen=True, slots=True)
class TierShare:
    """What a tier should hold: a share of the players, above 0 and below 1, in so many divisions."""

    name: str
    share: float
    divisions: int = 1


@dataclass(frozen=True, slots=True)
class Band:
    """What a division holds. tier counts from 0 at the bottom; division as in labels, 0 in an undivided tier."""

    tier: int
    division: int
    players: int
    share: float


def usual_shares(tiers: int) -> tuple[float, ...]:
    """Shares for so many tiers (two or more) where nobody stated any: a bell, and a narrow top tier."""
    if tiers < 2:
        raise RatingInputError("tiers", "must be two or more")
    steps = tiers - 2
    bell = [math.comb(steps, step) / 2**steps * (1.0 - TOP_SHARE) for step in range(tiers - 1)]
    return (*bell, TOP_SHARE)


def shares_of(rules: RankRules) -> tuple[TierShare, ...]:
    """The usual shares for the tiers and divisions of a table."""
    usual = usual_shares(len(rules.tiers))
    return tuple(TierShare(tier.name, share, len(tier.begins)) for tier, share in zip(rules.tiers, usual, strict=True))


def fit_tiers(ratings: Sequence[float], shares: Sequence[TierShare]) -> tuple[Tier, ...]:
    """A table of tiers that splits these ratings by these shares, bottom up; the last tier has one division.

    Raises RatingInputError for fewer than 20 ratings, and for shares that do not add up to 1 (to 0.001).
    """
    _check_shares(shares)
    if len(ratings) < FEWEST:
        raise RatingInputError("ratings", f"are too few: {len(ratings)} players, at least {FEWEST} are needed")
    found = sorted(number("ratings", rating) for rating in ratings)
    parts = [one.share / one.divisions for one in shares for _division in range(one.divisions)]
    below = [math.fsum(parts[:index]) for index in range(1, len(parts))]
    bounds = iter(_apart([_quantile(found, share) for share in below]))
    begins = [None, *bounds]
    tiers, start = [], 0
    for one in shares:
        tiers.append(Tier(one.name, tuple(begins[start : start + one.divisions])))
        start += one.divisions
    return tuple(tiers)


def spread_over(rules: RankRules, ratings: Sequence[float]) -> tuple[Band, ...]:
    """What each division would hold if everybody stood where the rating says; shares are 0 for nobody at all."""
    bounds = [begin for begin in rules.begins if begin is not None]
    counts = [0] * (len(bounds) + 1)
    for rating in ratings:
        counts[bisect_right(bounds, rating)] += 1
    total = len(ratings) or 1
    return tuple(
        Band(tier, division, count, count / total) for (tier, division), count in zip(rules.places, counts, strict=True)
    )


def _check_shares(shares: Sequence[TierShare]) -> None:
    if len(shares) < 2:
        raise RatingInputError("shares", "must name two tiers or more")
    for one in shares:
        number(f"shares[{one.name}]", one.share, 0.0, 1.0)
        if one.share <= 0.0:
            raise RatingInputError(f"shares[{one.name}]", "must be above 0")
        if one.divisions < 1:
            raise RatingInputError(f"shares[{one.name}]", "must have a division")
    if shares[-1].divisions != 1:
        raise RatingInputError(f"shares[{shares[-1].name}]", "must have one division: the top tier is undivided")
    if sum(one.divisions for one in shares) > MAX_DIVISIONS:
        raise RatingInputError("shares", f"must make at most {MAX_DIVISIONS} divisions")
    total = math.fsum(one.share for one in shares)
    if abs(total - 1.0) > 0.001:
        raise RatingInputError("shares", f"must add up to 100%, not {total:.1%}")


def _quantile(found: Sequence[float], share: float) -> float:
    """Between the last of the lower `share` of the sorted values and the first of the others."""
    count = min(max(round(share * len(found)), 1), len(found) - 1)
    return (found[count - 1] + found[count]) / 2.0


def _apart(bounds: Sequence[float]) -> list[float]:
    """Whole bounds in the same order, `NARROWEST` apart or more: the nearest by least squares, then rounded up.

    Pool adjacent violators on the bounds less the room that those before them need.
    """
    blocks: list[tuple[float, int]] = []  # mean, length
    for index, bound in enumerate(bounds):
        mean, length = bound - index * NARROWEST, 1
        while blocks and blocks[-1][0] >= mean:
            last, many = blocks.pop()
            mean, length = (last * many + mean * length) / (many + length), many + length
        blocks.append((mean, length))
    levels = [mean for mean, length in blocks for _one in range(length)]
    return [float(math.ceil(level) + index * NARROWEST) for index, level in enumerate(levels)]
