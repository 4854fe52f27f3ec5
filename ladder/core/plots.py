"""Geometry of the rank history plot: a step line over tier bands, broken where a season begins anew.

Pure: takes positions (division index x 100 + points), gives coordinates as ready text for an SVG template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

MOST_POINTS = 400
_TOP = 10
_BOTTOM = 34
_ROOM = 40
_DATE, _YEAR, _GAP = 43.0, 35.0, 8.0  # how wide a day and month are, what a year adds, and the least gap


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper of a plot. left, right: room beside the axes; tick: the least distance of two dates."""

    width: int
    height: int
    left: int
    right: int
    tick: float


WIDE = Sheet(width=860, height=260, left=84, right=14, tick=74.0)
NARROW = Sheet(width=360, height=240, left=66, right=10, tick=62.0)


@dataclass(frozen=True, slots=True)
class RankPoint:
    """The rank right after one event. label: the rank in words; points: inside its division."""

    at: datetime
    position: int
    label: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """The points of one season, or of the part of it from a reset on, in order; name: what begins with it."""

    name: str
    points: tuple[RankPoint, ...]


@dataclass(frozen=True, slots=True)
class TierBand:
    """A tier as a range of positions, [low, high); high None for the uncapped one. tier counts from 0."""

    name: str
    tier: int
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class DrawnBand:
    """A tier's stripe across the plot and its name at the left edge."""

    name: str
    tier: int
    y: str
    height: str
    label_y: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the time axis. anchor: SVG text-anchor; has_year: whether its date is told with the year."""

    x: str
    at: datetime
    anchor: str
    has_year: bool = False


@dataclass(frozen=True, slots=True)
class Peak:
    """The mark of the highest rank of the season shown, and where its name stands."""

    x: str
    y: str
    name_x: str
    name_y: str
    anchor: str


@dataclass(frozen=True, slots=True)
class SeasonBreak:
    """Where a season ends and the next begins, or where a rank was reset; the name is what begins."""

    x: str
    label_x: str
    name: str


@dataclass(frozen=True, slots=True)
class StepPlot:
    """Everything the template writes out; the coordinates are inside a width x height view box.

    rules: the heights at which divisions meet inside a tier. peak: None where the last point is the highest.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    bands: tuple[DrawnBand, ...]
    rules: tuple[str, ...]
    lines: tuple[str, ...]
    breaks: tuple[SeasonBreak, ...]
    ticks: tuple[Tick, ...]
    end_x: str
    end_y: str
    peak: Peak | None = None

    @property
    def span(self) -> int:
        """The width of the drawing between its axes."""
        return self.right - self.left


