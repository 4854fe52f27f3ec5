"""The Weng-Lin models by the engine's own door."""

import math
import random

import pytest

from ratings.core.registry import get_engine
from ratings.core.types import Belief, RatingInputError, Signals
from ratings.core.weng_lin import MODELS

NEW = Belief(25.0, 25 / 3)


@pytest.mark.parametrize("model", MODELS)
def test_400_points_are_ten_to_one_by_its_own_prediction(model: str) -> None:
    for draw_probability in (0.0, 0.3):
        engine = get_engine("weng_lin", {"model": model, "draw_probability": draw_probability})
        strong, weak = (engine.from_club(Belief(rating, 1e-6)) for rating in (1900, 1500))

        assert engine.expected([[strong], [weak]])[0] == pytest.approx(10 / 11, abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_equal_shares_of_a_shortened_match_move_less(model: str) -> None:
    engine = get_engine("weng_lin", {"model": model})
    teams = [[NEW, NEW], [NEW, NEW]]

    full = engine.update(teams, [0, 1])[0][0]
    half = engine.update(teams, [0, 1], weights=[[0.5, 0.5], [0.5, 0.5]])[0][0]

    assert 25 < half.rating < full.rating
    assert (half.deviation or 0) > (full.deviation or 0)


@pytest.mark.parametrize("model", MODELS)
def test_a_strength_beyond_the_exponentials_is_no_trouble(model: str) -> None:
    engine = get_engine("weng_lin", {"model": model, "tau": 0})
    teams = [[Belief(120.0, 1e-3)], [Belief(-80.0, 1e-3)], [Belief(119.0, 1e-3)]]

    for ranks in ([0, 1, 2], [2, 0, 1], [0, 0, 0]):
        for (one,) in engine.update(teams, ranks):
            assert math.isfinite(one.rating)
            assert math.isfinite(one.deviation or 0)


def test_the_last_choices_of_a_race_still_count_when_the_winner_is_far_above() -> None:
    engine = get_engine("weng_lin", {"tau": 0})
    alice, bob, carol = Belief(190.0, 0.01), Belief(-140.0, 1.0), Belief(-141.0, 1.0)

    _, (bob_after,), (carol_after,) = engine.update([[alice], [bob], [carol]], [0, 1, 2])

    assert bob_after.rating > bob.rating
    assert carol_after.rating < carol.rating


def test_a_draw_pulls_two_unequal_players_together_in_every_model() -> None:
    for model in MODELS:
        engine = get_engine("weng_lin", {"model": model})

        (alice,), (bob,) = engine.update([[Belief(30.0, 5.0)], [Belief(20.0, 5.0)]], [0, 0])

        assert 20 < bob.rating < alice.rating < 30


def test_a_party_counts_for_more_by_its_offset_and_less_is_gained_by_winning() -> None:
    engine = get_engine("weng_lin", {"party_offset": 20})
    teams = [[NEW, NEW, NEW], [NEW, NEW, NEW]]
    signals = Signals(parties=[[1, 1, 1], [None, 2, 2]])

    assert engine.expected(teams)[0] == 0.5
    assert engine.expected(teams, signals=signals)[0] > 0.5
    assert engine.update(teams, [0, 1], signals=signals)[0][0].rating < engine.update(teams, [0, 1])[0][0].rating


def test_random_matches_of_every_shape_stay_finite() -> None:
    rng = random.Random(7)
    for _ in range(300):
        engine = get_engine("weng_lin", {"model": rng.choice(list(MODELS))})
        teams = [
            [Belief(rng.uniform(-50, 100), rng.uniform(0.001, 16)) for _ in range(rng.randint(1, 6))]
            for _ in range(rng.randint(2, 12))
        ]
        new = engine.update(teams, [rng.randint(0, 5) for _ in teams])
        assert all(math.isfinite(one.rating) and (one.deviation or 0) > 0 for team in new for one in team)
        assert sum(engine.expected(teams)) == pytest.approx(1)


def test_an_unknown_model_is_refused_by_name() -> None:
    with pytest.raises(RatingInputError) as refused:
        get_engine("weng_lin", {"model": "PlackettLucy"})

    assert refused.value.field == "model"
