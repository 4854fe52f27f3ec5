"""Where a newcomer starts: one belief out of everything that is known before the first match."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.assessments import SELF_ASSESSMENTS, Answer, Assessments
from ratings.core.prior_rules import PriorRules
from ratings.core.priors import (
    Newcomer,
    OtherRating,
    Signal,
    Source,
    combine,
    from_other_queue,
    signals_of,
    start_of,
    untracked_deviation,
)
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.transfer import Transfer
from ratings.core.types import Belief, Engine
from tests.ratings_core.strategies import ENGINE_IDS, ENGINES

ALICE = UUID(int=1)
SHIPPED = Assessments.from_json([])
SIGNALS = st.builds(Signal, st.sampled_from(Source), st.floats(100, 3000), st.floats(1, 400))
SEVERAL = st.lists(SIGNALS, min_size=2, max_size=6)


def signal(mean: float, deviation: float) -> Signal:
    return Signal(Source.SAME_GAME, mean, deviation)


def doubles(rating: float, deviation: float | None = 80.0, games: int = 20, *, same: bool = True) -> OtherRating:
    return OtherRating(UUID(int=7), "Doubles", same, Belief(rating, deviation), games, 3.0)


@pytest.mark.parametrize(
    ("signals", "mean", "deviation"),
    [
        ([(1640, 128)], 1640, 128),
        ([(1600, 100), (1700, 100)], 1650, 100),  # agree within their deviations: no surer, no wider
        ([(1600, 100), (1600, 200)], 1600, 100),
        ([(1600, 100), (1800, 200)], 1640, 100),  # 4 to 1 by precision; misfit 200^2 / (100^2 + 200^2) < 1
        ([(1000, 120), (1800, 350)], 1484200 / 1369, 120 * 800 / 370),  # 120^2 + 350^2 = 370^2
        ([(800, 350), (2000, 100)], 101200 / 53, 100 * 1200 / 132500**0.5),
        ([(500, 50), (2500, 60)], 1319.6721, 60),  # never wider than the least sure
        ([(1500, 100), (1600, 100), (1700, 100)], 1600, 100),
    ],
)
def test_signals_are_weighted_by_precision_and_widened_where_they_contradict(
    signals: list[tuple[float, float]], mean: float, deviation: float
) -> None:
    found = combine([signal(*one) for one in signals])

    assert found.rating == pytest.approx(mean, abs=1e-4)
    assert found.deviation == pytest.approx(deviation, abs=1e-4)


@given(SEVERAL, st.randoms(use_true_random=False))
def test_the_outcome_lies_between_the_signals_whatever_their_order(signals: list[Signal], dice: Any) -> None:
    found = combine(signals)
    shuffled = list(signals)
    dice.shuffle(shuffled)

    assert found == combine(shuffled)
    assert found.deviation is not None
    assert min(one.mean for one in signals) <= found.rating <= max(one.mean for one in signals)
    assert min(one.deviation for one in signals) <= found.deviation <= max(one.deviation for one in signals)


@given(SIGNALS, st.integers(2, 5))
def test_hearing_the_same_again_proves_nothing(one: Signal, times: int) -> None:
    found = combine([one] * times)

    assert found.rating == pytest.approx(one.mean)
    assert found.deviation == one.deviation


@given(SIGNALS, SIGNALS)
def test_the_surer_signal_counts_more(one: Signal, other: Signal) -> None:
    surer, vaguer = sorted((one, other), key=lambda told: told.deviation)
    found = combine([one, other])

    assert abs(found.rating - surer.mean) <= abs(found.rating - vaguer.mean) + 1e-9


@pytest.mark.parametrize("engine", ENGINES, ids=ENGINE_IDS)
def test_every_engine_starts_where_its_signals_say(engine: Engine) -> None:
    start = start_of(engine, [signal(1700, 150)])

    club = engine.to_club(start)
    assert club.rating == pytest.approx(1700)
    assert club.deviation is None or club.deviation == pytest.approx(150)
    assert start_of(engine, []) == engine.initial()


def test_a_rating_in_the_same_game_is_shifted_and_widened() -> None:
    found = from_other_queue(doubles(1700), PriorRules(offset=-60, same_game_widening=100))

    assert found is not None
    assert (found.source, found.mean) == (Source.SAME_GAME, 1640.0)
    assert found.deviation == pytest.approx(math.hypot(80, 100))
    assert (found.to_json()["rating"], found.to_json()["offset"], found.to_json()["widened_by"]) == (1700, -60, 100)


def test_another_game_keeps_its_weight_of_the_distance_from_the_middle() -> None:
    rules = PriorRules(offset=-60, other_game_weight=0.4, other_game_widening=250)

    found = from_other_queue(doubles(1800, same=False), rules)

    assert found is not None
    assert (found.source, found.mean) == (Source.OTHER_GAME, 1620.0)
    assert found.deviation == pytest.approx(math.hypot(0.4 * 80, 250))


def test_another_game_of_no_weight_says_nothing() -> None:
    assert from_other_queue(doubles(2400, same=False), PriorRules()) is None


def test_where_no_deviation_is_kept_the_matches_say_how_sure_a_rating_is() -> None:
    few, many = (
        from_other_queue(doubles(1700, None, games), PriorRules(same_game_widening=0.0, other_game_widening=0.0))
        for games in (3, 1000)
    )

    assert few is not None
    assert many is not None
    assert (few.deviation, many.deviation) == (175.0, 60.0)
    assert [untracked_deviation(games) for games in (0, 8)] == [350.0, pytest.approx(350 / 3)]


def test_an_expert_with_a_middling_rating_in_doubles_starts_nearer_the_rating() -> None:
    told = signals_of(Newcomer(ALICE, "expert"), [doubles(1500)], PriorRules(), SHIPPED)

    assert [one.source for one in told] == [Source.SAME_GAME, Source.SELF_ASSESSMENT]
    found = combine(told)
    assert 1500 < found.rating < 1550
    assert found.deviation == pytest.approx(math.hypot(80, 100))


def test_signals_stand_in_the_order_of_trust_whatever_the_order_they_are_read_in() -> None:
    rules = PriorRules(other_game_weight=0.5)
    others = [doubles(1600, same=False), doubles(1700, 200), doubles(1650, 60)]

    told = signals_of(Newcomer(ALICE, "club"), others, rules, SHIPPED)

    assert [(one.source.value, round(one.mean)) for one in told] == [
        ("same_game", 1650),
        ("same_game", 1700),
        ("other_game", 1550),
        ("self_assessment", 1500),
    ]
    assert told == signals_of(Newcomer(ALICE, "club"), others[::-1], rules, SHIPPED)


@pytest.mark.parametrize(("answer", "rating"), SELF_ASSESSMENTS.items())
def test_the_shipped_answers_mean_what_the_specification_says(answer: str, rating: float) -> None:
    engine = get_engine("glicko2", {})

    assert start_of(engine, signals_of(Newcomer(ALICE, answer), [], PriorRules(), SHIPPED)) == Belief(
        rating, 350.0, 0.06
    )


def test_an_answer_that_the_club_never_had_is_refused() -> None:
    with pytest.raises(RatingInputError, match="self_assessment: must be one of novice, casual, club, expert"):
        signals_of(Newcomer(ALICE, "grandmaster"), [], PriorRules(), SHIPPED)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"offset": 900}, "offset"),
        ({"offset": "10"}, "offset"),
        ({"offset": True}, "offset"),
        ({"offset": math.nan}, "offset"),
        ({"same_game_widening": -1}, "same_game_widening"),
        ({"other_game_weight": 1.5}, "other_game_weight"),
        ({"other_game_widening": 400}, "other_game_widening"),
        ({"other_game_widening": 50}, "other_game_widening"),
        ({"same_game_widening": 250}, "other_game_widening"),
        ({"luck": 1}, "luck"),
    ],
)
def test_a_bad_setting_is_refused_by_name(values: dict[str, Any], field: str) -> None:
    with pytest.raises(RatingInputError) as refusal:
        PriorRules.from_json(values)

    assert refusal.value.field == field


def test_settings_survive_their_json() -> None:
    rules = PriorRules(offset=-40, same_game_widening=90, other_game_weight=0.25, other_game_widening=220)

    assert PriorRules.from_json(rules.to_json()) == rules
    assert PriorRules.from_json({}) == PriorRules(0, 100, 0, 200)


def test_what_was_measured_replaces_what_was_set() -> None:
    measured = PriorRules().measured(Transfer(1.0, -41.6, 87.2, 30), Transfer(0.4567, 0.0, 240.5, 12))

    assert measured == PriorRules(-42, 87, 0.46, 240)
    assert PriorRules(offset=5).measured(None, None) == PriorRules(offset=5)


def test_a_vague_measurement_in_the_same_game_takes_other_games_along() -> None:
    assert PriorRules().measured(Transfer(1.0, 0.0, 260.0, 30), None) == PriorRules(0, 260, 0, 260)


def test_a_clubs_answers_stand_from_the_weakest_to_the_strongest_and_survive_their_json() -> None:
    club = Assessments((Answer("b", 1900.0, "Plays in a league"), Answer("a", 900.0, "Plays at home")))

    assert [one.key for one in club.answers] == ["a", "b"]
    assert Assessments.from_json(club.to_json()) == club


def test_an_answer_taken_away_keeps_its_rating_and_is_not_offered() -> None:
    club = Assessments((*SHIPPED.answers, Answer("master", 2200.0, "Master", is_offered=False)))

    assert [one.key for one in club.offered] == ["novice", "casual", "club", "expert"]
    told = signals_of(Newcomer(ALICE, "master"), [], PriorRules(), club)
    assert (told[0].mean, told[0].deviation, told[0].facts["label"]) == (2200.0, 350.0, "Master")


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("novice", "answers: must be a list"),
        ([{"key": "novice", "rating": 800}], "answers: must be 2 to 8"),
        ([{"key": f"n{i}", "rating": 800, "label": f"N{i}"} for i in range(9)], "answers: must be 2 to 8"),
        ([{"key": "novice"}, {"key": "club", "rating": 1500}], r"answers\[0\]: must have"),
        ([{"key": "novice", "rating": 99}, {"key": "club", "rating": 1500}], r"answers\[0\].rating: must be between"),
        ([{"key": "novice", "rating": "800"}, {"key": "club", "rating": 1500}], "rating"),
        ([{"key": "own", "rating": 800}, {"key": "club", "rating": 1500}], r"answers\[0\].label: is missing"),
        ([{"key": "Own!", "rating": 800, "label": "x"}, {"key": "club", "rating": 1500}], r"answers\[0\].key"),
        ([{"key": "club", "rating": 800}, {"key": "club", "rating": 1500}], "key: 'club' stands twice"),
        (
            [{"key": "a", "rating": 800, "label": "Good"}, {"key": "b", "rating": 1500, "label": "GOOD"}],
            "label: 'good' stands twice",
        ),
        ([{"key": "a", "rating": 800, "label": "x" * 121}, {"key": "club", "rating": 1500}], r"answers\[0\].label"),
    ],
)
def test_unusable_answers_are_refused_by_name(stored: Any, message: str) -> None:
    with pytest.raises(RatingInputError, match=message):
        Assessments.from_json(stored)
