"""What holds for every engine and every match."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core.registry import get_engine
from ratings.core.types import Belief, Engine, RatingInputError, Signals
from tests.ratings_core.strategies import CLUB_BELIEFS, ENGINE_IDS, ENGINES, line_ups, on_own_scale

each_engine = pytest.mark.parametrize("engine", ENGINES, ids=ENGINE_IDS)
TWO_TEAMS = line_ups(max_teams=2)
QUICK = settings(max_examples=60, deadline=None)


def numbers(teams: tuple[tuple[Belief, ...], ...]) -> list[float]:
    found = [value for team in teams for one in team for value in (one.rating, one.deviation, one.volatility)]
    return [value for value in found if value is not None]


@each_engine
@given(TWO_TEAMS, st.sampled_from([(0, 1), (1, 0), (0, 0)]))
@QUICK
def test_swapping_the_sides_swaps_the_answer(engine: Engine, club: list[list[Belief]], ranks: tuple[int, int]) -> None:
    teams = on_own_scale(engine, club)

    straight = engine.update(teams, ranks)
    swapped = engine.update(teams[::-1], ranks[::-1])

    assert numbers(straight) == pytest.approx(numbers(swapped[::-1]), rel=1e-9, abs=1e-9)
    assert sum(engine.expected(teams)) == pytest.approx(1)
    assert engine.expected(teams) == pytest.approx(engine.expected(teams[::-1])[::-1], abs=1e-12)


@each_engine
@given(TWO_TEAMS)
@QUICK
def test_a_win_never_lowers_a_rating_and_a_loss_never_raises_it(engine: Engine, club: list[list[Belief]]) -> None:
    teams = on_own_scale(engine, club)

    winners, losers = engine.update(teams, [0, 1])

    assert all(new.rating >= old.rating for new, old in zip(winners, teams[0], strict=True))
    assert all(new.rating <= old.rating for new, old in zip(losers, teams[1], strict=True))


@each_engine
@given(line_ups(), st.data())
@QUICK
def test_a_deviation_never_grows_from_a_match_beyond_the_engine_s_own_drift(
    engine: Engine, club: list[list[Belief]], data: st.DataObject
) -> None:
    teams = on_own_scale(engine, club)
    ranks = data.draw(st.lists(st.integers(0, 3), min_size=len(teams), max_size=len(teams)))

    for team, old_team in zip(engine.update(teams, ranks), teams, strict=True):
        for new, old in zip(team, old_team, strict=True):
            assert (new.deviation or 0) <= drifted(engine, old, new) * (1 + 1e-12)


def drifted(engine: Engine, old: Belief, new: Belief) -> float:
    given_parameters = engine.parameters.as_dict()
    drift = float(given_parameters.get("tau", 0.0)) if engine.name not in ("glicko", "glicko2") else 0.0
    if engine.name == "glicko2":
        drift = (new.volatility or 0) * 400 / math.log(10)
    return max(math.hypot(old.deviation or 0, drift), float(given_parameters.get("deviation_floor", 0.0)))


@each_engine
@given(line_ups(), st.randoms(use_true_random=False))
@QUICK
def test_the_order_of_teams_and_members_does_not_matter(engine: Engine, club: list[list[Belief]], rng: Any) -> None:
    teams = on_own_scale(engine, club)
    ranks = rng.sample(range(10), len(teams))
    turned = rng.sample(range(len(teams)), len(teams))
    inside = [rng.sample(range(len(team)), len(team)) for team in teams]

    straight = engine.update(teams, ranks)
    mixed = engine.update([[teams[i][j] for j in inside[i]] for i in turned], [ranks[i] for i in turned])

    same = tuple(tuple(straight[i][j] for j in inside[i]) for i in turned)
    assert numbers(same) == pytest.approx(numbers(mixed), rel=1e-8, abs=1e-8)


@each_engine
@given(
    st.lists(
        st.lists(
            st.builds(
                Belief,
                rating=st.floats(-1e9, 1e9),
                deviation=st.floats(1e-9, 1e9),
                volatility=st.floats(1e-9, 1e9),
            ),
            min_size=1,
            max_size=3,
        ),
        min_size=2,
        max_size=4,
    ),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_everything_is_finite_for_every_finite_input(
    engine: Engine, teams: list[list[Belief]], data: st.DataObject
) -> None:
    ranks = data.draw(st.lists(st.integers(0, 3), min_size=len(teams), max_size=len(teams)))
    signals = Signals(margin=data.draw(st.floats(0, 1e9)))

    new = engine.update(teams, ranks, signals=signals, side=0)

    assert all(math.isfinite(value) for value in numbers(new))
    assert all(0 <= chance <= 1 for chance in engine.expected(teams, side=0))
    for team in new:
        for one in team:
            assert math.isfinite(engine.conservative(one))
            assert math.isfinite(engine.widen(one, 3650).rating)


@each_engine
@given(CLUB_BELIEFS)
@QUICK
def test_the_club_scale_maps_there_and_back(engine: Engine, belief: Belief) -> None:
    own = engine.from_club(belief)

    again = engine.from_club(engine.to_club(own))

    assert numbers(((own,),)) == pytest.approx(numbers(((again,),)))
    assert engine.to_club(own).rating == pytest.approx(belief.rating)


@each_engine
@given(CLUB_BELIEFS, st.floats(0, 3000))
@QUICK
def test_idle_time_only_widens(engine: Engine, belief: Belief, days: float) -> None:
    own = engine.from_club(belief)

    aged = engine.widen(own, days)

    assert (aged.rating, aged.volatility) == (own.rating, own.volatility)
    assert (aged.deviation or 0) >= (own.deviation or 0)


def bad_matches() -> list[tuple[str, dict[str, Any]]]:
    a, b = Belief(1500, 90, 0.06), Belief(1520, 80, 0.06)
    good: dict[str, Any] = {"teams": [[a], [b]], "ranks": [0, 1]}
    return [
        ("teams", {**good, "teams": [[a]], "ranks": [0]}),
        ("teams[1]", {**good, "teams": [[a], []]}),
        ("teams[0][0].rating", {**good, "teams": [[Belief(math.nan, 90, 0.06)], [b]]}),
        ("teams[0][0].rating", {**good, "teams": [[Belief(math.inf, 90, 0.06)], [b]]}),
        ("teams[1][0].deviation", {**good, "teams": [[a], [Belief(1500, -1, 0.06)]]}),
        ("teams[1][0].volatility", {**good, "teams": [[a], [Belief(1500, 90, math.nan)]]}),
        ("ranks", {**good, "ranks": [0, 1, 2]}),
        ("ranks[1]", {**good, "ranks": [0, math.nan]}),
        ("weights", {**good, "weights": [[1]]}),
        ("weights[0][0]", {**good, "weights": [[1.5], [1]]}),
        ("weights", {**good, "weights": [[0], [1]]}),
        ("side", {**good, "side": 2}),
        ("signals.margin", {**good, "signals": Signals(margin=-1)}),
        ("signals.games", {**good, "signals": Signals(games=[[1]])}),
        ("players", {**good, "signals": Signals(players=[["alice"], ["alice"]])}),
    ]


@each_engine
@pytest.mark.parametrize(("field", "match"), bad_matches())
def test_bad_input_is_refused_by_the_name_of_the_field(engine: Engine, field: str, match: dict[str, Any]) -> None:
    with pytest.raises(RatingInputError) as refused:
        engine.update(**match)

    assert refused.value.field == field


@each_engine
def test_parameters_survive_json_and_describe_themselves(engine: Engine) -> None:
    values = engine.parameters.as_dict()

    assert get_engine(engine.name, values).parameters == engine.parameters
    assert [info.name for info in engine.parameters.schema()] == list(values)
    assert all(info.description.endswith(".") for info in engine.parameters.schema())
