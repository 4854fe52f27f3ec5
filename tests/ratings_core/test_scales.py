"""A belief carried from one model's own scale to another's, and a match's change carried with it."""

from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core.ledger import carried_over
from ratings.core.registry import get_engine
from ratings.core.scales import BeliefModel, moved, same_scale
from ratings.core.types import Belief, Engine
from tests.ratings_core.strategies import CLUB_BELIEFS, ENGINE_IDS, ENGINES

PAIRS = list(product(ENGINES, ENGINES))
PAIR_IDS = [f"{one}-{other}" for one, other in product(ENGINE_IDS, ENGINE_IDS)]
every_pair = pytest.mark.parametrize(("old", "new"), PAIRS, ids=PAIR_IDS)
each_engine = pytest.mark.parametrize("engine", ENGINES, ids=ENGINE_IDS)
QUICK = settings(max_examples=25, deadline=None)
SURE = st.builds(Belief, rating=st.floats(800, 2200), deviation=st.floats(60, 300), volatility=st.floats(0.02, 0.09))


@each_engine
@given(CLUB_BELIEFS)
@QUICK
def test_on_one_scale_a_belief_is_left_untouched(engine: Engine, club: Belief) -> None:
    belief = engine.from_club(club)
    other = get_engine(engine.name, {**engine.parameters.as_dict(), "side_advantage": 30.0})

    assert moved(belief, engine, engine) is belief
    assert same_scale(engine, other)
    assert moved(belief, engine, other) is belief


@every_pair
@given(club=SURE)
@QUICK
def test_what_a_belief_means_on_the_club_scale_stays_and_it_comes_back(old: Engine, new: Engine, club: Belief) -> None:
    belief = old.from_club(club)

    there = moved(belief, old, new)
    back = moved(there, new, old)

    assert new.to_club(there).rating == pytest.approx(club.rating)
    assert back.rating == pytest.approx(belief.rating)
    if belief.deviation is not None and there.deviation is not None:
        assert new.to_club(there).deviation == pytest.approx(club.deviation)
        assert back.deviation == pytest.approx(belief.deviation)
    if belief.volatility is not None and there.volatility is not None:
        assert back.volatility == belief.volatility


@every_pair
@given(club=SURE)
@QUICK
def test_the_new_engine_can_rate_what_it_was_given(old: Engine, new: Engine, club: Belief) -> None:
    belief = moved(old.from_club(club), old, new)

    for after in new.update([[belief], [belief]], [1, 2]):
        assert [getattr(after[0], name) is None for name in ("deviation", "volatility")] == [
            getattr(belief, name) is None for name in ("deviation", "volatility")
        ]


def test_a_scale_is_of_an_algorithm_and_of_what_moves_its_centre_or_its_unit() -> None:
    elo = get_engine("elo")

    assert same_scale(elo, get_engine("elo", {"k": 10.0}))
    assert not same_scale(elo, get_engine("elo", {"rating": 1200.0}))
    assert not same_scale(elo, get_engine("elo", {"draw_probability": 0.3}))
    assert not same_scale(get_engine("trueskill"), get_engine("trueskill", {"beta": 5.0}))
    assert not same_scale(get_engine("glicko"), get_engine("glicko2"))
    assert not same_scale(get_engine("trueskill"), get_engine("trueskill2"))


@each_engine
@given(SURE, SURE, SURE)
@QUICK
def test_on_one_scale_a_change_is_added_and_multiplied(
    engine: Engine, one: Belief, other: Belief, third: Belief
) -> None:
    current, formed, evidence = (engine.from_club(belief) for belief in (one, other, third))

    after = carried_over(engine, engine, current, formed, evidence)

    assert carried_over(engine, engine, formed, formed, evidence) is evidence
    moved_on = current.rating + (evidence.rating - formed.rating)
    assert after.rating == (evidence.rating if current == formed else moved_on)
    if current.deviation is not None and formed.deviation is not None and evidence.deviation is not None:
        low, high = engine.initial(Belief(0.0, 1e-9)).deviation, engine.initial(Belief(0.0, 1e6)).deviation
        assert low is not None
        assert high is not None
        ratio = current.deviation * (evidence.deviation / formed.deviation)
        wanted = evidence.deviation if current.deviation == formed.deviation else min(max(ratio, low), high)
        assert after.deviation == wanted


@every_pair
@given(now=SURE, before=SURE, result=SURE)
@QUICK
def test_a_change_found_on_another_scale_is_worth_as_much_on_the_club_s(
    old: Engine, new: Engine, now: Belief, before: Belief, result: Belief
) -> None:
    current, formed, evidence = new.from_club(now), old.from_club(before), old.from_club(result)

    after = carried_over(old, new, current, formed, evidence)

    gained = old.to_club(evidence).rating - old.to_club(formed).rating
    assert new.to_club(after).rating - new.to_club(current).rating == pytest.approx(gained, abs=1e-6)
    if current.deviation is not None and formed.deviation is None:
        assert new.to_club(after).deviation == pytest.approx(new.to_club(current).deviation)
    if current.volatility is not None and formed.volatility is None:
        assert after.volatility == current.volatility


def test_the_later_of_two_models_is_the_one_that_came_into_force_later() -> None:
    start = datetime(2030, 1, 1, tzinfo=UTC)
    first = BeliefModel(UUID(int=3), get_engine("elo"), 1)
    second = BeliefModel(UUID(int=1), get_engine("glicko2"), 3, start)
    third = BeliefModel(UUID(int=2), get_engine("elo"), 2, start + timedelta(days=1))

    in_order = (first, second, third)
    assert [[one.is_later_than(other) for other in in_order] for one in in_order] == [
        [False, False, False],
        [True, False, False],
        [True, True, False],
    ]
