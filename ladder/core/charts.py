"""Geometry of charts: lines, bands, bars and dots over two axes. Pure: numbers in, coordinates as ready text out.

A chart is drawn twice, on wide paper and on narrow. Series are told apart by a number, from which the stylesheet takes
colour, dashes and the shape of the mark together, so that none of them stands alone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Point = tuple[float, float | None]
Label = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Paper:
    """The sheet: its size, the room beside the axes, and the least distance between two labels across."""

    width: int
    height: int
    left: int
    right: int
    apart: float
    top: int = 12
    bottom: int = 30


WIDE = Paper(width=860, height=260, left=56, right=16, apart=78.0)
NARROW = Paper(width=360, height=230, left=46, right=12, apart=64.0)
WIDE_SQUARE = Paper(width=420, height=360, left=52, right=16, apart=40.0, bottom=32)
NARROW_SQUARE = Paper(width=340, height=300, left=46, right=12, apart=36.0, bottom=32)


@dataclass(frozen=True, slots=True)
class Line:
    """A series; a point without a value breaks the line."""

    points: Sequence[Point]
    series: int = 0
    is_stepped: bool = False
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A band between two lines over the same x; (x, low, high), None breaks it."""

    points: Sequence[tuple[float, float | None, float | None]]
    series: int = 0


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from zero, `width` wide on the x axis around each x."""

    points: Sequence[Point]
    width: float
    series: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line at a value, with its name; kind is the class it is drawn by."""

    value: float
    name: str
    kind: str = "limit"


@dataclass(frozen=True, slots=True)
class Sign:
    """A vertical line where something happened, with its name."""

    at: float
    name: str


@dataclass(frozen=True, slots=True)
class Spec:
    """What to draw. x, y: the range of each axis; names: the labels of the x axis that may stand, in order."""

    y: tuple[float, float]
    x: tuple[float, float] = (0.0, 1.0)
    names: Sequence[Label] = ()
    lines: Sequence[Line] = ()
    areas: Sequence[Area] = ()
    bars: Sequence[Bars] = ()
    levels: Sequence[Level] = ()
    signs: Sequence[Sign] = ()
    diagonal: bool = False
    rows: int = 5
    told: Callable[[float], str] = field(default=lambda value: f"{value:g}".replace("-", "−"))


@dataclass(frozen=True, slots=True)
class Row:
    """A rule across the chart and the value it stands for."""

    y: str
    text_y: str
    name: str
    is_zero: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A mark of the x axis. anchor: SVG text-anchor."""

    x: str
    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Path:
    """A line or an area."""

    d: str
    series: int


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a point: its shape around the origin, and the place ("x,y") to move it to."""

    at: str
    d: str
    series: int


@dataclass(frozen=True, slots=True)
class Box:
    """A bar."""

    x: str
    y: str
    width: str
    height: str
    series: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A level or a sign: where it stands and where its name does."""

    at: str
    name_at: str
    name: str
    kind: str = ""
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything the template writes out; the coordinates are inside a width x height view box."""

    paper: Paper
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    areas: tuple[Path, ...]
    bars: tuple[Box, ...]
    lines: tuple[Path, ...]
    marks: tuple[Mark, ...]
    levels: tuple[Rule, ...]
    signs: tuple[Rule, ...]
    diagonal: str

    @property
    def right(self) -> int:
        """The right end of the drawing."""
        return self.paper.width - self.paper.right

    @property
    def bottom(self) -> int:
        """The foot of the drawing."""
        return self.paper.height - self.paper.bottom


class _Scale:
    """Values of both axes as places on the paper."""

    def __init__(self, paper: Paper, spec: Spec) -> None:
        self.paper = paper
        self.x_low, x_high = spec.x
        self.y_low, self.y_high = spec.y
        self.x_step = (paper.width - paper.left - paper.right) / ((x_high - self.x_low) or 1.0)
        self.y_step = (paper.height - paper.top - paper.bottom) / ((self.y_high - self.y_low) or 1.0)

    def x(self, value: float) -> float:
        return self.paper.left + (value - self.x_low) * self.x_step

    def y(self, value: float) -> float:
        inside = min(max(value, self.y_low), self.y_high)
        return self.paper.top + (self.y_high - inside) * self.y_step


def draw(spec: Spec, paper: Paper = WIDE) -> Chart:
    """The chart on this paper. Values beyond the y range stand at its edge."""
    scale = _Scale(paper, spec)
    return Chart(
        paper=paper,
        rows=tuple(_row(value, spec, scale) for value in ticks(*spec.y, most=spec.rows)),
        columns=_columns(spec.names, scale),
        areas=tuple(Path(d, area.series) for area in spec.areas for d in _bands(area, scale)),
        bars=tuple(box for bars in spec.bars for box in _boxes(bars, scale)),
        lines=tuple(Path(d, line.series) for line in spec.lines for d in _paths(line, scale)),
        marks=tuple(mark for line in spec.lines if line.is_marked for mark in _marks(line, scale)),
        levels=tuple(_level(level, scale) for level in spec.levels),
        signs=_signs(spec.signs, scale),
        diagonal=_diagonal(spec, scale) if spec.diagonal else "",
    )


def ticks(low: float, high: float, most: int = 5) -> tuple[float, ...]:
    """Round values between low and high, at most so many, in steps of 1, 2, 2.5 or 5 times a power of ten."""
    span = high - low
    if span <= 0.0 or most < 2:
        return (low,)
    step = _round_step(span / (most - 1))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(round(number * step, 10) + 0.0 for number in range(first, last + 1))


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= least * (1.0 - 1e-9))


