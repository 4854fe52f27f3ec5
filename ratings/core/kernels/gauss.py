"""The normal curve and the truncated Gaussians of TrueSkill and Thurstone-Mosteller, exact into the far tails.

`t` is the difference of two sides in units of its standard deviation, `e` the draw margin in the same unit.
Beyond five deviations everything is worked out from Mills' ratio by Laplace's continued fraction, in which the
density cancels, so that nothing under- or overflows.
"""

import math

_SQRT2 = math.sqrt(2.0)
_SQRT_HALF_PI = math.sqrt(0.5 * math.pi)
_TAIL = 5.0
_TERMS = 60
_NO_MARGIN = 1e-6  # below it a draw is the limit of a vanishing margin; the error is of second order


def cdf(x: float) -> float:
    """The normal distribution function."""
    return 0.5 * math.erfc(-x / _SQRT2)


def tail_excess(z: float) -> float:
    """K(z) for z >= 5, with density / tail = z + K: the continued fraction 1/(z + 2/(z + 3/(z + ...)))."""
    k = 0.0
    for term in range(_TERMS, 0, -1):
        k = term / (z + k)
    return k


def mills(z: float) -> float:
    """Tail above z divided by the density at z."""
    if z > _TAIL:
        return 1.0 / (z + tail_excess(z))
    return _SQRT_HALF_PI * math.erfc(z / _SQRT2) * math.exp(0.5 * z * z)


def v_win(t: float, e: float) -> float:
    """Mean shift of a Gaussian known to exceed the margin: density / distribution at t - e."""
    x = t - e
    if x < -_TAIL:
        return -x + tail_excess(-x)
    return math.exp(-0.5 * x * x) / (_SQRT_HALF_PI * math.erfc(-x / _SQRT2))


def w_win(t: float, e: float) -> float:
    """Share of the variance that the same knowledge removes: v (v + t - e)."""
    x = t - e
    if x < -_TAIL:
        k = tail_excess(-x)
        return (k - x) * k
    v = math.exp(-0.5 * x * x) / (_SQRT_HALF_PI * math.erfc(-x / _SQRT2))
    return v * (v + x)


def draw_mass(z: float, far: float, ratio: float) -> float:
    """Probability between -far and -z divided by the density at z; `ratio` is density(far) / density(z)."""
    if z > -_TAIL:
        return mills(z) - ratio * mills(far)
    return _SQRT_HALF_PI * (math.erfc(z / _SQRT2) - math.erfc(far / _SQRT2)) * math.exp(min(0.5 * z * z, 700.0))


def v_draw(t: float, e: float) -> float:
    """Mean shift of a Gaussian known to lie within the margin."""
    if e < _NO_MARGIN:
        return -t
    size = abs(t)
    z = size - e
    far = size + e
    if z < -37.0:
        return 0.0
    ratio = math.exp(-2.0 * size * e)
    shift = (1.0 - ratio) / draw_mass(z, far, ratio)
    return -shift if t > 0.0 else shift


def w_draw(t: float, e: float) -> float:
    """Share of the variance that the same knowledge removes."""
    if e < _NO_MARGIN:
        return 1.0
    size = abs(t)
    z = size - e
    far = size + e
    if z < -37.0:
        return 0.0
    ratio = math.exp(-2.0 * size * e)
    mass = draw_mass(z, far, ratio)
    shift = (1.0 - ratio) / mass
    share = shift * shift + (far * ratio - z) / mass
    return min(max(share, 0.0), 1.0)


def win_expectation(t: float, e: float) -> float:
    """Expected score: win plus half a draw."""
    if e == 0.0:
        return cdf(t)
    return 0.5 * (cdf(t - e) + cdf(t + e))