def thinned(points: Sequence[RankPoint], most: int = MOST_POINTS) -> tuple[RankPoint, ...]:
    """At most `most` of the points: the first, the last, and the highest and lowest of each stretch between."""
    if len(points) <= most:
        return tuple(points)
    buckets = max(1, (most - 2) // 2)
    inner = points[1:-1]
    kept: list[RankPoint] = [points[0]]
    for bucket in range(buckets):
        part = range(bucket * len(inner) // buckets, (bucket + 1) * len(inner) // buckets)
        if part:
            lowest = min(part, key=lambda index: inner[index].position)
            highest = max(part, key=lambda index: inner[index].position)
            kept.extend(inner[index] for index in sorted({lowest, highest}))
    return (*kept, points[-1])


def step_plot(
    stretches: Sequence[Stretch], bands: Sequence[TierBand], sheet: Sheet = WIDE, *, latest: int = 1
) -> StepPlot | None:
    """The plot of these stretches side by side, one step a point; None when there is no point at all.

    latest: how many of the last ones are of the season shown, whose peak is marked.
    """
    first_shown = len(stretches) - latest
    parts = [(stretch, number >= first_shown) for number, stretch in enumerate(stretches) if stretch.points]
    if not parts:
        return None
    drawn = [stretch for stretch, _is_shown in parts]
    scale = _Scale(sheet.height, *_range(drawn))
    columns = sum(len(stretch.points) for stretch in drawn) + len(drawn) - 1
    step = (sheet.width - sheet.left - sheet.right) / max(columns, 1)
    lines: list[str] = []
    breaks: list[SeasonBreak] = []
    places: list[tuple[float, RankPoint]] = []
    shown: list[tuple[float, RankPoint]] = []
    x = float(sheet.left)
    for number, (stretch, is_shown) in enumerate(parts):
        if number:
            breaks.append(SeasonBreak(x=f"{x + step / 2:.1f}", label_x=f"{x + step / 2 + 6:.1f}", name=stretch.name))
            x += step
        lines.append(_path(stretch.points, x, step, scale))
        places.extend((x + step * index, point) for index, point in enumerate(stretch.points))
        if is_shown:
            shown += [(x + step * (index + 1), point) for index, point in enumerate(stretch.points)]
        x += step * len(stretch.points)
    return StepPlot(
        width=sheet.width,
        height=sheet.height,
        left=sheet.left,
        right=sheet.width - sheet.right,
        top=_TOP,
        bottom=sheet.height - _BOTTOM,
        bands=_bands(bands, scale),
        rules=tuple(f"{scale.y(at):.1f}" for at in _division_edges(bands, scale)),
        lines=tuple(lines),
        breaks=tuple(breaks),
        ticks=_ticks(places, sheet),
        end_x=f"{x:.1f}",
        end_y=f"{scale.y(drawn[-1].points[-1].position):.1f}",
        peak=_peak(shown, scale, sheet),
    )


def _range(stretches: Sequence[Stretch]) -> tuple[int, int]:
    positions = [point.position for stretch in stretches for point in stretch.points]
    low, high = min(positions) - _ROOM, max(positions) + _ROOM
    missing = max(0, 240 - (high - low))
    return max(low - missing // 2, 0 if min(positions) >= 0 else low), high + missing - missing // 2


@dataclass(frozen=True, slots=True)
class _Scale:
    """Positions from low to high over the height of the sheet."""

    height: int
    low: int
    high: int

    def y(self, position: int) -> float:
        return _TOP + (self.height - _TOP - _BOTTOM) * (self.high - position) / (self.high - self.low)


def _path(points: Sequence[RankPoint], x: float, step: float, scale: _Scale) -> str:
    parts = [f"M{x:.1f} {scale.y(points[0].position):.1f}"]
    for number, point in enumerate(points):
        if number:
            parts.append(f"V{scale.y(point.position):.1f}")
        parts.append(f"H{x + step * (number + 1):.1f}")
    return "".join(parts)


def _bands(bands: Sequence[TierBand], scale: _Scale) -> tuple[DrawnBand, ...]:
    drawn = []
    for band in bands:
        bottom = max(band.low, scale.low) if band.low > 0 else scale.low
        top = min(band.high, scale.high) if band.high is not None else scale.high
        if bottom >= top:
            continue
        upper, lower = scale.y(top), scale.y(bottom)
        drawn.append(
            DrawnBand(
                name=band.name if lower - upper >= 14 else "",
                tier=band.tier,
                y=f"{upper:.1f}",
                height=f"{lower - upper:.1f}",
                label_y=f"{(upper + lower) / 2 + 4:.1f}",
            )
        )
    return tuple(drawn)


def _peak(shown: Sequence[tuple[float, RankPoint]], scale: _Scale, sheet: Sheet) -> Peak | None:
    """The highest of these points, the first of equal ones; None when that is the last of all."""
    if not shown:
        return None
    x, point = max(shown, key=lambda place: place[1].position)
    if point.position == shown[-1][1].position:
        return None
    y = scale.y(point.position)
    is_low, room = y - _TOP < 16, 24
    right = sheet.width - sheet.right
    anchor = "start" if x - sheet.left < room else "end" if right - x < room else "middle"
    return Peak(f"{x:.1f}", f"{y:.1f}", f"{x:.1f}", f"{y + 20 if is_low else y - 9:.1f}", anchor)


def _division_edges(bands: Sequence[TierBand], scale: _Scale) -> list[int]:
    """Where divisions meet: every hundred inside the capped tiers, and the foot of the uncapped one."""
    end = max((band.low for band in bands), default=0)
    return [at for at in range(0, end + 1, 100) if scale.low < at < scale.high]


def _ticks(places: Sequence[tuple[float, RankPoint]], sheet: Sheet) -> tuple[Tick, ...]:
    """The first and last day, and each new month between that has room for its date.

    The first date has its year, and each after that in another one than the date before it.
    """
    (x, first), last = places[0], places[-1][1]
    ticks = [Tick(f"{x:.1f}", first.at, "start", has_year=True)]
    right = float(sheet.width - sheet.right)
    end = Tick(f"{right:.1f}", last.at, "end", has_year=True)
    for (_x, earlier), (x, later) in pairwise(places[:-1]):
        if (earlier.at.year, earlier.at.month) != (later.at.year, later.at.month):
            tick = Tick(f"{x:.1f}", later.at, "middle", has_year=later.at.year != ticks[-1].at.year)
            if _fits(ticks[-1], tick, sheet.tick) and _fits(tick, end, sheet.tick):
                ticks.append(tick)
    end = Tick(end.x, end.at, end.anchor, has_year=last.at.year != ticks[-1].at.year)
    if last.at.date() != first.at.date() and _fits(ticks[-1], end, sheet.tick):
        ticks.append(end)
    return tuple(ticks)


def _fits(earlier: Tick, later: Tick, apart: float) -> bool:
    """Whether two dates stand at their distance and neither is written into the other."""
    is_apart = float(later.x) - float(earlier.x) >= apart
    return is_apart and _written(later)[0] - _written(earlier)[1] >= _GAP


def _written(tick: Tick) -> tuple[float, float]:
    """From where to where a date is written."""
    width = _DATE + (_YEAR if tick.has_year else 0.0)
    begin = float(tick.x) - {"start": 0.0, "middle": width / 2, "end": width}[tick.anchor]
    return begin, begin + width


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rank history says in one line.

    kind: "climbed", "fell", "held" or "new"; divisions: whole divisions between the first and the last rank;
    since: the time of the first rank; points: the signed change where it is less than a division.
    """

    kind: str
    divisions: int
    points: int
    since: datetime | None


def finding(points: Sequence[RankPoint], *, uncapped_from: int | None = None) -> Finding:
    """What happened between the first and the last of these points.

    uncapped_from: the position at which the undivided top tier begins; all of it counts as one division.
    """
    if len(points) < 2:
        return Finding(kind="new", divisions=0, points=0, since=points[0].at if points else None)
    change = points[-1].position - points[0].position
    first, last = (
        (point.position if uncapped_from is None else min(point.position, uncapped_from)) // 100
        for point in (points[0], points[-1])
    )
    divisions = last - first
    since = points[0].at
    if divisions == 0 or (divisions > 0) != (change > 0):
        return Finding(kind="held", divisions=0, points=change, since=since)
    kind = "climbed" if divisions > 0 else "fell"
    return Finding(kind=kind, divisions=abs(divisions), points=change, since=since)
