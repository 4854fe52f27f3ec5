"""Every case of rating-faults.md under its number, with the right value."""

import math
import random
import subprocess
import sys

import pytest

from ratings.core.kernels import glicko as glicko_kernel
from ratings.core.kernels.glicko import next_volatility
from ratings.core.registry import engine_names, get_engine
from ratings.core.trueskill import TrueSkill, TrueSkillParameters, draw_margin
from ratings.core.types import Belief, Engine, PeriodGame, RatingInputError, Signals
from ratings.core.weng_lin import MODELS

NEW = Belief(25.0, 25 / 3)
STRONG = Belief(2200, 50, 0.06)
WEAK = Belief(1200, 50, 0.06)


def lost_to_the_weak(times: int) -> Belief:
    return get_engine("glicko2").rate_period(STRONG, [PeriodGame(WEAK, 0)] * times)


def test_case_1_the_volatility_search_ends() -> None:
    assert next_volatility(1.612077, 19.070261, 25.990745, 1.090210, 0.5) == pytest.approx(1.122876, abs=1e-6)


def test_case_3_twenty_nine_defeats_are_exact_and_the_thirtieth_is_capped() -> None:
    after_29, after_30 = lost_to_the_weak(29), lost_to_the_weak(30)

    assert after_29.volatility == pytest.approx(0.089960, abs=1e-6)
    assert after_29.rating == pytest.approx(1752.96, abs=0.01)
    assert after_30.volatility == 0.1
    assert 1700 < after_30.rating < after_29.rating


def test_case_5_two_equal_players_on_coin_flips_stay_within_300_points_over_400_000_games() -> None:
    rng = random.Random(5)
    alice = bob = (0.0, 350 / 173.7178, 0.06)
    lowest = highest = 0.0
    for _ in range(400_000):
        score = float(rng.getrandbits(1))
        alice, bob = one_game(alice, bob, score), one_game(bob, alice, 1.0 - score)
        lowest, highest = min(lowest, alice[0], bob[0]), max(highest, alice[0], bob[0])

    assert -300 < lowest * 173.7178 < highest * 173.7178 < 300


def one_game(
    own: tuple[float, float, float], other: tuple[float, float, float], score: float
) -> tuple[float, float, float]:
    """The engine's own steps on the internal scale, without its guards, for speed."""
    mu, phi, sigma = own
    g = glicko_kernel.discount(other[1])
    p = 1 / (1 + math.exp(-g * (mu - other[0])))
    information, surprise = g * g * p * (1 - p), g * (score - p)
    sigma = min(glicko_kernel.volatility_after(phi, sigma, information, surprise, 0.5), 0.1)
    phi = glicko_kernel.deviation_after(phi, sigma * sigma, information)
    return mu + phi * phi * surprise, phi, sigma


def test_case_5_the_steps_of_that_test_are_the_engine_s() -> None:
    engine = get_engine("glicko2")
    alice, bob = Belief(1500 + 80, 100, 0.06), Belief(1500, 90, 0.07)

    ((new,), _) = engine.update([[alice], [bob]], [1, 2])

    scale = 400 / math.log(10)
    mu, phi, sigma = one_game((80 / scale, 100 / scale, 0.06), (0.0, 90 / scale, 0.07), 1.0)
    assert (new.rating, new.deviation, new.volatility) == pytest.approx((1500 + mu * scale, phi * scale, sigma))


def test_case_7_two_losing_to_fifteen_far_stronger_in_sum_move_nothing_but_the_drift() -> None:
    pair = [Belief(42.234, 3.728), Belief(43.290, 3.842)]
    fifteen = [Belief(16.667, 0.5)] * 15

    (a, b), others = get_engine("trueskill").update([pair, fifteen], [2, 1])

    assert (a.rating, b.rating, others[0].rating) == pytest.approx((42.234, 43.290, 16.667), abs=1e-9)
    assert (a.deviation, b.deviation, others[0].deviation) == pytest.approx((3.728931, 3.842904, 0.506897), abs=1e-6)


@pytest.mark.parametrize("sigma", [180, 181])
def test_case_9_a_favourite_beyond_doubt_gives_no_nan(sigma: float) -> None:
    engine = get_engine("trueskill", {"mu": 1500, "sigma": 480, "beta": 240, "tau": 10, "draw_probability": 0.1})

    (alice,), (bob,) = engine.update([[Belief(3453, 74)], [Belief(38, sigma)]], [1, 2])

    assert (alice.rating, alice.deviation) == pytest.approx((3453, 74.672619), abs=1e-6)
    assert (bob.rating, bob.deviation) == pytest.approx((38, math.hypot(sigma, 10)), abs=1e-6)


