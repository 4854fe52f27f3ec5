"""Runs, rivals, opponents, and the hours at which somebody plays."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.core.rivalry import Meeting, Run, best_run, by_hour, closest_rival, opponents, present_run


def meetings(text: str) -> list[Meeting[str]]:
    """ "bW bL cW": one meeting a word, the opponent and the letter."""
    return [Meeting(word[0], word[1]) for word in text.split()]


def test_the_best_run_counts_wins_in_a_row() -> None:
    assert best_run("LWWDWWWL") == 3
    assert best_run("") == 0


def test_the_most_even_score_is_the_closest_rival() -> None:
    rival = closest_rival(meetings("bW bW bW cW cL"))

    assert rival is not None
    assert (rival.opponent, rival.wins, rival.losses) == ("c", 1, 1)


def test_of_equally_even_scores_the_longer_one_counts() -> None:
    rival = closest_rival(meetings("cW cL bW bL bW bL"))

    assert rival is not None
    assert rival.opponent == "b"


def test_of_equal_scores_the_latest_meeting_counts() -> None:
    rival = closest_rival(meetings("bW bL cW cL"))

    assert rival is not None
    assert rival.opponent == "c"


def test_nobody_is_a_rival_after_one_meeting() -> None:
    assert closest_rival(meetings("bW cL")) is None


@pytest.mark.parametrize(
    ("letters", "run"), [("", Run("", 0)), ("W", Run("W", 1)), ("WLL", Run("L", 2)), ("LDDD", Run("D", 3))]
)
def test_the_present_run_is_the_one_the_last_result_belongs_to(letters: str, run: Run) -> None:
    assert present_run(letters) == run


def test_opponents_are_counted_and_the_one_met_most_often_comes_first() -> None:
    found = opponents(meetings("bW cL bL cW bD dW"))

    assert [(one.opponent, one.wins, one.losses, one.draws) for one in found] == [
        ("b", 1, 1, 1),
        ("c", 1, 1, 0),
        ("d", 1, 0, 0),
    ]


def test_of_opponents_met_equally_often_the_last_one_comes_first() -> None:
    assert [one.opponent for one in opponents(meetings("bW cL"))] == ["c", "b"]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("WLD")), max_size=60))
def test_no_meeting_is_lost(pairs: list[tuple[str, str]]) -> None:
    found = opponents([Meeting(*pair) for pair in pairs])

    assert sum(one.meetings for one in found) == len(pairs)
    assert sum(one.wins for one in found) == sum(letter == "W" for _opponent, letter in pairs)


def test_B109_hours_are_those_of_the_club_s_clocks_in_summer_and_winter() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    ends = [
        (datetime(2026, 1, 10, 23, 30, tzinfo=UTC), "W"),
        (datetime(2026, 7, 10, 22, 30, tzinfo=UTC), "L"),
        (datetime(2026, 7, 10, 23, 30, tzinfo=UTC), "D"),
    ]

    hours = by_hour(ends, berlin)

    assert [(hour.hour, hour.wins, hour.losses, hour.draws) for hour in hours if hour.matches] == [
        (0, 1, 1, 0),
        (1, 0, 0, 1),
    ]
    assert len(hours) == 24
