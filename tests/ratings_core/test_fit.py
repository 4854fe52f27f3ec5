"""Searching parameters."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratings.core.fit import AXES, Axis, Parameters, Split, axes_for, fit_report, measured_loss, search
from ratings.core.history import chunked
from ratings.core.problems import RatingInputError
from ratings.core.registry import engine_names, parameter_schema
from tests.ratings_core.histories import duels


def test_a_search_finds_the_bottom_of_a_bowl() -> None:
    def bowl(candidates: Sequence[Parameters]) -> list[float]:
        return [(one["k"] - 50) ** 2 + (one["side_advantage"] - 33) ** 2 for one in candidates]

    found = search("elo", {}, [Axis("k", ratio=1.5), Axis("side_advantage", step=40)], bowl)

    assert found.parameters["k"] == pytest.approx(50, abs=1)
    assert found.parameters["side_advantage"] == pytest.approx(33, abs=1)


def test_a_search_stays_within_the_ranges() -> None:
    def higher(candidates: Sequence[Parameters]) -> list[float]:
        return [-one["draw_probability"] for one in candidates]

    assert search("elo", {}, axes_for("elo", ["draw_probability"]), higher).parameters["draw_probability"] == 0.95


def test_every_engine_has_axes_that_are_its_own_numbers() -> None:
    assert set(AXES) == set(engine_names())
    for name, axes in AXES.items():
        assert {axis.name for axis in axes} <= {info.name for info in parameter_schema(name)}


def test_an_axis_that_is_no_number_is_refused() -> None:
    with pytest.raises(RatingInputError) as refused:
        axes_for("weng_lin", ["model"])

    assert refused.value.field == "model"


def test_fitted_parameters_predict_the_held_out_rest_better_where_there_is_something_to_find() -> None:
    chunks = list(chunked(duels(1500, 12), 100))

    def losses(candidates: Sequence[Parameters], span: tuple[int, int]) -> list[float]:
        return [measured_loss("elo", one, chunks, span, accelerate=False) for one in candidates]

    report = fit_report("elo", {"k": 200.0}, axes_for("elo", ["k"]), losses, Split(150, 900, 1500), rounds=12)

    assert report["parameters"]["k"] < 100
    assert report["held_out"]["fitted"] < report["held_out"]["start"]
    assert report["all"]["matches"] == 1350


def test_the_command_prints_parameters_and_three_losses(tmp_path: Path) -> None:
    rows = "date,team_a,team_b,score_a,score_b,result,margin,event\n" + "".join(
        f"2020-01-01,alice,bob,{1 - i % 3 // 2},0,{1 - i % 3 // 2},1,cup\n" for i in range(60)
    )
    (tmp_path / "matches.csv").write_text(rows, encoding="utf-8")
    screen = StringIO()
    options: dict[str, Any] = {"csv": tmp_path / "matches.csv", "only": "k", "rounds": 3}

    call_command("fit", model=["elo"], stdout=screen, **options)

    lines = screen.getvalue().splitlines()
    assert lines[0].startswith('elo {"k":')
    assert [line.split()[0] for line in lines[1:]] == ["train", "held_out", "all"]