@pytest.mark.parametrize("name", [name for name in engine_names() if name != "elo_fide"])
def test_case_11_a_free_for_all_of_20_000_is_refused_and_a_large_one_stays_bounded(name: str) -> None:
    engine = get_engine(name)
    field = [[engine.initial()] for _ in range(20_000)]

    with pytest.raises(RatingInputError) as refused:
        engine.update(field, list(range(20_000)))
    assert refused.value.field == "teams"
    for (one,) in engine.update(field[:60], list(range(60))):
        assert abs(engine.to_club(one).rating - 1500) < 1500


def test_case_13_glicko_predicts_by_both_deviations() -> None:
    engine = get_engine("glicko", {"deviation_floor": 0.001})

    favourite = engine.expected([[Belief(2500, 350)], [Belief(1500, 0.001)]])[0]

    assert favourite == pytest.approx(0.979194, abs=1e-6)
    assert engine.expected([[Belief(2500, 350)], [Belief(1500, 350)]])[0] < favourite


@pytest.mark.parametrize(
    ("chance", "margin"), [(0, 0), (0.05, 0.369503), (0.1, 0.740467), (0.2, 1.492862), (0.5, 3.974469)]
)
def test_case_15_the_draw_margin_rises_with_the_chance_of_a_draw(chance: float, margin: float) -> None:
    assert draw_margin(chance, 25 / 6, 2) == pytest.approx(margin, abs=1e-6)


def test_case_17_a_chance_of_a_draw_is_at_most_one() -> None:
    engine = TrueSkill(TrueSkillParameters())
    four = [[Belief(25, 1), Belief(25, 1)], [Belief(25, 1), Belief(25, 1)]]

    assert 0 < engine.draw_chance(four) <= 0.1
    assert TrueSkill(TrueSkillParameters(draw_probability=0.95)).draw_chance(four) <= 1


@pytest.mark.parametrize("name", ["weng_lin", "elo"])
def test_case_19_the_update_assumes_the_probability_that_was_predicted(name: str) -> None:
    engine = get_engine(name)
    one, other = ([Belief(base + i, 5.0) for i in range(5)] for base in (24.0, 21.0))
    predicted = engine.expected([one, other])[0]

    won = engine.update([one, other], [1, 2])[0][0].rating - one[0].rating
    lost = engine.update([one, other], [2, 1])[0][0].rating - one[0].rating

    assert won / (won - lost) == pytest.approx(1 - predicted)


@pytest.mark.parametrize("name", [name for name in engine_names() if name != "elo_fide"])
def test_case_21_a_bigger_margin_never_moves_less(name: str) -> None:
    engine = get_engine(name, {"margin_weight": 0.5})
    weak, strong = engine.from_club(Belief(1400, 150)), engine.from_club(Belief(1600, 150))
    for teams in ([[weak], [strong]], [[strong], [weak]]):
        gains = [
            engine.update(teams, [1, 2], signals=Signals(margin=margin))[0][0].rating - teams[0][0].rating
            for margin in (0, 1, 5, 50)
        ]
        assert gains == sorted(gains)
        assert 0 < gains[0] < gains[2]


def test_case_23_tau_zero_is_tau_zero() -> None:
    for model in MODELS:
        engine = get_engine("weng_lin", {"model": model, "tau": 0})

        (alice,), _ = engine.update([[Belief(25, 1e-9)], [Belief(25, 1e-9)]], [1, 2])

        assert alice.deviation == pytest.approx(1e-9)


@pytest.mark.parametrize("name", ["elo", "glicko", "glicko2", "trueskill", "weng_lin"])
def test_case_25_weights_matter_and_the_absent_gain_nothing(name: str) -> None:
    engine = get_engine(name)
    new = engine.initial()
    teams = [[new] * 6, [new] * 5]

    full = engine.update(teams, [1, 2])
    some = engine.update(teams, [1, 2], weights=[[1 / 2] * 6, [1.0] * 5])
    absent = engine.update(teams, [1, 2], weights=[[0, 1, 1, 1, 1, 1], [1.0] * 5])

    assert full != some
    assert absent[0][0].rating == new.rating < absent[0][1].rating


def test_case_27_quality_is_not_the_chance_of_a_draw() -> None:
    engine = TrueSkill(TrueSkillParameters())

    assert engine.quality([[NEW], [NEW]]) == pytest.approx(0.447214, abs=1e-6)
    assert engine.draw_chance([[NEW], [NEW]]) == pytest.approx(0.044815, abs=1e-6)


