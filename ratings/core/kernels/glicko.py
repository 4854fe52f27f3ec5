"""Glicko and Glicko-2 on the internal scale (Glickman 1999; Glickman 2013, "Example of the Glicko-2 system").

mu = (rating - 1500) / 173.7178, phi = deviation / 173.7178, sigma = volatility. A set of simultaneous games is
summed up by two numbers: information = sum of g^2 * variance of the score (which is 1/v), and
surprise = sum of g * (score - expected). Glicko is the same with sigma 0.
"""

import math

STEPS = 100
LEAST_INFORMATION = 1e-60  # from less nothing follows, and v^3 leaves the floats
_THREE_OVER_PI2 = 3.0 / (math.pi * math.pi)


def discount(phi: float) -> float:
    """g(phi): how far an uncertain opponent flattens the curve (step 3)."""
    return 1.0 / math.sqrt(1.0 + _THREE_OVER_PI2 * phi * phi)


def pull(u: float, spread: float, excess: float) -> float:
    """First term of f(x) in step 5, with u = e^x, spread = phi^2 + v and excess = delta^2 - phi^2 - v."""
    wide = spread + u
    return u * (excess - u) / (2.0 * wide * wide)


def pull_slope(u: float, spread: float, excess: float) -> float:
    """Its derivative by x."""
    wide = spread + u
    return u * (excess * spread - u * (excess + 2.0 * spread)) / (2.0 * wide * wide * wide)


def steepest(spread: float, excess: float) -> float:
    """Where `pull` climbs fastest, as u; only for excess > 0."""
    a = excess * spread
    b = excess + 2.0 * spread
    middle = a + b * spread
    return a * spread / (middle + math.sqrt(middle * middle - a * b * spread))


def valley(spread: float, excess: float, stiffness: float, top: float) -> float:
    """The u below `top` where the slope of `pull` reaches `stiffness` on its way up: f(x) has a minimum there."""
    low = math.log(2.0 * spread * spread * stiffness / excess)
    high = math.log(top)
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        if pull_slope(math.exp(middle), spread, excess) < stiffness:
            low = middle
        else:
            high = middle
    return math.exp(low)


def illinois(near: float, f_near: float, far: float, f_far: float, s2: float, spread: float, excess: float,
             stiffness: float) -> float:  # fmt: skip
    """Root of f between two points of opposite sign, as y = x - ln(sigma^2): regula falsi, Illinois variant.

    Every fourth step halves the bracket, so that the bound on the number of steps is also a promise of precision.
    """
    for step in range(STEPS):
        y = 0.5 * (near + far) if step % 4 == 3 else near + (near - far) * f_near / (f_far - f_near)
        f_y = pull(s2 * math.exp(y), spread, excess) - y * stiffness
        if abs(f_y) <= 1e-14 * stiffness or abs(far - near) <= 1e-13 * (abs(near) + abs(far)):
            return y
        if f_y * f_far <= 0.0:
            near = far
            f_near = f_far
        else:
            f_near *= 0.5
        far = y
        f_far = f_y
    return far


def next_volatility(phi: float, delta: float, v: float, sigma: float, tau: float) -> float:
    """Step 5: the root of f next to ln(sigma^2); there can be three. Not capped.

    Works with y = x - ln(sigma^2). f falls everywhere unless the slope of `pull` exceeds 1/tau^2 somewhere; then it
    falls, climbs and falls again, and the first root lies before the valley if f is negative there, else behind it.
    """
    s2 = sigma * sigma
    spread = phi * phi + v
    excess = delta * delta - spread
    stiffness = 1.0 / (tau * tau)
    f_0 = pull(s2, spread, excess)
    if f_0 == 0.0:
        return sigma
    if f_0 > 0.0 and 2.0 * excess > 27.0 * spread * stiffness:
        top = steepest(spread, excess)
        if pull_slope(top, spread, excess) > stiffness:
            y = first_of_three(s2, f_0, spread, excess, stiffness, top)
            return sigma * math.exp(0.5 * y)
    y = only_root(s2, f_0, spread, excess, stiffness)
    return sigma * math.exp(0.5 * y)


def only_root(s2: float, f_0: float, spread: float, excess: float, stiffness: float) -> float:
    """The root where f falls on the whole way to it: a step just beyond Newton's, doubled until the sign changes.

    The usual step is tiny; the bracket is then so narrow that its first chord is exact: the error of a chord is
    half the product of its distances from the ends, times f'' / f', which is about the step itself.
    """
    newton = f_0 / max(stiffness - pull_slope(s2, spread, excess), 0.5 * stiffness)
    beyond = 1e-4 + newton * newton
    reach = newton + beyond * newton
    near = 0.0
    f_near = f_0
    far = reach
    f_far = pull(s2 * math.exp(far), spread, excess) - far * stiffness
    if f_far * f_0 <= 0.0 and beyond * abs(newton * newton * newton) < 1e-15:
        return far * f_0 / (f_0 - f_far)
    for _ in range(STEPS):
        if f_far * f_0 <= 0.0:
            break
        near = far
        f_near = f_far
        reach *= 2.0
        far += reach
        f_far = pull(s2 * math.exp(far), spread, excess) - far * stiffness
    return illinois(near, f_near, far, f_far, s2, spread, excess, stiffness)


def first_of_three(s2: float, f_0: float, spread: float, excess: float, stiffness: float, top: float) -> float:
    """The root nearest to y = 0 on its right where f has a valley."""
    low = valley(spread, excess, stiffness, top)
    far = math.log(excess / s2)
    f_far = -far * stiffness
    if s2 >= low:
        return illinois(0.0, f_0, far, f_far, s2, spread, excess, stiffness)
    bottom = math.log(low / s2)
    f_bottom = pull(low, spread, excess) - bottom * stiffness
    if f_bottom <= 0.0:
        return illinois(0.0, f_0, bottom, f_bottom, s2, spread, excess, stiffness)
    return illinois(bottom, f_bottom, far, f_far, s2, spread, excess, stiffness)


def volatility_after(phi: float, sigma: float, information: float, surprise: float, tau: float) -> float:
    """Volatility after a period, from its two sums; a period without games leaves it."""
    if information < LEAST_INFORMATION:
        return sigma
    v = 1.0 / information
    return next_volatility(phi, v * surprise, v, sigma, tau)


def deviation_after(phi: float, drift2: float, information: float) -> float:
    """Steps 6 and 7: phi grows by the drift (a variance), then shrinks by the information."""
    variance = phi * phi + drift2
    return math.sqrt(variance / (1.0 + variance * information))


def field_share(teams: int) -> float:
    """Weight of one pair among `teams`: all pairs then carry the information of the order under Plackett-Luce.

    Between equals Plackett-Luce gives a team (T - H_T) / T on average, the T - 1 pairs give (T - 1) / 4.
    """
    if teams <= 2:
        return 1.0
    harmonic = 0.0
    for k in range(1, teams + 1):
        harmonic += 1.0 / k
    return 4.0 * (teams - harmonic) / (teams * (teams - 1.0))
