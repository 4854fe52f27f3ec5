"""TrueSkill by the engine's own door."""

import math

import pytest

from ratings.core.registry import get_engine
from ratings.core.trueskill import TrueSkill, TrueSkillParameters
from ratings.core.types import Belief, RatingInputError, Signals

NEW = Belief(25.0, 25 / 3)


def test_the_engine_gives_the_published_update() -> None:
    (alice,), (bob,) = get_engine("trueskill").update([[NEW], [NEW]], [1, 2])

    assert (alice.rating, alice.deviation) == pytest.approx((29.395831693, 7.171475807))
    assert (bob.rating, bob.deviation) == pytest.approx((20.604168307, 7.171475807))


def test_who_did_not_play_only_drifts() -> None:
    (alice,), (bob, carol) = get_engine("trueskill").update([[NEW], [NEW, NEW]], [0, 1], weights=[[1], [0, 1]])

    assert bob == Belief(25.0, pytest.approx(8.333749990))
    assert alice.rating - 25 == pytest.approx(25 - carol.rating)


def test_beta_and_tau_follow_sigma_unless_given() -> None:
    parameters = get_engine("trueskill", {"mu": 1500, "sigma": 500}).parameters.as_dict()

    assert (parameters["beta"], parameters["tau"], parameters["deviation_ceiling"]) == (250, 5, 1000)


def test_a_beta_of_another_scale_is_refused() -> None:
    with pytest.raises(RatingInputError) as refused:
        get_engine("trueskill", {"mu": 1500, "sigma": 500, "beta": 25 / 6})

    assert refused.value.field == "beta"


@pytest.mark.parametrize("draw_probability", [0.0, 0.1, 0.5])
def test_400_points_are_ten_to_one_by_its_own_prediction(draw_probability: float) -> None:
    engine = get_engine("trueskill", {"draw_probability": draw_probability})
    strong, weak = (engine.from_club(Belief(rating, 1e-6)) for rating in (1900, 1500))

    assert engine.expected([[strong], [weak]])[0] == pytest.approx(10 / 11, abs=1e-9)
    assert engine.to_club(engine.from_club(Belief(1234, 99))).rating == pytest.approx(1234)


def test_a_newcomer_starts_at_the_bottom_of_the_conservative_scale() -> None:
    engine = get_engine("trueskill")
    club = engine.to_club(NEW)

    assert engine.conservative(NEW) == pytest.approx(club.rating - 3 * (club.deviation or 0))


def test_a_year_takes_a_club_deviation_of_60_to_about_110() -> None:
    engine = get_engine("trueskill")

    aged = engine.to_club(engine.widen(engine.from_club(Belief(1500, 60)), 365))

    assert aged.deviation == pytest.approx(110, abs=1)


def test_three_equal_teams_have_a_third_each_and_a_strong_one_nearly_all() -> None:
    engine = get_engine("trueskill")

    assert engine.expected([[NEW], [NEW], [NEW]]) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert engine.expected([[Belief(60.0, 1.0)], [NEW], [NEW]])[0] > 0.99


def test_ties_are_put_in_order_of_the_players_when_they_are_named() -> None:
    engine = get_engine("trueskill")
    field = [Belief(25.0 + i, 8.0) for i in range(5)]
    ranks = [0, 1, 1, 1, 2]
    names = ["a", "b", "c", "d", "e"]

    straight = engine.update([[one] for one in field], ranks, signals=Signals(players=[[n] for n in names]))
    turned = [4, 3, 1, 2, 0]
    mixed = engine.update(
        [[field[i]] for i in turned], [ranks[i] for i in turned], signals=Signals(players=[[names[i]] for i in turned])
    )

    assert [straight[i] for i in turned] == list(mixed)


def test_a_race_of_65_is_refused_and_one_of_64_settles() -> None:
    engine = get_engine("trueskill")
    field = [[NEW] for _ in range(65)]

    new = engine.update(field[:64], list(range(64)))

    assert [one.rating for (one,) in new] == sorted((one.rating for (one,) in new), reverse=True)
    assert all(math.isfinite(one.rating) and 0 < (one.deviation or 0) < 8.34 for (one,) in new)
    with pytest.raises(RatingInputError) as refused:
        engine.update(field, list(range(65)))
    assert refused.value.field == "teams"


def test_quality_is_not_the_chance_of_a_draw() -> None:
    engine = TrueSkill(TrueSkillParameters())

    assert engine.quality([[NEW], [NEW]]) == pytest.approx(0.447214, abs=1e-6)
    assert engine.draw_chance([[NEW], [NEW]]) == pytest.approx(0.044815, abs=1e-6)
