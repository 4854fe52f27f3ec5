"""Fairness figures: those of the metrics, group by group, with what is unknown left out and said."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.fairness import Group, Played, fairness


def match(chance: float = 0.5, winner: int = 0, **more: object) -> Played:
    """One against one; the first side had this chance."""
    places = {0: (1, 2), 1: (2, 1), -1: (1, 1)}[winner]
    told = {"queue": 0, "rating": 1500.0, **more}
    return Played(chances=(chance, 1.0 - chance), places=places, **told)  # type: ignore[arg-type]


def test_without_a_match_there_are_no_figures() -> None:
    assert fairness([]) is None


def test_losses_are_those_of_the_definition() -> None:
    found = fairness([match(0.8, 0), match(0.6, 1)])

    assert found is not None
    assert found.total.log_loss == pytest.approx(-(math.log(0.8) + math.log(0.4)) / 2)
    assert found.total.brier == pytest.approx((0.2**2 + 0.6**2) / 2)
    assert found.total.accuracy == pytest.approx(0.5)


def test_a_draw_counts_half_in_the_losses_and_not_in_the_accuracy() -> None:
    found = fairness([match(0.8, -1)])

    assert found is not None
    assert found.total.log_loss == pytest.approx(-(math.log(0.8) + math.log(0.2)) / 2)
    assert found.total.accuracy is None


def test_calibration_has_at_most_ten_bins_with_what_was_said_and_what_came() -> None:
    found = fairness([match(0.72, 0), match(0.78, 0), match(0.75, 1), match(0.31, 1)])

    assert found is not None
    low, high = found.calibration
    assert (low.low, low.count, low.predicted, low.observed) == (0.3, 1, pytest.approx(0.31), 0.0)
    assert (high.low, high.count, high.observed) == (0.7, 3, pytest.approx(2 / 3))
    assert high.predicted == pytest.approx(0.75)


def test_one_sided_is_a_share_of_the_matches_whose_margin_is_known() -> None:
    found = fairness([match(is_one_sided=True), match(is_one_sided=False), match(), match()])

    assert found is not None
    assert (found.total.one_sided, found.total.with_margin) == (0.5, 2)


def test_lopsided_is_a_favourite_above_three_in_four() -> None:
    found = fairness([match(0.77), match(0.23), match(0.75), match(0.5)])

    assert found is not None
    assert found.total.lopsided == 0.5


def test_quality_is_the_mean_of_the_matches_that_have_one() -> None:
    found = fairness([match(quality=0.9), match(quality=0.7), match()])

    assert found is not None
    assert (found.total.quality, found.total.with_quality) == (pytest.approx(0.8), 2)


def test_groups_stand_in_order_and_matches_without_a_key_in_none() -> None:
    found = fairness(
        [match(hour=20, rating=1650.0), match(hour=9, rating=1399.0), match(hour=20, party=3, queue=1), match()]
    )

    assert found is not None
    assert [(group.key, group.matches) for group in found.hours] == [(9, 1), (20, 2)]
    assert [(group.key, group.matches) for group in found.bands] == [(1200, 1), (1400, 2), (1600, 1)]
    assert [(group.key, group.matches) for group in found.parties] == [(1, 3), (3, 1)]
    assert [(group.key, group.matches) for group in found.queues] == [(0, 3), (1, 1)]


def test_several_sides_are_judged_by_their_winner() -> None:
    race = Played(queue=0, chances=(0.5, 0.3, 0.2), places=(2, 1, 3), rating=1500.0)

    found = fairness([race, match(0.5)])

    assert found is not None
    assert found.total.log_loss == pytest.approx(-(math.log(0.3) + math.log(0.5)) / 2)


MATCHES = st.lists(
    st.builds(
        match,
        st.floats(0.01, 0.99),
        st.sampled_from([0, 1, -1]),
        queue=st.integers(0, 2),
        hour=st.integers(0, 23),
        rating=st.floats(900, 2100),
        quality=st.one_of(st.none(), st.floats(0, 1)),
        is_one_sided=st.sampled_from([None, True, False]),
    ),
    min_size=1,
    max_size=40,
)


@given(MATCHES)
def test_groups_add_up_to_the_whole(matches: list[Played]) -> None:
    found = fairness(matches)

    assert found is not None
    for groups in (found.queues, found.bands, found.hours, found.parties):
        assert sum(group.matches for group in groups) == found.total.matches == len(matches)
        assert weighted(groups, "log_loss", "matches") == pytest.approx(found.total.log_loss)
        assert weighted(groups, "brier", "matches") == pytest.approx(found.total.brier)
        if found.total.one_sided is not None:
            assert weighted(groups, "one_sided", "with_margin") == pytest.approx(found.total.one_sided)
    assert sum(one.count for one in found.calibration) == len(matches)


def weighted(groups: tuple[Group, ...], name: str, weight: str) -> float:
    """The mean of a figure over groups, by how many matches each stands for."""
    known = [(getattr(group, name), getattr(group, weight)) for group in groups if getattr(group, weight)]
    return sum(value * count for value, count in known) / sum(count for _value, count in known)
