"""TrueSkill on sums of teams (Herbrich, Minka, Graepel 2006): what a result says of each team's performance.

Teams come in order of place, as mean and variance of their performance. The answer is two numbers per team, `shift`
and `shrink`: a member of weight w and variance V moves by w V shift, and V is multiplied by 1 - w^2 V shrink.
That is exact Gaussian conditioning, so the factor graph below the team sums need not be walked.
"""

import math

from ratings.core.kernels import Vector
from ratings.core.kernels.gauss import v_draw, v_win, w_draw, w_win

SWEEPS = 300
_SETTLED = 1e-11


def pair_result(gap: float, c2: float, margin: float, drawn: float) -> tuple[float, float]:
    """Two teams in closed form: (shift of the first, shrink of both); the second shifts the other way.

    `gap` is the difference of their means, `c2` the sum of their variances.
    """
    c = math.sqrt(c2)
    t = gap / c
    e = margin / c
    if drawn > 0.0:
        return v_draw(t, e) / c, w_draw(t, e) / c2
    return v_win(t, e) / c, w_win(t, e) / c2


def chain_result(
    count: int,
    mean: Vector,
    var: Vector,
    margin: Vector,
    drawn: Vector,
    shift: Vector,
    shrink: Vector,
    work: Vector,
) -> None:
    """Three and more teams: messages along the chain of neighbours until they settle.

    `mean`, `var`: per team in order of place; the means are moved to start at 0. `margin`, `drawn` (1 or 0): per
    pair of neighbours. `shift` and `shrink` are written. `work` is scratch of 4 * count numbers: precision and
    precision times mean of the message that each team gets from the pair in which it is the lower (first half) and
    from the pair in which it is the upper (second half).
    """
    origin = mean[0]
    for i in range(count):
        mean[i] -= origin
    for i in range(4 * count):
        work[i] = 0.0
    for _ in range(SWEEPS):
        moved = 0.0
        for step in range(2 * count - 3):
            link = step if step < count - 1 else 2 * count - 4 - step
            moved = max(moved, chain_link(link, count, mean, var, margin[link], drawn[link], work))
        if moved < _SETTLED:
            break
    for i in range(count):
        pi = work[2 * i] + work[2 * count + 2 * i]
        tau = work[2 * i + 1] + work[2 * count + 2 * i + 1]
        shift[i] = (tau - pi * mean[i]) / (1.0 + pi * var[i])
        shrink[i] = pi / (1.0 + pi * var[i])


def chain_link(link: int, count: int, mean: Vector, var: Vector, margin: float, drawn: float, work: Vector) -> float:
    """One pair of neighbours sends to both of its teams; returns how far a message moved, in deviations."""
    below = 2 * count
    a = 2 * link
    b = below + 2 * (link + 1)
    var_a = 1.0 / (1.0 / var[link] + work[a])
    var_b = 1.0 / (1.0 / var[link + 1] + work[b])
    mean_a = (mean[link] / var[link] + work[a + 1]) * var_a
    mean_b = (mean[link + 1] / var[link + 1] + work[b + 1]) * var_b
    c2 = var_a + var_b
    c = math.sqrt(c2)
    gap = mean_a - mean_b
    v_over_c, w_over_c2 = pair_result(gap, c2, margin, drawn)
    w = w_over_c2 * c2
    left = c2 - w * c2
    pull = c2 * v_over_c + gap * w
    to_a = below + a
    to_b = 2 * (link + 1)
    moved = send(work, to_a, w / (left + w * var_b), (pull + w * mean_b) / (left + w * var_b), c)
    return max(moved, send(work, to_b, w / (left + w * var_a), (w * mean_a - pull) / (left + w * var_a), c))


def send(work: Vector, place: int, pi: float, tau: float, c: float) -> float:
    """Store a message; returns by how much it differs from the one before, without unit."""
    moved = abs(pi - work[place]) * c * c + abs(tau - work[place + 1]) * c
    work[place] = pi
    work[place + 1] = tau
    return moved