def test_case_29_the_order_of_places_is_kept_among_equals() -> None:
    for model in MODELS:
        engine = get_engine("weng_lin", {"model": model})

        new = [one.rating for (one,) in engine.update([[NEW]] * 5, [1, 2, 3, 2, 4])]

        assert new[0] > new[1] > new[2] > new[4]
        assert new[0] > new[3] > new[2]


@pytest.mark.parametrize("name", engine_names())
def test_case_31_the_weaker_player_has_the_smaller_expectation(name: str) -> None:
    engine = get_engine(name)
    weak, strong = engine.from_club(Belief(1300, 100)), engine.from_club(Belief(1700, 100))

    assert engine.expected([[weak], [strong]])[0] < 0.5 < engine.expected([[strong], [weak]])[0]
    upset = engine.update([[weak], [strong]], [1, 2])[0][0].rating - weak.rating
    expected = engine.update([[strong], [weak]], [1, 2])[0][0].rating - strong.rating
    assert 0 <= expected < upset


def test_case_33_k_does_not_grow_with_the_number_of_players() -> None:
    new = get_engine("elo", {"k": 42}).update([[Belief(1500)]] * 500, list(range(500)))

    assert new[0][0].rating == pytest.approx(1521)
    assert new[-1][0].rating == pytest.approx(1479)


def test_case_35_a_loser_never_gains_beside_a_much_weaker_partner() -> None:
    (alice, bob), _ = get_engine("elo").update([[Belief(2000), Belief(800)], [Belief(1900), Belief(1900)]], [2, 1])

    assert alice.rating < 2000
    assert bob.rating < 800


def test_case_37_fractions_are_kept() -> None:
    (alice,), (bob,) = get_engine("elo", {"k": 25}).update([[Belief(1000)], [Belief(1000)]], [1, 2])

    assert (alice.rating, bob.rating) == (1012.5, 987.5)


def test_case_39_a_minimum_change_is_a_rule_of_the_model() -> None:
    pair = [[Belief(2800)], [Belief(800)]]

    (plain, _), (least, other) = (
        get_engine("elo", {"minimum_change": change}).update(pair, [1, 2]) for change in (0, 1)
    )

    assert plain[0].rating - 2800 < 0.01
    assert (least[0].rating, other[0].rating) == (2801, 799)


def test_case_41_with_one_period_a_game_volatility_hardly_moves() -> None:
    engine = get_engine("glicko2")
    rng = random.Random(41)
    alice = bob = engine.initial()
    for _ in range(300):
        (alice,), (bob,) = engine.update([[alice], [bob]], [rng.random(), 0.5])

    assert alice.volatility == pytest.approx(0.06, abs=0.001)


def test_case_43_an_idle_period_grows_rd_by_c() -> None:
    engine = get_engine("glicko", {"c": 63.2, "period_days": 30})

    assert engine.widen(Belief(1500, 50), 30).deviation == pytest.approx(80.586848, abs=1e-6)


@pytest.mark.parametrize("name", ["glicko", "glicko2", "trueskill", "weng_lin"])
def test_case_45_ageing_happens_once_from_the_time_of_the_last_game(name: str) -> None:
    engine = get_engine(name)
    settled = engine.from_club(Belief(1500, 60, 0.06))

    aged = engine.widen(settled, 180)

    assert aged.rating == settled.rating
    assert (engine.to_club(aged).deviation or 0) > 80
    assert engine.widen(aged, 0) == aged


@pytest.mark.parametrize("name", engine_names())
def test_case_51_a_refused_update_leaves_nothing_behind(name: str) -> None:
    engine = get_engine(name)
    teams = [[engine.from_club(Belief(1400, 90))], [engine.from_club(Belief(1000, 90))]]
    before = engine.update(teams, [1, 2])

    with pytest.raises(RatingInputError):
        engine.update([[teams[0][0]], [Belief(math.nan, 1, 1)]], [1, 2])

    assert engine.update(teams, [1, 2]) == before


def test_case_53_losing_on_purpose_cannot_raise_the_volatility_above_its_cap() -> None:
    engine: Engine = get_engine("glicko2")
    farmer = Belief(2200, 60, 0.06)
    for _ in range(200):
        (farmer,), _ = engine.update([[farmer], [WEAK]], [2, 1])
    for _ in range(30):
        (farmer,), _ = engine.update([[farmer], [STRONG]], [1, 2])
        assert (farmer.volatility or 0) <= 0.1
        assert farmer.rating < 2600


def test_case_55_no_library_of_somebody_else_s_rates_here() -> None:
    code = (
        "import sys, ratings.core.registry, ratings.core.golden\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'openskill', 'trueskill', 'glicko2', 'mpmath', 'scipy', 'numba', 'django'}))"
    )

    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert seen.stdout.strip() == "[]"
