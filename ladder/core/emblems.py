"""The shapes of rank emblems: corners tell the tier, dots tell the division, so that no colour is needed."""

from dataclasses import dataclass
from math import cos, pi, sin

SIZE = 48.0
"""Side of the square that every emblem is drawn in, in drawing units."""

_MIDDLE = SIZE / 2
_HIGHEST_SHAPE = 5


@dataclass(frozen=True, slots=True)
class Emblem:
    """One drawing: an outline (`points` of a polygon, empty for no rank) and its dots.

    shape: "none", "triangle", "square", "pentagon", "hexagon", "octagon" or "star"; dots: centres and a radius.
    """

    shape: str
    points: str
    dots: tuple[tuple[str, str], ...]
    dot_radius: str


def _polygon(corners: int, *, radius: float, turn: float = 0.0, lift: float = 0.0, inner: float = 1.0) -> str:
    """Corners on a circle, the first at the top plus `turn` (radians); every second one at radius x `inner`."""
    points = []
    for number in range(corners):
        reach = radius * (inner if number % 2 else 1.0)
        angle = -pi / 2 + turn + 2 * pi * number / corners
        points.append(f"{_MIDDLE + reach * cos(angle):.1f},{_MIDDLE + lift + reach * sin(angle):.1f}")
    return " ".join(points)


_SHAPES = (
    ("triangle", _polygon(3, radius=24, lift=4.5), 6.5),
    ("square", _polygon(4, radius=26, turn=pi / 4), 0.0),
    ("pentagon", _polygon(5, radius=21.5, lift=1.5), 1.5),
    ("hexagon", _polygon(6, radius=21), 0.0),
    ("octagon", _polygon(8, radius=21, turn=pi / 8), 0.0),
    ("star", _polygon(16, radius=22.5, inner=0.72), 0.0),
)


def emblem(tier: int | None, division: int | None) -> Emblem:
    """The emblem of a tier (0 at the bottom) and division (1 the highest, 0 or None where the tier has none).

    tier None: nobody's rank yet. Tiers above the sixth keep the star.
    """
    if tier is None or tier < 0:
        return Emblem(shape="none", points="", dots=(), dot_radius="0")
    shape, points, drop = _SHAPES[min(tier, _HIGHEST_SHAPE)]
    if not division:
        return Emblem(shape=shape, points=points, dots=(_place(0.0, drop),), dot_radius="4.2")
    return Emblem(shape=shape, points=points, dots=_dots(division, drop), dot_radius="2.7")


def _dots(division: int, drop: float) -> tuple[tuple[str, str], ...]:
    """One to three dots in a row, four and more in rows of two, so that they can be counted at a glance."""
    if division <= 3:
        start = -(division - 1) * 4.0
        return tuple(_place(start + 8.0 * number, drop) for number in range(division))
    rows = (division + 1) // 2
    return tuple(
        _place(-4.0 + 8.0 * (number % 2), drop + (number // 2 - (rows - 1) / 2) * 8.0) for number in range(division)
    )


def _place(right: float, down: float) -> tuple[str, str]:
    return f"{_MIDDLE + right:.1f}", f"{_MIDDLE + down:.1f}"
