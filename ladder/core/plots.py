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
    """The points of one season, in order."""

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
    """A mark of the time axis. anchor: SVG text-anchor."""

    x: str
    at: datetime
    anchor: str


@dataclass(frozen=True, slots=True)
class SeasonBreak:
    """Where a season ends and the next begins; the name is the one that begins."""

    x: str
    label_x: str
    name: str


@dataclass(frozen=True, slots=True)
class StepPlot:
    """Everything the template writes out; the coordinates are inside a width x height view box.

    rules: the heights at which divisions meet inside a tier.
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


def step_plot(stretches: Sequence[Stretch], bands: Sequence[TierBand], sheet: Sheet = WIDE) -> StepPlot | None:
    """The plot of these seasons side by side, one step a point; None when there is no point at all."""
    drawn = [stretch for stretch in stretches if stretch.points]
    if not drawn:
        return None
    scale = _Scale(sheet.height, *_range(drawn))
    columns = sum(len(stretch.points) for stretch in drawn) + len(drawn) - 1
    step = (sheet.width - sheet.left - sheet.right) / max(columns, 1)
    lines: list[str] = []
    breaks: list[SeasonBreak] = []
    places: list[tuple[float, RankPoint]] = []
    x = float(sheet.left)
    for number, stretch in enumerate(drawn):
        if number:
            breaks.append(SeasonBreak(x=f"{x + step / 2:.1f}", label_x=f"{x + step / 2 + 6:.1f}", name=stretch.name))
            x += step
        lines.append(_path(stretch.points, x, step, scale))
        places.extend((x + step * index, point) for index, point in enumerate(stretch.points))
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


def _division_edges(bands: Sequence[TierBand], scale: _Scale) -> list[int]:
    """Where divisions meet: every hundred inside the capped tiers, and the foot of the uncapped one."""
    end = max((band.low for band in bands), default=0)
    return [at for at in range(0, end + 1, 100) if scale.low < at < scale.high]


def _ticks(places: Sequence[tuple[float, RankPoint]], sheet: Sheet) -> tuple[Tick, ...]:
    """The first and last day, and each new month between that has room for its name."""
    first, last = places[0], places[-1]
    ticks = [Tick(x=f"{first[0]:.1f}", at=first[1].at, anchor="start")]
    if len(places) == 1:
        return tuple(ticks)
    right_end = float(sheet.width - sheet.right)
    reached = first[0]
    for (_x, earlier), (x, later) in pairwise(places[:-1]):
        is_new_month = (earlier.at.year, earlier.at.month) != (later.at.year, later.at.month)
        room = sheet.tick if len(ticks) > 1 else 1.4 * sheet.tick  # the first date begins at its mark
        if is_new_month and x - reached >= room and right_end - x >= 1.4 * sheet.tick:
            ticks.append(Tick(x=f"{x:.1f}", at=later.at, anchor="middle"))
            reached = x
    if last[1].at.date() != first[1].at.date() and right_end - reached >= sheet.tick:
        ticks.append(Tick(x=f"{right_end:.1f}", at=last[1].at, anchor="end"))
    return tuple(ticks)


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
