"""Figures in words, rows with dots, and tables to take away."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from ladder.core.row_charts import NARROW_WIDTH, WIDE_WIDTH, Item, row_chart
from ladder.models import Player
from ladder.selectors.rating_words import bound, engine_name, engine_use, parameter_value, range_words, schema_of
from ladder.views.downloads import csv_file
from ratings.core.registry import engine_names
from tests.ladder.world import World
from tests.reports.steps import ELO, replayed, some_history
from tests.web_figures.test_model_pages import path
from tests.web_record.stage import signed_in

VALUES = st.floats(0.0, 5.0).map(lambda value: round(value, 4))


def written(filter_name: str, value: object) -> str:
    return Template("{% load figures %}{{ value|" + filter_name + " }}").render(Context({"value": value}))


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("points", 1512.4, "1512"),
        ("points", -3.44, "−3.4"),
        ("points_signed", 3.44, "+3.4"),
        ("points_signed", -12.2, "−12"),
        ("points_signed", -0.04, "±0"),
        ("points_only", -12.2, "12"),
        ("share", 0.483, "48%"),
        ("share", 0.0731, "7.3%"),
        ("share", 0.0, "0%"),
        ("loss", 0.69314, "0.6931"),
        ("seconds", 41.7, "42 s"),
        ("seconds", 200.0, "3:20"),
        ("points", None, "–"),
        ("seconds", "", "–"),
    ],
)
def test_a_figure_has_the_decimals_that_mean_something(name: str, value: object, text: str) -> None:
    assert written(name, value) == text


@pytest.mark.parametrize("algorithm", engine_names())
def test_every_engine_and_parameter_has_words(algorithm: str) -> None:
    assert engine_name(algorithm) != algorithm
    assert engine_use(algorithm)
    for info in schema_of(algorithm).values():
        assert info.description.endswith(".")
        assert parameter_value(info.default) in range_words(info)


@pytest.mark.parametrize(("value", "text"), [(1e-6, "0.000001"), (-400.0, "−400"), (1e6, "1000000"), (None, "")])
def test_the_end_of_a_range_is_a_plain_number(value: float | None, text: str) -> None:
    assert bound(value) == text


@pytest.mark.parametrize("width", [WIDE_WIDTH, NARROW_WIDTH])
@given(st.lists(st.one_of(st.none(), VALUES), min_size=1, max_size=12))
def test_rows_stay_on_the_sheet_in_their_order_and_hold_their_values(width: int, values: list[float | None]) -> None:
    items = [Item(f"model {number}", value, number) for number, value in enumerate(values)]

    chart = row_chart(items, width=width, least=0.01, told=lambda value: f"{value:.4f}")

    assert [row.name for row in chart.rows] == [item.name for item in items]
    assert all(float(later.line_y) > float(earlier.line_y) for earlier, later in pairwise(chart.rows))
    for row, value in zip(chart.rows, values, strict=True):
        assert row.told == ("" if value is None else f"{value:.4f}")
        if row.at:
            x, y = map(float, row.at.split(","))
            assert chart.left <= x <= chart.right
            assert 0.0 < y < chart.bottom < chart.height


@given(VALUES, VALUES)
def test_the_lower_of_two_stands_further_left(one: float, other: float) -> None:
    first, second = row_chart([Item("a", one), Item("b", other)]).rows

    x_first, x_second = (float(row.at.split(",")[0]) for row in (first, second))
    assert (x_first < x_second) == (one < other) or abs(one - other) < 0.01


def test_a_file_keeps_decimals_and_leaves_what_is_missing_empty() -> None:
    answer = csv_file([("name", "value"), ("a", 0.1234567891), ("b", None), ("c", -3)], "x.csv")

    assert list(csv.reader(io.StringIO(answer.content.decode()))) == [
        ["name", "value"],
        ["a", "0.1234567891"],
        ["b", ""],
        ["c", "-3"],
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)"])
def test_a_name_that_a_spreadsheet_would_run_is_marked_as_text(world: World, name: str) -> None:
    Player.objects.filter(pk=world.alice.pk).update(display_name=name)
    some_history(world, matches=20)
    report = replayed(world, ELO)

    text = signed_in(world.olga).get(path("desk_report_standings", report.pk)).content.decode()

    rows = list(csv.DictReader(io.StringIO(text)))
    assert f"'{name}" in {row["name"] for row in rows}
    assert all(float(row["rating"]) for row in rows)
