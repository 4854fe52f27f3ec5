"""The report that comes with the shipped model is what the model does on the data it names."""

from __future__ import annotations

import csv
import math
from datetime import date
from pathlib import Path

import pytest

from ratings.core.presets import FIRST_PRESET, PRESETS, DataReport
from ratings.core.registry import get_engine
from ratings.core.types import Belief

LEAGUES = Path(__file__).parents[2] / "ladder" / "demo_data" / "leagues.csv"
PRESET = PRESETS[FIRST_PRESET]


@pytest.mark.parametrize("report", [one for one in PRESET.reports if one.data == LEAGUES.name])
def test_the_shipped_report_can_be_reproduced(report: DataReport) -> None:
    told = _predictions(report)
    counted = told[len(told) // 10 :]

    loss = -sum(s * math.log(p) + (1.0 - s) * math.log(1.0 - p) for p, s in counted) / len(counted)
    brier = sum((p - s) ** 2 for p, s in counted) / len(counted)
    decided = [(p > 0.5) == (s > 0.5) for p, s in counted if s != 0.5]

    assert len(counted) == report.matches
    assert loss == pytest.approx(report.log_loss, abs=5e-5)
    assert brier == pytest.approx(report.brier, abs=5e-5)
    assert sum(decided) / len(decided) == pytest.approx(report.accuracy, abs=5e-5)


def _predictions(report: DataReport) -> list[tuple[float, float]]:
    """Every match's chance and score of the first side, before it was rated."""
    engine = get_engine(PRESET.algorithm, PRESET.parameters)
    beliefs: dict[str, Belief] = {}
    played: dict[str, int] = {}
    told = []
    with LEAGUES.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            day, sides, score = (
                date.fromisoformat(row["date"]).toordinal(),
                (row["team_a"], row["team_b"]),
                row["result"],
            )
            teams = []
            for side in sides:
                belief = beliefs.get(side) or engine.initial()
                idle = float(day - played.get(side, day))
                teams.append([engine.widen(belief, idle) if report.ageing and idle > 0 else belief])
            told.append((engine.expected(teams)[0], float(score)))
            ranks = {"1": (1, 2), "0": (2, 1), "0.5": (1, 1)}[score]
            for side, (after,) in zip(sides, engine.update(teams, ranks), strict=True):
                beliefs[side], played[side] = after, day
    return told
