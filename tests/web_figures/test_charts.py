"""Charts as geometry: everything inside the sheet, round values beside it, labels that do not run into each other."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.core.charts import (
    NARROW,
    SERIES,
    WIDE,
    Area,
    Bars,
    Level,
    Line,
    Paper,
    Sign,
    Spec,
    draw,
    shape_of,
    span_of,
    ticks,
)

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))


def numbers(d: str) -> list[float]:
    """Every number of a path."""
    return [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", d)]


@given(NUMBERS, st.floats(1e-3, 1e6), st.integers(2, 9))
def test_ticks_are_few_inside_and_evenly_spaced(low: float, width: float, most: int) -> None:
    found = ticks(low, low + width, most)

    assert len(found) <= most
    assert all(low - 1e-6 * width <= value <= low + width + 1e-6 * width for value in found)
    steps = {round((later - earlier) / width, 6) for earlier, later in pairwise(found)}
    assert len(steps) <= 1


def test_ticks_are_round() -> None:
    assert ticks(1187.0, 1813.0) == (1200.0, 1400.0, 1600.0, 1800.0)
    assert ticks(-61.0, 60.0) == (-50.0, 0.0, 50.0)
    assert ticks(1050.0, 1880.0) == (1250.0, 1500.0, 1750.0)
    assert ticks(0.0, 1.0, 6) == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@given(st.lists(st.one_of(st.none(), NUMBERS), max_size=20))
def test_a_span_holds_every_value_with_room_around(values: list[float | None]) -> None:
    low, high = span_of(values, least=10.0)

    assert high - low >= 10.0
    assert all(low <= value <= high for value in values if value is not None)


@pytest.mark.parametrize("paper", [WIDE, NARROW])
@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_everything_drawn_stays_on_the_sheet(paper: Paper, values: list[float]) -> None:
    points = [(float(x), y) for x, y in enumerate(values)]
    spec = Spec(
        x=(-0.5, len(values) - 0.5),
        y=span_of(values, around=[0.0]),
        names=[(x, str(x)) for x, _y in points],
        lines=[Line(points, is_marked=True)],
        areas=[Area([(x, y, y) for x, y in points])],
        bars=[Bars(points, width=0.8)],
    )

    chart = draw(spec, paper)

    for line in (*chart.lines, *chart.areas):
        pairs = numbers(line.d.replace("h0.1", ""))
        assert all(paper.left - 0.1 <= x <= chart.right + 0.1 for x in pairs[0::2])
        assert all(paper.top - 0.1 <= y <= chart.bottom + 0.1 for y in pairs[1::2])
    for box in chart.bars:
        assert paper.left - 0.1 <= float(box.x) <= float(box.x) + float(box.width) <= chart.right + 0.1
        assert paper.top - 0.1 <= float(box.y) <= float(box.y) + float(box.height) <= chart.bottom + 0.1


def test_higher_values_stand_higher_and_later_ones_further_right() -> None:
    chart = draw(Spec(x=(0, 2), y=(0, 10), lines=[Line([(0, 1.0), (1, 9.0), (2, 5.0)])]))

    x_first, y_first, x_second, y_second, _x, _y = numbers(chart.lines[0].d)
    assert x_second > x_first
    assert y_second < y_first


def test_a_missing_value_breaks_the_line_and_a_lonely_point_shows() -> None:
    chart = draw(Spec(x=(0, 4), y=(0, 10), lines=[Line([(0, 1.0), (1, 2.0), (2, None), (3, 4.0)])]))

    assert len(chart.lines) == 2
    assert chart.lines[1].d.endswith("h0.1")


def test_bars_begin_at_zero_on_both_sides_of_it() -> None:
    chart = draw(Spec(x=(0, 2), y=(-10, 10), bars=[Bars([(0.5, 5.0), (1.5, -5.0)], width=1)]))

    up, down = chart.bars
    zero = next(float(row.y) for row in chart.rows if row.is_zero)
    assert float(up.y) + float(up.height) == pytest.approx(zero)
    assert float(down.y) == pytest.approx(zero)


@pytest.mark.parametrize("paper", [WIDE, NARROW])
@given(st.integers(1, 200))
def test_labels_across_do_not_run_into_each_other(paper: Paper, count: int) -> None:
    names = [(float(x), f"{x} Mar") for x in range(count)]

    chart = draw(Spec(x=(-0.5, count - 0.5), y=(0, 1), names=names), paper)

    places = [float(column.x) for column in chart.columns]
    assert places
    assert all(later - earlier >= paper.apart * 0.89 for earlier, later in pairwise(places))


def test_the_last_label_stands_where_there_is_room_for_it() -> None:
    chart = draw(Spec(x=(0, 51), y=(0, 1), names=[(float(x), str(x)) for x in range(52)]))

    assert chart.columns[0].name == "0"
    assert chart.columns[-1].name == "51"
    assert chart.columns[-1].anchor == "end"


def test_levels_and_signs_carry_their_names() -> None:
    chart = draw(
        Spec(x=(0, 10), y=(-60, 60), levels=[Level(50, "warning")], signs=[Sign(1, "Spring"), Sign(9.9, "Late")])
    )

    assert chart.levels[0].name == "warning"
    assert [(sign.name, sign.anchor) for sign in chart.signs] == [("Spring", "start"), ("Late", "end")]


def test_signs_too_near_to_another_keep_their_line_and_lose_their_name() -> None:
    chart = draw(Spec(x=(0, 100), y=(0, 1), signs=[Sign(10, "one"), Sign(11, "two"), Sign(60, "three")]))

    assert [sign.name for sign in chart.signs] == ["one", "", "three"]


def test_series_differ_in_their_marks() -> None:
    assert len({shape_of(series) for series in range(SERIES)}) == SERIES
