"""Reference values, and the runner that reads them."""

import json
from pathlib import Path
from typing import Any

import pytest

from ratings.core.golden import agrees, run_cases

FILE = Path(__file__).parents[1] / "data" / "golden-ratings.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden(case: dict[str, Any]) -> None:
    (verdict,) = run_cases([case])

    assert verdict.problem == ""


def test_there_are_213_cases() -> None:
    assert len(CASES) == 213


def test_a_wrong_value_is_reported_with_expected_and_got() -> None:
    case = {**CASES[0], "expect": {"expected": 0.6}}

    (verdict,) = run_cases([case])

    assert not verdict.passed
    assert "expected 0.6, got 0.5" in verdict.problem


@pytest.mark.parametrize(
    "case",
    [
        {"id": "odd", "system": "elo", "op": "guess", "input": {}, "expect": {}, "tol": 0},
        {"id": "odd", "system": "elo", "op": "update", "input": {}, "expect": {}, "tol": 0},
        {"id": "odd", "system": "elo", "op": "expected_score", "input": {"rating": "a", "opponent": 1}, "expect": {}},
        {**CASES[0], "expect": {"chance": 0.5}},
        {"id": "odd"},
        "odd",
    ],
)
def test_a_case_that_cannot_be_run_has_failed_and_says_why(case: Any) -> None:
    (verdict,) = run_cases([case])

    assert verdict.problem


def test_tolerance_is_absolute_below_one_and_relative_above() -> None:
    assert agrees(0.5, 0.5009, 1e-3)
    assert not agrees(0.5, 0.502, 1e-3)
    assert agrees(2000, 2001.9, 1e-3)
    assert not agrees(2000, 2002.1, 1e-3)
    assert not agrees(0.5, float("nan"), 1e-3)
    assert not agrees([[1, 2]], [[1]], 1)
