"""Geometry of the rank history plot: a step line over tier bands, broken where a season begins anew.

Pure: takes positions (division index x 100 + points), gives coordinates as ready text for an SVG template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

WIDTH = 860
HEIGHT = 260
_LEFT = 84
_RIGHT = 14
_TOP = 10
_BOTTOM = 34
_ROOM = 40
_MOST_POINTS = 400
_TICK_ROOM = 74.0


@dataclass(frozen=True, slots=True)
class RankPoint:
    """The rank right after one event. label: the rank in words."""

    at: datetime
    position: int
    label: str


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
    name: str


@dataclass(frozen=True, slots=True)
class StepPlot:
    """Everything the template writes out; the coordinates are inside a width x height view box."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    bands: tuple[DrawnBand, ...]
    lines: tuple[str, ...]
    breaks: tuple[SeasonBreak, ...]
    ticks: tuple[Tick, ...]
    end_x: str
    end_y: str


def thinned(points: Sequence[RankPoint], most: int = _MOST_POINTS) -> tuple[RankPoint, ...]:
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


def step_plot(stretches: Sequence[Stretch], bands: Sequence[TierBand]) -> StepPlot | None:
    """The plot of these seasons side by side, one step a point; None when there is no point at all."""
    drawn = [stretch for stretch in stretches if stretch.points]
    if not drawn:
        return None
    low, high = _range(drawn)
    columns = sum(len(stretch.points) for stretch in drawn) + len(drawn) - 1
    step = (WIDTH - _LEFT - _RIGHT) / max(columns, 1)
    lines: list[str] = []
    breaks: list[SeasonBreak] = []
    places: list[tuple[float, RankPoint]] = []
    x = float(_LEFT)
    for number, stretch in enumerate(drawn):
        if number:
            breaks.append(SeasonBreak(x=f"{x + step / 2:.1f}", name=stretch.name))
            x += step
        lines.append(_path(stretch.points, x, step, low, high))
        places.extend((x + step * index, point) for index, point in enumerate(stretch.points))
        x += step * len(stretch.points)
    return StepPlot(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=WIDTH - _RIGHT,
        top=_TOP,
        bottom=HEIGHT - _BOTTOM,
        bands=_bands(bands, low, high),
        lines=tuple(lines),
        breaks=tuple(breaks),
        ticks=_ticks(places),
        end_x=f"{x:.1f}",
        end_y=f"{_y(drawn[-1].points[-1].position, low, high):.1f}",
    )


def _range(stretches: Sequence[Stretch]) -> tuple[int, int]:
    positions = [point.position for stretch in stretches for point in stretch.points]
    low, high = min(positions) - _ROOM, max(positions) + _ROOM
    missing = max(0, 240 - (high - low))
    return max(low - missing // 2, 0 if min(positions) >= 0 else low), high + missing - missing // 2


def _y(position: int, low: int, high: int) -> float:
    inside = HEIGHT - _TOP - _BOTTOM
    return _TOP + inside * (high - position) / (high - low)


def _path(points: Sequence[RankPoint], x: float, step: float, low: int, high: int) -> str:
    parts = [f"M{x:.1f} {_y(points[0].position, low, high):.1f}"]
    for number, point in enumerate(points):
        if number:
            parts.append(f"V{_y(point.position, low, high):.1f}")
        parts.append(f"H{x + step * (number + 1):.1f}")
    return "".join(parts)


def _bands(bands: Sequence[TierBand], low: int, high: int) -> tuple[DrawnBand, ...]:
    drawn = []
    for band in bands:
        bottom = max(band.low, low) if band.low > 0 else low
        top = min(band.high, high) if band.high is not None else high
        if bottom >= top:
            continue
        upper, lower = _y(top, low, high), _y(bottom, low, high)
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


def _ticks(places: Sequence[tuple[float, RankPoint]]) -> tuple[Tick, ...]:
    """The first and last day, and each new month between that has room for its name."""
    first, last = places[0], places[-1]
    ticks = [Tick(x=f"{first[0]:.1f}", at=first[1].at, anchor="start")]
    if len(places) == 1:
        return tuple(ticks)
    right_end = float(WIDTH - _RIGHT)
    reached = first[0]
    for (_x, earlier), (x, later) in pairwise(places[:-1]):
        is_new_month = (earlier.at.year, earlier.at.month) != (later.at.year, later.at.month)
        if is_new_month and x - reached >= _TICK_ROOM and right_end - x >= _TICK_ROOM:
            ticks.append(Tick(x=f"{x:.1f}", at=later.at, anchor="middle"))
            reached = x
    if last[1].at.date() != first[1].at.date() and right_end - reached >= _TICK_ROOM:
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
