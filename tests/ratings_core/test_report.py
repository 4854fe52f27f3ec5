"""Figures of a replay, and the reference figures on the shared data."""

import math
from pathlib import Path

import numpy as np
import pytest

from ratings.core.history import Chunk, CsvHistory, Member, Recorded, chunked
from ratings.core.metrics import Tally, judge
from ratings.core.problems import RatingInputError
from ratings.core.report import ModelSpec, Settings, compare, convergence, party_sizes
from tests.ratings_core.histories import duels

ROOT = Path(__file__).parents[2]
DATA = {
    "intl_football": ROOT / "tests" / "data" / "intl_football.csv",
    "leagues": ROOT / "ladder" / "demo_data" / "leagues.csv",
    "frc_3v3_2017": ROOT / "tests" / "data" / "frc_3v3_2017.csv",
}
KERNEL_CACHE = ROOT / "var" / "numba"


def chunk_of(*matches: tuple[tuple[float, ...], int]) -> Chunk:
    """One-member teams with these ranks."""
    return Chunk.of([Recorded(teams=tuple((Member(i),) for i in range(n)), ranks=ranks) for ranks, n in matches])


def test_figures_of_three_matches_by_hand() -> None:
    chunk = chunk_of(((0, 1), 2), ((1, 0), 2), ((0, 0), 2))
    tally = Tally()

    tally.add(judge(chunk, np.array([0.8, 0.2, 0.7, 0.3, 0.6, 0.4])), np.array([True, True, True]))

    draw = -0.5 * (math.log(0.6) + math.log(0.4))
    found = tally.summary()
    assert found["matches"] == 3
    assert found["log_loss"] == pytest.approx((-math.log(0.8) - math.log(0.3) + draw) / 3)
    assert found["brier"] == pytest.approx((0.2**2 + 0.7**2 + 0.1**2) / 3)
    assert found["accuracy"] == 0.5
    assert found["ece"] == pytest.approx((0.2 + 0.7 + 0.1) / 3)


def test_a_race_counts_the_pairs_in_predicted_order() -> None:
    chunk = chunk_of(((0, 1, 1), 3))
    tally = Tally()

    tally.add(judge(chunk, np.array([0.2, 0.5, 0.2])), np.array([True]))

    assert (tally.pairs, tally.pairs_right) == (2, 0.5)
    assert tally.summary()["log_loss"] == pytest.approx(-math.log(0.2))
    assert tally.summary()["accuracy"] == 0


def test_nothing_measured_is_none_and_not_zero() -> None:
    assert Tally().summary() == {"matches": 0, "log_loss": None, "brier": None, "accuracy": None, "ece": None}


def test_the_first_matches_are_rated_and_not_measured() -> None:
    report = compare(
        [ModelSpec.parse("elo"), ModelSpec.parse('elo:{"k": 64}')],
        chunked(duels(100, 8), 30),
        lambda: [f"player {i}" for i in range(8)],
        Settings(ignored=40, accelerate=False),
    )

    assert list(report) == ["elo", 'elo:{"k": 64}']
    assert [figures["matches"] for figures in report.values()] == [60, 60]
    assert sum(row["games"] for row in report["elo"]["standings"]) == 200
    assert report["elo"]["movers"] == []
    assert sum(band["matches"] for band in report["elo"]["bands"].values()) == 60


def test_a_chance_of_a_draw_not_given_is_measured_on_the_matches_not_counted() -> None:
    spec = ModelSpec.parse("trueskill")

    assert spec.with_measured_draws([1.0] * 100 + [0.0] * 300).parameters == {"draw_probability": 0.242857}
    assert spec.with_measured_draws([]) == spec
    given = ModelSpec.parse('trueskill:{"draw_probability": 0.1}')
    assert given.with_measured_draws([1.0] * 10) == given
    assert ModelSpec.parse("elo").with_measured_draws([1.0] * 10).parameters == {}


def test_a_model_states_its_rating_period_behind_its_name() -> None:
    spec = ModelSpec.parse('glicko2@week:{"tau": 0.6}')

    assert (spec.label, spec.name, spec.period) == ('glicko2@week:{"tau": 0.6}', "glicko2", "week")
    assert ModelSpec.parse("elo@month").with_measured_draws([1.0]).period == "month"
    assert ModelSpec.parse("elo").period == "match"


def test_a_report_by_periods_ends_with_the_last_of_them_rated() -> None:
    matches = duels(100, 8)[20:]  # from its day 1 on, all of one month

    report = compare(
        [ModelSpec.parse("glicko2"), ModelSpec.parse("glicko2@month")],
        chunked(matches, 30),
        lambda: [f"player {i}" for i in range(8)],
        Settings(accelerate=False),
    )

    by_month = report["glicko2@month"]
    assert (report["glicko2"]["period"], by_month["period"]) == ("match", "month")
    assert sum(row["games"] for row in by_month["standings"]) == 160
    assert all(row["rating"] != 1500 for row in by_month["standings"]), "the month was rated at the end"
    assert by_month["log_loss"] == pytest.approx(math.log(2)), "everybody was predicted as a newcomer"


@pytest.mark.parametrize(
    "text",
    [
        "elo@day",
        "elo@",
        "elo@match",
        "trueskill@week",
        "elo@week@month",
        "elo:{",
        "elo:[1]",
        "elo:3",
        "nothing",
        'elo:{"k": "a"}',
        'elo:{"kk": 3}',
    ],
)
def test_a_model_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(RatingInputError):
        ModelSpec.parse(text)


def test_convergence_is_when_the_rating_stays_near_its_own_later_value() -> None:
    trail = np.full((3, 50), 1800.0)
    trail[0, :10] = 1500.0
    trail[1, 5] = 1500.0
    trail[2, 49] = math.nan

    found = convergence(trail)

    assert found["players"] == 2
    assert found["median"] == 9.0
    assert found["error"]["1"] == 150.0


def test_the_largest_party_of_each_match() -> None:
    alone = Recorded(teams=((Member(0),), (Member(1),)), ranks=(0, 1))
    pair = Recorded(teams=((Member(0, party=4), Member(1, party=4)), (Member(2), Member(3))), ranks=(0, 1))

    assert party_sizes(Chunk.of([alone, pair, alone])).tolist() == [1, 2, 1]


REFERENCE = [
    ("intl_football", {"trueskill": 0.6050, 'elo:{"k": 32}': 0.5967, "glicko2": 0.5933}),
    ("leagues", {"trueskill": 0.6377, 'elo:{"k": 32}': 0.6376, "glicko2": 0.6362}),
    ("frc_3v3_2017", {"trueskill": 0.6971, 'elo:{"k": 32}': 0.6611}),
]


@pytest.mark.parametrize(("name", "expected"), REFERENCE)
def test_the_reference_figures(name: str, expected: dict[str, float]) -> None:
    history = CsvHistory(DATA[name])
    tied = history.tied()
    count = len(tied)
    ignored = count // 10
    specs = [ModelSpec.parse(text).with_measured_draws(tied[:ignored]) for text in expected]

    report = compare(
        specs, history.chunks(), lambda: list(history.names.index), Settings(ignored=ignored, cache_folder=KERNEL_CACHE)
    )

    assert {label: figures["log_loss"] for label, figures in report.items()} == pytest.approx(expected, abs=0.0005)
