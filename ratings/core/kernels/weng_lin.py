"""The five models of Weng and Lin (2011), "A Bayesian approximation method for online ranking".

Every model answers with `shift` and `shrink` per team, as TrueSkill's kernel does: a member of weight w and variance
V moves by w V shift, and V is multiplied by max(1 - w^2 V shrink, kappa). In the paper's letters shift is
Omega / sigma_team^2 and shrink is Delta / sigma_team^2, with gamma = sigma_team / c.
"""

import math

from ratings.core.kernels import Vector
from ratings.core.kernels.gauss import v_draw, v_win, w_draw, w_win
from ratings.core.kernels.logistic import curve

PLACKETT_LUCE = 0
BRADLEY_TERRY_FULL = 1
BRADLEY_TERRY_PART = 2
THURSTONE_MOSTELLER_FULL = 3
THURSTONE_MOSTELLER_PART = 4


def bradley_terry_pair(gap: float, c: float, gamma: float, score: float, draw_nu: float) -> tuple[float, float]:
    """One comparison under Bradley-Terry: (shift, shrink). `score` is 1, 0.5 or 0."""
    expected, variance = curve(gap / c, draw_nu)
    return (score - expected) / c, gamma * variance / (c * c)


def thurstone_mosteller_pair(gap: float, c: float, gamma: float, score: float, epsilon: float) -> tuple[float, float]:
    """One comparison under Thurstone-Mosteller: (shift, shrink). Draws are differences within epsilon."""
    x = gap / c
    e = epsilon / c
    if score == 0.5:
        return v_draw(x, e) / c, gamma * w_draw(x, e) / (c * c)
    if score > 0.5:
        return v_win(x, e) / c, gamma * w_win(x, e) / (c * c)
    return -v_win(-x, e) / c, gamma * w_win(-x, e) / (c * c)


def score_of(place: float, other: float) -> float:
    """1, 0.5 or 0 for a place against another; lower is better."""
    if place < other:
        return 1.0
    return 0.5 if place == other else 0.0


def pairwise(
    model: int,
    count: int,
    mean: Vector,
    var: Vector,
    place: Vector,
    beta: float,
    draw: float,
    window: int,
    shift: Vector,
    shrink: Vector,
) -> None:
    """Full pairing compares with everybody; part pairing takes the mean over `window` neighbours on either side.

    Teams come in order of place. `draw` is Davidson's parameter for Bradley-Terry, epsilon for Thurstone-Mosteller.
    The part-paired Thurstone-Mosteller doubles c, as openskill 6.2.0 does, which is its only public reference.
    """
    part = model in (BRADLEY_TERRY_PART, THURSTONE_MOSTELLER_PART)
    for i in range(count):
        total = 0.0
        spread = 0.0
        first = max(0, i - window) if part else 0
        last = min(count, i + window + 1) if part else count
        for q in range(first, last):
            if q == i:
                continue
            c = math.sqrt(var[i] + var[q] + 2.0 * beta * beta)
            if model == THURSTONE_MOSTELLER_PART:
                c *= 2.0
            gamma = math.sqrt(var[i]) / c
            score = score_of(place[i], place[q])
            if model in (BRADLEY_TERRY_FULL, BRADLEY_TERRY_PART):
                moved, shrunk = bradley_terry_pair(mean[i] - mean[q], c, gamma, score, draw)
            else:
                moved, shrunk = thurstone_mosteller_pair(mean[i] - mean[q], c, gamma, score, draw)
            total += moved
            spread += shrunk
        compared = float(last - first - 1) if part else 1.0
        shift[i] = total / compared
        shrink[i] = spread / compared


def plackett_luce(
    count: int,
    mean: Vector,
    var: Vector,
    place: Vector,
    beta: float,
    draw_nu: float,
    shift: Vector,
    shrink: Vector,
    work: Vector,
) -> None:
    """Each team is chosen first among those not placed better; tied teams share their choice equally.

    For two teams this is Bradley-Terry, and can have Davidson's draws. `work` is scratch of 2 * count.
    """
    if count == 2:
        pairwise(BRADLEY_TERRY_FULL, 2, mean, var, place, beta, draw_nu, 1, shift, shrink)
        return
    total = 0.0
    for i in range(count):
        total += var[i] + beta * beta
    c = math.sqrt(total)
    for q in range(count):
        work[q] = log_strength(q, count, mean, place, c)
        work[count + q] = 0.0
        for s in range(count):
            if place[s] == place[q]:
                work[count + q] += 1.0
    for i in range(count):
        gamma = math.sqrt(var[i]) / c
        moved, spread = luce_choices(i, count, mean, place, c, work)
        shift[i] = moved / c
        shrink[i] = gamma * spread / (c * c)


def log_strength(q: int, count: int, mean: Vector, place: Vector, c: float) -> float:
    """Logarithm of the joint strength of all teams not placed better than `q`, safe for any gap."""
    best = mean[q]
    for s in range(count):
        if place[s] >= place[q]:
            best = max(best, mean[s])
    total = 0.0
    for s in range(count):
        if place[s] >= place[q]:
            total += math.exp((mean[s] - best) / c)
    return best / c + math.log(total)


def luce_choices(i: int, count: int, mean: Vector, place: Vector, c: float, work: Vector) -> tuple[float, float]:
    """Sums over every choice in which team `i` stood: chosen or not minus its probability, and the variance."""
    moved = 0.0
    spread = 0.0
    for q in range(count):
        if place[q] > place[i]:
            continue
        p = min(1.0, math.exp(mean[i] / c - work[q]))
        moved += ((1.0 if q == i else 0.0) - p) / work[count + q]
        spread += p * (1.0 - p) / work[count + q]
    return moved, spread
