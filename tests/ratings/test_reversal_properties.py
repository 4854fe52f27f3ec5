"""Whatever was played, corrected and changed, and whichever matches are taken back in whatever order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.services.verify import verify_ledger
from tests.ratings.taken_back import (
    ALGORITHMS,
    Correction,
    Game,
    NewModel,
    NextSeason,
    Pause,
    Play,
    Step,
    another_world,
    standings,
    without,
)
from tests.ratings.world import CAST, World

pytestmark = pytest.mark.service

RANKS = st.sampled_from(((1, 2), (2, 1), (1, 1)))
DUELS = st.permutations(CAST).map(lambda cast: ((cast[0],), (cast[1],)))
TEAMS = st.permutations(CAST).map(lambda cast: ((cast[0], cast[1]), (cast[2], cast[3])))
GAMES = st.builds(Game, st.one_of(DUELS, DUELS, TEAMS), RANKS)
UNDER_WAY = st.builds(Game, DUELS, RANKS, GAMES)
OTHERS = st.one_of(
    st.builds(Pause, st.integers(1, 300)),
    st.builds(Correction, st.sampled_from(CAST), st.floats(-300.0, 300.0)),
    st.builds(NewModel, st.sampled_from(ALGORITHMS)),
    st.just(NextSeason()),
)
HISTORIES = st.lists(st.one_of(GAMES, GAMES, GAMES, UNDER_WAY, OTHERS), min_size=3, max_size=14)
ordinary = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def _games(steps: Sequence[Step]) -> int:
    return sum(1 + (step.meanwhile is not None) for step in steps if isinstance(step, Game))


@st.composite
def taken_back(draw: st.DrawFn) -> tuple[list[Step], list[list[int]]]:
    """A history, and some of its games in batches, in the order in which they are taken back."""
    steps = draw(HISTORIES.filter(lambda steps: _games(steps) > 0))
    numbers = draw(st.lists(st.integers(0, _games(steps) - 1), unique=True, min_size=1, max_size=4))
    cut = draw(st.integers(0, len(numbers)))
    return steps, [batch for batch in (numbers[:cut], numbers[cut:]) if batch]


@ordinary
@given(told=taken_back())
def test_recomputed_ratings_are_those_of_a_ledger_that_never_had_the_matches(
    world: World, told: tuple[list[Step], list[list[int]]]
) -> None:
    steps, batches = told
    with another_world(world):
        never = without(world, steps, [number for batch in batches for number in batch])
        play = Play(world).run(steps)
        for batch in batches:
            play.reverse(batch)

        assert standings() == never
        assert verify_ledger() == []


@ordinary
@given(
    told=taken_back(), modes=st.lists(st.sampled_from(("refund", "recompute")), min_size=2, max_size=2), data=st.data()
)
def test_reinstating_in_any_order_restores_every_number_bit_for_bit(
    world: World, told: tuple[list[Step], list[list[int]]], modes: list[str], data: st.DataObject
) -> None:
    steps, batches = told
    with another_world(world):
        play = Play(world).run(steps)
        before = standings()
        for batch, mode in zip(batches, modes, strict=False):
            play.reverse(batch, mode)  # type: ignore[arg-type]
        back = data.draw(st.permutations([number for batch in batches for number in batch]))
        for number in back:
            play.reinstate([number])

        assert standings() == before
        assert verify_ledger() == []


@ordinary
@given(told=taken_back())
def test_refunds_give_back_what_the_matches_did_in_any_order(
    world: World, told: tuple[list[Step], list[list[int]]]
) -> None:
    steps, batches = told
    with another_world(world):
        play = Play(world).run(steps)
        before = standings()
        for batch in batches:
            play.reverse(batch, "refund")
        refunded = standings()
        assert verify_ledger() == []
        for key, row in refunded.items():
            mine = [number for batch in batches for number in batch if play.moved(number, *key)]
            counted = [play.moved(number, *key) for number in mine]
            assert row["games"] == before[key]["games"] - len(counted)
            if not mine:
                assert row == before[key]
            elif len({model for _delta, _points, model in counted} | {row["model"]}) == 1:
                expected = before[key]["rating"] - sum(delta for delta, _points, _model in counted)
                assert row["rating"] == pytest.approx(expected, abs=1e-6)


@ordinary
@given(first=HISTORIES, then=st.lists(st.one_of(GAMES, OTHERS), max_size=6), data=st.data())
def test_play_that_goes_on_after_a_recompute_is_that_of_a_ledger_that_never_had_the_match(
    world: World, first: list[Step], then: list[Step], data: st.DataObject
) -> None:
    steps: list[Step] = [Game((("alice",), ("bob",))), *first]
    number = data.draw(st.integers(0, _games(steps) - 1))
    with another_world(world):
        never = without(world, [*steps, *then], {number})
        play = Play(world).run(steps)
        now = world.now
        play.reverse({number})
        world.now = now
        play.run(then)

        assert standings() == never
        assert verify_ledger() == []
