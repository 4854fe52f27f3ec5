"""Inflation watch: what counts, when it becomes a warning, and that chance alone hardly ever does."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.health import CERTAIN, LIMIT, RUNNING_WEEKS, Week, monday_of, running_drift, verdict, without_gaps

MONDAY = date(2026, 3, 2)


def week(number: int = 0, *, lift: float = 0.0, players: int = 10, noise: float = 1.0, matches: int = 20) -> Week:
    """A week in which the average established player was lifted by so much, with a standard error of `noise`."""
    return Week(
        MONDAY + timedelta(weeks=number),
        active=players,
        low=1300.0,
        median=1500.0,
        high=1700.0,
        matches=matches,
        established=players,
        lifted=lift * players,
        squares=(noise * players) ** 2,
    )


def weeks(*lifts: float, noise: float = 1.0) -> list[Week]:
    return [week(number, lift=lift, noise=noise) for number, lift in enumerate(lifts)]


def test_a_week_is_the_average_of_its_established_players_not_their_sum() -> None:
    assert week(lift=7.0, players=40).lift == pytest.approx(7.0)
    assert week(lift=7.0, players=4).lift == pytest.approx(7.0)


def test_a_running_drift_adds_eight_weeks_and_no_more() -> None:
    drifts = running_drift(weeks(*[5.0] * 10))

    assert [round(drift.points) for drift in drifts] == [5, 10, 15, 20, 25, 30, 35, 40, 40, 40]
    assert drifts[-1].error == pytest.approx(math.sqrt(RUNNING_WEEKS))


@pytest.mark.parametrize(
    ("lift", "noise", "kind"),
    [
        (LIMIT / 8 + 0.1, 1.0, "rising"),
        (-LIMIT / 8 - 0.1, 1.0, "falling"),
        (LIMIT / 8 - 0.1, 1.0, "steady"),  # certain, and too little to matter
        (LIMIT / 8 + 0.1, LIMIT / 8, "steady"),  # enough to matter, and chance could do it
        (0.0, 1.0, "steady"),
        (0.0, 0.0, "steady"),
    ],
)
def test_a_warning_needs_both_half_a_division_and_three_standard_errors(lift: float, noise: float, kind: str) -> None:
    assert verdict(weeks(*[lift] * RUNNING_WEEKS, noise=noise)).kind == kind


def test_few_matches_say_nothing_however_far_they_went() -> None:
    played = [week(number, lift=40.0, matches=3) for number in range(8)]

    assert verdict(played).kind == "few"


def test_nothing_played_says_nothing() -> None:
    assert verdict([]).kind == "none"


def test_a_middle_that_moved_without_play_moving_it_is_told_apart() -> None:
    played = weeks(*[0.0] * 9)
    played[-1] = Week(**{name: getattr(played[-1], name) for name in Week.__slots__} | {"median": 1580.0})

    said = verdict(played)

    assert (said.kind, said.shift, said.is_shift) == ("steady", 80.0, True)


def test_a_middle_that_play_moved_is_the_warning_and_no_shift_beside_it() -> None:
    played = weeks(*[10.0] * 9)
    played[-1] = Week(**{name: getattr(played[-1], name) for name in Week.__slots__} | {"median": 1580.0})

    said = verdict(played)

    assert (said.kind, said.is_shift) == ("rising", False)


def test_weeks_without_play_are_filled_in() -> None:
    filled = without_gaps([week(5), week(0), week(2)])

    assert [one.starts for one in filled] == [MONDAY + timedelta(weeks=number) for number in range(6)]
    assert [one.matches for one in filled] == [20, 0, 20, 0, 0, 20]


@given(st.dates(date(1990, 1, 1), date(2060, 1, 1)))
def test_a_week_begins_on_the_monday_before_or_on_the_day(day: date) -> None:
    monday = monday_of(day)

    assert monday.isoweekday() == 1
    assert timedelta(0) <= day - monday < timedelta(days=7)


def chance_weeks(rng: random.Random, drift: float = 0.0) -> list[Week]:
    """Eight weeks of fair play: twenty matches, each of which leaves over a fair amount, on top of a drift."""
    found = []
    for number in range(RUNNING_WEEKS):
        left_over = [rng.gauss(drift, 30.0) for _match in range(20)]
        found.append(
            Week(
                MONDAY + timedelta(weeks=number),
                matches=20,
                established=8,
                lifted=sum(left_over),
                squares=sum(one * one for one in left_over),
            )
        )
    return found


def test_chance_alone_hardly_ever_warns_and_a_real_drift_nearly_always_does() -> None:
    rng = random.Random(7)
    by_chance = sum(verdict(chance_weeks(rng)).kind != "steady" for _run in range(2000))
    drifting = sum(verdict(chance_weeks(rng, drift=12.0)).kind == "rising" for _run in range(200))

    assert CERTAIN == 3.0
    assert by_chance <= 12  # 2,000 looks: 2.7 in 1,000 are expected at three standard errors
    assert drifting >= 190
