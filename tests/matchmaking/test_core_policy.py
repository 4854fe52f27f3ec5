"""Policies and windows: validation names the field, waiting never narrows a search."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.core.policy import PRESETS, Policy, PolicyProblem, Step, Window, check
from matchmaking.core.quality import expected_score, quality_of_gap
from matchmaking.core.waits import middle_half
from matchmaking.core.windows import needed_quality, search_ends_at, width

WINDOW = {"base": 50, "growth": 25, "cap": 400, "steps": []}


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Random policies, most of which pass validation."""
    cap = draw(st.floats(1, 1000))
    times = sorted(draw(st.lists(st.floats(0, 300), max_size=4, unique=True)))
    widths = sorted(draw(st.lists(st.floats(0, cap), min_size=len(times), max_size=len(times))))
    steps = tuple(Step(after, wide) for after, wide in zip(times, widths, strict=True))
    return Policy(Window(draw(st.floats(0, cap)), draw(st.floats(0, 100)), cap, steps))


@given(st.one_of(policies(), st.sampled_from(list(PRESETS.values()))), st.floats(0, 400), st.floats(0, 400))
def test_case_25_waiting_never_narrows_the_window_nor_raises_the_bar(policy: Policy, one: float, other: float) -> None:
    check(policy)
    early, late = sorted((one, other))

    assert width(policy.window, late) >= width(policy.window, early)
    assert needed_quality(policy.window, late) <= needed_quality(policy.window, early)
    assert width(policy.window, late) <= policy.window.cap


def test_case_25_a_policy_that_narrows_cannot_be_saved_and_the_step_is_named() -> None:
    settings = {"window": WINDOW | {"steps": [[15, 100], [25, 80]]}}

    with pytest.raises(PolicyProblem, match=r"window\.steps\[2\]: must not be narrower") as refusal:
        Policy.from_json(settings)

    assert refusal.value.field == "window.steps[2]"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ([], "policy"),
        ({"window": None}, "window"),
        ({"window": WINDOW | {"base": "wide"}}, "window.base"),
        ({"window": WINDOW | {"base": True}}, "window.base"),
        ({"window": WINDOW | {"growth": -1}}, "window.growth"),
        ({"window": WINDOW | {"growth": float("nan")}}, "window.growth"),
        ({"window": WINDOW | {"cap": 10}}, "window.base"),
        ({"window": WINDOW | {"cap": 99_999}}, "window.cap"),
        ({"window": WINDOW | {"steps": [[1]]}}, "window.steps[1]"),
        ({"window": WINDOW | {"steps": "all"}}, "window.steps"),
        ({"window": WINDOW | {"steps": [[9, 60], [9, 70]]}}, "window.steps[2]"),
        ({"window": WINDOW, "lifetime": 1}, "lifetime"),
        ({"window": WINDOW, "magic": 1}, "magic"),
    ],
)
def test_validation_names_the_field_at_fault(settings: Any, field: str) -> None:
    with pytest.raises(PolicyProblem) as refusal:
        Policy.from_json(settings)

    assert refusal.value.field == field


@given(policies())
def test_a_policy_survives_the_way_to_json_and_back(policy: Policy) -> None:
    assert Policy.from_json(policy.to_json()) == policy


def test_the_shipped_presets_are_those_of_the_spec() -> None:
    assert width(PRESETS["quick"].window, 10) == 300
    assert [width(PRESETS[name].window, 100) for name in ("quick", "fair", "strict")] == [400, 200, 150]
    assert width(PRESETS["strict"].window, 0) == 50
    assert {preset.lifetime for preset in PRESETS.values()} == {300}


def test_the_end_of_a_search_by_policy_and_by_return() -> None:
    assert search_ends_at(PRESETS["fair"], 1000.0) == 1300.0
    assert search_ends_at(PRESETS["fair"], 1000.0, search_until=1360.0) == 1360.0
    assert search_ends_at(Policy(PRESETS["fair"].window, lifetime=None), 1000.0) is None


def test_quality_has_the_values_of_the_spec() -> None:
    assert round(quality_of_gap(100), 2) == 0.72
    assert round(quality_of_gap(400), 2) == 0.18
    assert quality_of_gap(0) == 1.0
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-400) + expected_score(400) == pytest.approx(1.0)


def test_the_usual_wait_counts_those_who_found_nobody() -> None:
    assert middle_half([]) is None
    assert middle_half([10.0, 20.0, 30.0, 40.0]) == (10.0, 30.0)
    assert middle_half([10.0, 20.0, None, None]) == (10.0, None)
    assert middle_half([None, None, None, 10.0, None]) is None
