"""What a rating in one queue says about another, measured on those who have both."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core.prior_rules import PriorRules
from ratings.core.transfer import Pair, fit_transfer
from ratings.core.types import Belief

POINTS = st.floats(0, 3500)
DEVIATIONS = st.one_of(st.none(), st.floats(1, 400))
BELIEFS = st.builds(Belief, POINTS, DEVIATIONS)
MANY_PAIRS = st.lists(st.tuples(BELIEFS, BELIEFS), min_size=10, max_size=40)


def pairs_of(there: Sequence[float], here: Sequence[float]) -> list[Pair]:
    return [(Belief(x), Belief(y)) for x, y in zip(there, here, strict=True)]


def simulated(
    count: int, *, weight: float, offset: float, spread: float, deviation: float = 60.0, seed: int = 5
) -> list[Pair]:
    """Players whose skills hang together as told, each believed with an honest deviation in both queues."""
    dice = random.Random(seed)
    pairs = []
    for _ in range(count):
        there = dice.gauss(1500, 250)
        skill = 1500 + weight * (there + dice.gauss(0, deviation) - 1500) + offset + dice.gauss(0, spread)
        pairs.append((Belief(there, deviation), Belief(skill + dice.gauss(0, deviation), deviation)))
    return pairs


def test_golden_a_held_weight_of_one_gives_the_shrunk_mean_difference() -> None:
    there = [1400.0, 1450.0, 1500.0, 1550.0, 1600.0] * 2
    here = [x - 100 + bump for x, bump in zip(there, [30.0] * 5 + [-30.0] * 5, strict=True)]

    found = fit_transfer(pairs_of(there, here), weight=1.0)

    assert found is not None
    assert (found.weight, found.players) == (1.0, 10)
    assert found.offset == pytest.approx(-50.0)  # ten players, ten sceptics: half of -100
    assert found.spread == pytest.approx((10 * (50**2 + 30**2) / 9) ** 0.5)


def test_golden_a_slope_through_the_middle_is_shrunk_too() -> None:
    there = [1300.0, 1400.0, 1600.0, 1700.0, 1500.0] * 2
    here = [1500 + 0.8 * (x - 1500) for x in there]

    found = fit_transfer(pairs_of(there, here), offset=0.0)

    assert found is not None
    assert (found.weight, found.offset) == (pytest.approx(0.4), 0.0)
    # what is left is 0.4 of the distances: 200, 100, 100, 200, 0, twice, over nine degrees of freedom
    assert found.spread == pytest.approx((2 * (80**2 + 40**2 + 40**2 + 80**2) / 9) ** 0.5)


def test_golden_line_with_both_free() -> None:
    there = [1500.0 + 10 * step for step in range(90)]
    here = [1500 + 0.5 * (x - 1500) - 20 for x in there]

    found = fit_transfer(pairs_of(there, here))

    assert found is not None
    assert found.weight == pytest.approx(0.45)  # 90 players and 10 sceptics
    assert found.offset == pytest.approx(0.9 * (0.5 * 445 - 20 - 0.45 * 445))


@pytest.mark.parametrize(("weight", "spread"), [(0.0, 220.0), (0.35, 180.0), (0.7, 120.0), (1.0, 60.0)])
def test_the_weight_and_the_spread_of_simulated_players_are_found(weight: float, spread: float) -> None:
    found = fit_transfer(simulated(4000, weight=weight, offset=0.0, spread=spread), offset=0.0)

    assert found is not None
    assert found.weight == pytest.approx(weight, abs=0.02)
    assert found.spread == pytest.approx(spread, rel=0.08)


@pytest.mark.parametrize(("offset", "spread"), [(-120.0, 90.0), (0.0, 50.0), (75.0, 140.0)])
def test_the_offset_and_the_spread_of_a_sibling_queue_are_found(offset: float, spread: float) -> None:
    found = fit_transfer(simulated(4000, weight=1.0, offset=offset, spread=spread), weight=1.0)

    assert found is not None
    assert found.offset == pytest.approx(offset, abs=8)
    assert found.spread == pytest.approx(spread, rel=0.08)


def test_what_is_measured_predicts_newcomers_as_well_as_it_says() -> None:
    found = fit_transfer(simulated(3000, weight=0.5, offset=0.0, spread=150.0), offset=0.0)
    assert found is not None

    misses = [
        here.rating - 1500 - found.weight * (there.rating - 1500)
        for there, here in simulated(3000, weight=0.5, offset=0.0, spread=150.0, seed=6)
    ]

    told = (found.spread**2 + (found.weight * 60) ** 2 + 60**2) ** 0.5
    within = sum(abs(miss) < told for miss in misses) / len(misses)
    assert within == pytest.approx(0.683, abs=0.02)


def test_nine_players_measure_nothing() -> None:
    pairs = simulated(10, weight=1.0, offset=0.0, spread=50.0)

    assert fit_transfer(pairs[:9]) is None
    assert fit_transfer(pairs) is not None
    assert fit_transfer([]) is None


def test_few_players_say_less_than_many_of_the_same() -> None:
    pairs = simulated(10, weight=0.8, offset=0.0, spread=40.0)

    few, many = fit_transfer(pairs, offset=0.0), fit_transfer(pairs * 100, offset=0.0)

    assert few is not None
    assert many is not None
    assert 0 < few.weight < 0.6 * many.weight


def test_players_who_stand_level_there_tell_nothing() -> None:
    found = fit_transfer(pairs_of([1500.0] * 12, [1400.0 + 20 * step for step in range(12)]), offset=0.0)

    assert found is not None
    assert found.weight == 0.0


def test_a_queue_in_which_the_good_are_bad_gets_no_weight() -> None:
    found = fit_transfer(simulated(400, weight=-0.7, offset=0.0, spread=80.0), offset=0.0)

    assert found is not None
    assert found.weight == 0.0


@settings(max_examples=60)
@given(MANY_PAIRS, MANY_PAIRS)
def test_whatever_is_measured_is_a_valid_setting(same: list[Pair], other: list[Pair]) -> None:
    rules = PriorRules().measured(fit_transfer(same, weight=1.0), fit_transfer(other, offset=0.0))

    assert PriorRules.from_json(rules.to_json()) == rules


@settings(max_examples=60)
@given(MANY_PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_matter(pairs: list[Pair], dice: random.Random) -> None:
    shuffled = list(pairs)
    dice.shuffle(shuffled)

    assert fit_transfer(shuffled) == fit_transfer(pairs)
