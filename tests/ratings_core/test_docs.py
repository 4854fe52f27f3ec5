"""docs/ratings.md does not go stale: every engine and every parameter with its default stands in it."""

import re
from pathlib import Path

import pytest

from ratings.core.registry import engine_names, parameter_schema

DOCS = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", engine_names())
def test_every_engine_and_parameter_is_documented(name: str) -> None:
    assert f"`{name}`" in DOCS
    missing = [info.name for info in parameter_schema(name) if not re.search(rf"\b{info.name}\b", DOCS)]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "parameter", "shown"),
    [
        ("elo", "k", "k 32"),
        ("elo", "provisional_k", "provisional_k 64"),
        ("glicko", "c", "c 4.83"),
        ("glicko2", "period_days", "Glicko-2 4.7"),
        ("glicko2", "tau", "tau 0.5"),
        ("glicko2", "volatility_cap", "volatility_cap 0.1"),
        ("glicko2", "deviation_floor", "deviation_floor 30"),
        ("trueskill", "draw_probability", "draw_probability 0.1"),
        ("trueskill", "yearly_drift", "yearly_drift 92.2"),
        ("weng_lin", "kappa", "kappa 0.0001"),
        ("weng_lin", "window", "window 4"),
    ],
)
def test_stated_defaults_are_the_defaults(name: str, parameter: str, shown: str) -> None:
    default = {info.name: info.default for info in parameter_schema(name)}[parameter]

    assert shown in DOCS
    assert float(shown.rsplit(maxsplit=1)[-1]) == default
