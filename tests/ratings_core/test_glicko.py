"""Glicko and Glicko-2 by the engine's own door."""

import math

import pytest

from ratings.core.kernels import glicko as kernel
from ratings.core.registry import get_engine
from ratings.core.types import Belief, PeriodGame, RatingInputError, Signals

WORKED_EXAMPLE = [
    PeriodGame(Belief(1400, 30), 1),
    PeriodGame(Belief(1550, 100), 0),
    PeriodGame(Belief(1700, 300), 0),
]


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
def test_a_share_too_small_to_be_a_number_changes_nothing(name: str) -> None:
    engine = get_engine(name)
    alice, bob = engine.initial(), engine.initial()

    after = engine.update([[alice], [bob]], [0, 1], weights=[[1e-300], [1.0]])[0][0]

    assert after.rating == pytest.approx(alice.rating)
    assert after.volatility == alice.volatility


def test_glicko_gives_the_paper_s_worked_example() -> None:
    after = get_engine("glicko").rate_period(Belief(1500, 200), WORKED_EXAMPLE)

    assert round(after.rating) == 1464
    assert after.deviation == pytest.approx(151.4, abs=0.05)


def test_glicko2_gives_the_paper_s_worked_example() -> None:
    after = get_engine("glicko2").rate_period(Belief(1500, 200, 0.06), WORKED_EXAMPLE)

    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_a_match_is_a_period_of_one_game_for_both_sides() -> None:
    engine = get_engine("glicko2")
    alice, bob = Belief(1500, 200, 0.06), Belief(1650, 80, 0.05)

    (alice_after,), (bob_after,) = engine.update([[alice], [bob]], [1, 2])

    assert alice_after == engine.rate_period(alice, [PeriodGame(bob, 1)])
    assert bob_after == engine.rate_period(bob, [PeriodGame(alice, 0)])


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
def test_a_year_takes_a_deviation_of_60_to_about_110(name: str) -> None:
    engine = get_engine(name)

    after = engine.widen(Belief(1500, 60, 0.06), 365)

    assert after.deviation == pytest.approx(110, abs=1)
    assert (after.rating, after.volatility) == (1500, 0.06)


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
def test_ageing_in_two_steps_is_ageing_in_one_and_stops_at_the_ceiling(name: str) -> None:
    engine = get_engine(name)
    alice = Belief(1500, 60, 0.06)

    twice = engine.widen(engine.widen(alice, 30), 70)

    assert twice.deviation == pytest.approx(engine.widen(alice, 100).deviation)
    assert engine.widen(alice, 365_000).deviation == 350


def test_the_root_next_to_the_old_volatility_is_taken_when_there_are_three() -> None:
    g = kernel.discount(50 / 173.7178)
    x = g * (500 - 3500) / 173.7178
    expected = 1 / (1 + math.exp(-x))
    v = 1 / (g * g * expected * (1 - expected))

    sigma = kernel.next_volatility(50 / 173.7178, v * g * (1 - expected), v, 0.06, 0.5)

    assert sigma == pytest.approx(0.060013, abs=1e-6)


def test_the_root_is_a_root_wherever_it_lies() -> None:
    for phi in (0.05, 0.3, 2.0, 10.0):
        for delta in (0.0, 0.5, 3.0, 40.0, 1e4, 1e9):
            for v in (0.01, 1.0, 30.0, 1e6, 1e15):
                for sigma in (1e-6, 0.06, 1.0):
                    for tau in (0.05, 0.5, 1.2):
                        check_root(phi, delta, v, sigma, tau)


def check_root(phi: float, delta: float, v: float, sigma: float, tau: float) -> None:
    found = kernel.next_volatility(phi, delta, v, sigma, tau)
    spread, excess = phi * phi + v, delta * delta - phi * phi - v
    y = 2 * math.log(found / sigma)
    value = kernel.pull(found * found, spread, excess) - y / tau**2

    assert abs(value) * tau**2 < 1e-9 * max(1.0, abs(y)), (phi, delta, v, sigma, tau)
    steps = [y * step / 200 for step in range(200)]
    signs = {kernel.pull(sigma**2 * math.exp(at), spread, excess) - at / tau**2 > 0 for at in steps[:-1]}
    assert len(signs) == 1 or abs(y) < 1e-6, "a root nearer to the start was passed"


def test_club_scale_is_the_own_scale_without_draws_and_wider_with_them() -> None:
    plain, drawn = get_engine("glicko2"), get_engine("glicko2", {"draw_probability": 0.3})
    alice = Belief(1700, 80, 0.06)

    assert plain.to_club(alice) == alice
    for engine in (plain, drawn):
        strong = engine.from_club(Belief(1900, 0.001, 0.06))
        weak = engine.from_club(Belief(1500, 0.001, 0.06))
        flat = get_engine(engine.name, {**engine.parameters.as_dict(), "deviation_floor": 0.001})
        pair = [[Belief(strong.rating, 0.001, 0.06)], [Belief(weak.rating, 0.001, 0.06)]]
        assert flat.expected(pair)[0] == pytest.approx(10 / 11, abs=1e-9)
        assert engine.from_club(engine.to_club(alice)).rating == pytest.approx(alice.rating)


def test_side_advantage_counts_for_the_side_that_has_it_alone() -> None:
    engine = get_engine("glicko2", {"side_advantage": 100})
    pair = [[engine.initial()], [engine.initial()]]

    assert engine.expected(pair) == (0.5, 0.5)
    assert engine.expected(pair, side=0)[0] > 0.5 > engine.expected(pair, side=1)[0]
    home_win = engine.update(pair, [0, 1], side=0)[0][0].rating
    away_win = engine.update(pair, [1, 0], side=0)[1][0].rating
    assert 1500 < home_win < away_win


def test_a_clear_result_moves_more_and_the_deviation_stays_the_same() -> None:
    engine = get_engine("glicko2", {"margin_weight": 0.5})
    pair = [[engine.initial()], [engine.initial()]]

    narrow, clear = (engine.update(pair, [0, 1], signals=Signals(margin=margin))[0][0] for margin in (1, 5))

    assert clear.rating > narrow.rating > 1500
    assert clear.deviation == narrow.deviation


def test_who_did_not_play_is_left_untouched() -> None:
    engine = get_engine("glicko2")
    alice, bob, carol = Belief(1500, 90, 0.06), Belief(1550, 80, 0.06), Belief(1450, 70, 0.06)

    (alice_after, bob_after), (carol_after,) = engine.update([[alice, bob], [carol]], [0, 1], weights=[[1, 0], [1]])

    assert bob_after == bob
    assert alice_after == engine.update([[alice], [carol]], [0, 1])[0][0]
    assert carol_after.rating < carol.rating


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"tau": 0}, "tau"),
        ({"tau": "fast"}, "tau"),
        ({"tau": True}, "tau"),
        ({"tau": math.nan}, "tau"),
        ({"tau": 10**400}, "tau"),
        ({"tua": 0.5}, "tua"),
        ({"deviation_floor": 200, "deviation_ceiling": 100, "deviation": 150}, "deviation_floor"),
        ({"deviation": 400}, "deviation"),
        ({"volatility": 0.2}, "volatility"),
    ],
)
def test_a_bad_parameter_is_named(parameters: dict[str, object], field: str) -> None:
    with pytest.raises(RatingInputError) as refused:
        get_engine("glicko2", parameters)

    assert refused.value.field == field


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(RatingInputError, match="glicko3"):
        get_engine("glicko3")
