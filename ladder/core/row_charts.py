"""Geometry of charts with one row a name: a dot on a common axis, its value beside it. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ladder.core.charts import Column, shape_of, span_of, ticks

WIDE_WIDTH, NARROW_WIDTH = 860, 360
_ROW, _TOP, _BOTTOM, _SIDE = 46, 6, 30, 16
_VALUE_ROOM = 64  # a value stands right of its dot, or left of it where the sheet ends


@dataclass(frozen=True, slots=True)
class Item:
    """One row: its name, its value (None where there is none) and the series whose mark it has."""

    name: str
    value: float | None
    series: int = 0


@dataclass(frozen=True, slots=True)
class RowMark:
    """A row as drawn. at: "x,y" of the mark, empty without a value; anchor: on which side of it the value stands."""

    name: str
    name_y: str
    line_y: str
    at: str
    d: str
    series: int
    told: str
    told_x: str
    told_y: str
    anchor: str


@dataclass(frozen=True, slots=True)
class RowChart:
    """Everything the template writes out; the coordinates are inside a width x height view box."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    rows: tuple[RowMark, ...]
    columns: tuple[Column, ...]


def row_chart(
    items: Sequence[Item],
    *,
    width: int = WIDE_WIDTH,
    least: float = 0.0,
    told: Callable[[float], str] = lambda value: f"{value:g}",
    tick_told: Callable[[float], str] | None = None,
) -> RowChart:
    """Rows in the order given. The axis holds all values, not zero, and is at least `least` wide."""
    low, high = span_of([item.value for item in items], least=least)
    left, right = _SIDE, width - _SIDE
    step = (right - left) / (high - low)
    bottom = _TOP + _ROW * len(items) + 6
    marks = ticks(low, high, most=6 if width > NARROW_WIDTH else 4)
    return RowChart(
        width=width,
        height=bottom + _BOTTOM,
        left=left,
        right=right,
        bottom=bottom,
        rows=tuple(
            _row(number, item, left + ((item.value or low) - low) * step, right, told)
            for number, item in enumerate(items)
        ),
        columns=tuple(_column(left + (value - low) * step, tick_told or told, value, left, right) for value in marks),
    )


def _column(x: float, told: Callable[[float], str], value: float, left: int, right: int) -> Column:
    anchor = "start" if x - left < 20 else "end" if right - x < 20 else "middle"
    return Column(f"{x:.1f}", told(value), anchor)


def _row(number: int, item: Item, x: float, right: int, told: Callable[[float], str]) -> RowMark:
    top = _TOP + _ROW * number
    line = top + 31
    is_late = x + _VALUE_ROOM > right
    return RowMark(
        name=item.name,
        name_y=f"{top + 16}",
        line_y=f"{line}",
        at="" if item.value is None else f"{x:.1f},{line}",
        d=shape_of(item.series),
        series=item.series,
        told="" if item.value is None else told(item.value),
        told_x=f"{x - 12 if is_late else x + 12:.1f}",
        told_y=f"{line + 5}",
        anchor="end" if is_late else "start",
    )
