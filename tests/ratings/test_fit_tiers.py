"""Boundaries of tiers from stated shares of the players, and the shares that a table gives."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.fit_tiers import NARROWEST, Band, TierShare, fit_tiers, shares_of, spread_over, usual_shares
from ratings.core.problems import RatingInputError
from ratings.core.rank_rules import DEFAULT_RULES, RankRules, Tier
from ratings.core.visible_rank import label, target_position

THREE = (TierShare("Low", 0.5, 2), TierShare("Middle", 0.4, 2), TierShare("Top", 0.1))
some_ratings = st.lists(st.floats(0.0, 3000.0), min_size=20, max_size=200)


def test_a_thousand_players_are_split_as_was_asked_for() -> None:
    rng = random.Random(7)
    ratings = [rng.gauss(1500.0, 250.0) for _ in range(1000)]

    table = RankRules(tiers=fit_tiers(ratings, THREE))

    assert [band.players for band in spread_over(table, ratings)] == pytest.approx([250, 250, 200, 200, 100], abs=2)
    assert [(tier.name, len(tier.begins)) for tier in table.tiers] == [("Low", 2), ("Middle", 2), ("Top", 1)]


@given(some_ratings, st.permutations(range(20)))
def test_the_order_of_the_players_does_not_matter(ratings: list[float], order: list[int]) -> None:
    mixed = [ratings[index] for index in order] + ratings[20:]

    assert fit_tiers(mixed, THREE) == fit_tiers(ratings, THREE)


@given(some_ratings, st.integers(2, 9), st.integers(1, 5))
def test_every_proposal_is_a_table_that_a_season_takes(ratings: list[float], tiers: int, divisions: int) -> None:
    shares = [TierShare(f"T{index}", share, divisions) for index, share in enumerate(usual_shares(tiers))]
    shares[-1] = TierShare("Top", shares[-1].share)

    table = RankRules(tiers=fit_tiers(ratings, shares))

    bounds = [begin for begin in table.begins if begin is not None]
    assert all(bound == int(bound) for bound in bounds)
    assert all(high - low >= NARROWEST for low, high in pairwise(bounds))
    assert sum(band.players for band in spread_over(table, ratings)) == len(ratings)


@given(some_ratings, st.floats(-500.0, 500.0).map(round))
def test_a_club_that_is_stronger_by_so_much_gets_boundaries_higher_by_as_much(ratings: list[float], by: int) -> None:
    whole = [float(round(rating)) for rating in ratings]

    moved = fit_tiers([rating + by for rating in whole], THREE)

    for tier, other in zip(fit_tiers(whole, THREE), moved, strict=True):
        assert other.begins == tuple(None if begin is None else begin + by for begin in tier.begins)


def test_equal_ratings_still_give_divisions_of_a_width() -> None:
    bounds = [begin for tier in fit_tiers([1500.0] * 40, THREE) for begin in tier.begins if begin is not None]

    assert bounds == [1485.0, 1495.0, 1505.0, 1515.0]


@given(st.lists(st.floats(-500.0, 4000.0), max_size=50))
def test_the_spread_counts_everybody_in_the_division_of_the_target(ratings: list[float]) -> None:
    bands = spread_over(DEFAULT_RULES, ratings)

    named = [label(DEFAULT_RULES, target_position(DEFAULT_RULES, rating)) for rating in ratings]
    counted = [sum((one.tier, one.division) == (band.tier, band.division) for one in named) for band in bands]
    assert [band.players for band in bands] == counted
    assert sum(band.share for band in bands) == (pytest.approx(1.0) if ratings else 0.0)


def test_nobody_gives_shares_of_nothing() -> None:
    table = RankRules(tiers=(Tier("Low", (None,)), Tier("Top", (1500.0,))))

    assert spread_over(table, []) == (Band(0, 0, 0, 0.0), Band(1, 0, 0, 0.0))


def test_the_usual_shares_are_a_bell_with_a_narrow_top() -> None:
    assert usual_shares(6) == pytest.approx((0.06125, 0.245, 0.3675, 0.245, 0.06125, 0.02))
    assert usual_shares(2) == pytest.approx((0.98, 0.02))
    assert [one.divisions for one in shares_of(DEFAULT_RULES)] == [3, 3, 3, 3, 3, 1]


@pytest.mark.parametrize(
    ("shares", "field"),
    [
        ((TierShare("Top", 1.0),), "shares"),
        ((TierShare("Low", 0.5), TierShare("Top", 0.4)), "shares"),
        ((TierShare("Low", 1.0), TierShare("Top", 0.0)), "shares[Top]"),
        ((TierShare("Low", 1.2), TierShare("Top", -0.2)), "shares[Low]"),
        ((TierShare("Low", 0.5, 0), TierShare("Top", 0.5)), "shares[Low]"),
        ((TierShare("Low", 0.5), TierShare("Top", 0.5, 2)), "shares[Top]"),
        ((TierShare("Low", 0.5, 200), TierShare("Top", 0.5)), "shares"),
    ],
)
def test_shares_that_make_no_table_are_refused_by_name(shares: tuple[TierShare, ...], field: str) -> None:
    with pytest.raises(RatingInputError) as refusal:
        fit_tiers([1500.0] * 50, shares)

    assert refusal.value.field == field


def test_too_few_players_are_refused() -> None:
    with pytest.raises(RatingInputError, match="19 players, at least 20"):
        fit_tiers([1500.0] * 19, THREE)


@pytest.mark.parametrize("rating", [float("nan"), float("inf")])
def test_ratings_that_are_no_numbers_are_refused(rating: float) -> None:
    with pytest.raises(RatingInputError, match="ratings"):
        fit_tiers([1500.0] * 30 + [rating], THREE)