def span_of(values: Sequence[float | None], *, around: Sequence[float] = (), least: float = 0.0) -> tuple[float, float]:
    """A range that holds the values and those `around`, with a little air, and is at least so wide."""
    known = [value for value in (*values, *around) if value is not None and math.isfinite(value)]
    if not known:
        return (0.0, least or 1.0)
    low, high = min(known), max(known)
    missing = max(0.0, (least or 1e-9) - (high - low)) / 2
    air = 0.06 * (high - low + 2 * missing)
    return (low - missing - air, high + missing + air)


def _row(value: float, spec: Spec, scale: _Scale) -> Row:
    y = scale.y(value)
    return Row(y=f"{y:.1f}", text_y=f"{y + 4:.1f}", name=spec.told(value), is_zero=value == 0.0)


def _columns(names: Sequence[Label], scale: _Scale) -> tuple[Column, ...]:
    """The labels that have room: the first, the last, and between them what does not run into another."""
    paper = scale.paper
    right = paper.width - paper.right
    kept: list[Column] = []
    reached = -math.inf
    for number, (value, name) in enumerate(names):
        x = scale.x(value)
        is_first, is_last = number == 0, number == len(names) - 1
        if not is_last and right - x < paper.apart * 0.9 and not is_first:
            continue
        if x - reached < paper.apart and not is_first:
            continue
        anchor = "middle"
        if x - paper.left < paper.apart / 2 and len(names) > 1:
            anchor = "start"
        elif right - x < paper.apart / 2 and len(names) > 1:
            anchor = "end"
        kept.append(Column(f"{x:.1f}", name, anchor))
        reached = x + (paper.apart / 4 if anchor == "start" else 0.0)
    return tuple(kept)


def _runs(points: Sequence[Point]) -> list[list[tuple[float, float]]]:
    """The stretches of points that have values."""
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if y is None:
            runs.append([])
        else:
            runs[-1].append((x, y))
    return [run for run in runs if run]


def _paths(line: Line, scale: _Scale) -> list[str]:
    joined = "H" if line.is_stepped else "L"
    drawn = []
    for run in _runs(line.points):
        (x, y), rest = run[0], run[1:]
        parts = [f"M{scale.x(x):.1f} {scale.y(y):.1f}"]
        for x_next, y_next in rest:
            if line.is_stepped:
                parts.append(f"{joined}{scale.x(x_next):.1f}V{scale.y(y_next):.1f}")
            else:
                parts.append(f"{joined}{scale.x(x_next):.1f} {scale.y(y_next):.1f}")
        if not rest:
            parts.append("h0.1")  # a single point shows as a dot by its round cap
        drawn.append("".join(parts))
    return drawn


def _bands(area: Area, scale: _Scale) -> list[str]:
    drawn = []
    lows = _runs([(x, low) for x, low, _high in area.points])
    highs = _runs([(x, high) for x, _low, high in area.points])
    for low, high in zip(lows, highs, strict=True):
        there = [f"{scale.x(x):.1f} {scale.y(y):.1f}" for x, y in high]
        back = [f"{scale.x(x):.1f} {scale.y(y):.1f}" for x, y in reversed(low)]
        drawn.append(f"M{'L'.join([*there, *back])}Z")
    return drawn


def _boxes(bars: Bars, scale: _Scale) -> list[Box]:
    found = []
    for x, value in bars.points:
        if value is None:
            continue
        left, right = scale.x(x - bars.width / 2), scale.x(x + bars.width / 2)
        top, foot = sorted((scale.y(value), scale.y(0.0)))
        found.append(Box(f"{left:.1f}", f"{top:.1f}", f"{right - left:.1f}", f"{foot - top:.1f}", bars.series))
    return found


SERIES = 8  # beyond that the stylesheet's colours, dashes and marks begin anew
_SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
    "M-4-4H4V4H-4Z",
    "M0-5L5 4H-5Z",
    "M0-5.5L5.5 0L0 5.5L-5.5 0Z",
    "M0 5L5-4H-5Z",
    "M-5-2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z",
    "M-5-3H5V3H-5Z",
    "M-3-5H3V5H-3Z",
)


def shape_of(series: int) -> str:
    """The mark of a series as a path around the origin: a disc, a square, a triangle and so on."""
    return _SHAPES[series % SERIES]


def _marks(line: Line, scale: _Scale) -> list[Mark]:
    return [
        Mark(f"{scale.x(x):.1f},{scale.y(y):.1f}", shape_of(line.series), line.series)
        for x, y in line.points
        if y is not None
    ]


def _level(level: Level, scale: _Scale) -> Rule:
    y = scale.y(level.value)
    is_high = y - scale.paper.top < 16
    return Rule(f"{y:.1f}", f"{y + 14 if is_high else y - 5:.1f}", level.name, level.kind)


def _signs(signs: Sequence[Sign], scale: _Scale) -> tuple[Rule, ...]:
    """Every line; the names of those that have room."""
    paper = scale.paper
    right = paper.width - paper.right
    found = []
    reached = -math.inf
    for sign in signs:
        x = scale.x(sign.at)
        has_room = x - reached >= paper.apart
        is_late = right - x < paper.apart
        found.append(
            Rule(
                f"{x:.1f}",
                f"{x - 6 if is_late else x + 6:.1f}",
                sign.name if has_room else "",
                anchor="end" if is_late else "start",
            )
        )
        reached = x if has_room else reached
    return tuple(found)


def _diagonal(spec: Spec, scale: _Scale) -> str:
    low, high = max(spec.x[0], spec.y[0]), min(spec.x[1], spec.y[1])
    return f"M{scale.x(low):.1f} {scale.y(low):.1f}L{scale.x(high):.1f} {scale.y(high):.1f}"
