"""Replays: the loops are the live formulas, compiled or not, in one go or with a stop."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ratings.core.history import Chunk, Member, Recorded, chunked
from ratings.core.periods import MATCH, MONTH
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.replay import Replay
from ratings.core.replay_live import walk
from ratings.core.types import Belief
from ratings.core.weng_lin import MODELS
from tests.ratings_core.histories import duels, everything

COMMON = {"side_advantage": 60, "margin_weight": 0.3, "margin_power": 0.5, "party_offset": 15}
SIGNALS = {"experience_offset": -80, "quit_penalty": 20, "performance_weight": 0.3}
MODELS_TRIED: list[tuple[str, dict[str, Any]]] = [
    ("elo", {"provisional_games": 10, "minimum_change": 1, "draw_probability": 0.2}),
    ("elo_fide", {}),
    ("glicko", {"draw_probability": 0.2}),
    ("glicko2", {}),
    ("trueskill", {}),
    ("trueskill2", SIGNALS),
    *[("weng_lin", {"model": model}) for model in MODELS],
    ("weng_lin", {"draw_probability": 0.3}),
]
each_model = pytest.mark.parametrize(
    ("name", "own"), MODELS_TRIED, ids=[f"{name}-{own.get('model', '')}" for name, own in MODELS_TRIED]
)


class Live(Replay):
    """The same walk through the engine's live door."""

    def _run_loop(self, chunk: Chunk, context: Any) -> np.ndarray:
        return walk(self.engine, chunk, self._state, context, ageing=self.ageing)


def outcome(replay: Replay, matches: list[Recorded]) -> np.ndarray:
    played = [replay.run(chunk) for chunk in chunked(matches, 150)]
    chances = np.concatenate([one.chances for one in played])
    states = [replay.checkpoint()[name] for name in ("rating", "deviation", "volatility", "games")]
    return np.concatenate((chances, *[np.asarray(state, dtype=float) for state in states]))


@each_model
@pytest.mark.parametrize("ageing", [False, True])
def test_the_loops_are_the_live_formulas(name: str, own: dict[str, Any], ageing: bool) -> None:
    engine = get_engine(name, {**COMMON, **own})
    for matches in (duels(400, 20), everything(250, 40)):
        live = outcome(Live(engine, accelerate=False, ageing=ageing), matches)

        looped = outcome(Replay(engine, accelerate=False, ageing=ageing), matches)

        assert looped == pytest.approx(live, rel=1e-9, abs=1e-9)


@each_model
def test_a_stop_and_a_restart_change_nothing(name: str, own: dict[str, Any]) -> None:
    engine = get_engine(name, own)
    matches = everything(120, 30)
    whole = Replay(engine, accelerate=False)
    outcome(whole, matches)

    before, after = Replay(engine, accelerate=False), Replay(engine, accelerate=False)
    outcome(before, matches[:70])
    after.restore(before.checkpoint())
    outcome(after, matches[70:])

    for part, values in whole.checkpoint().items():
        np.testing.assert_array_equal(after.checkpoint()[part], values)


KERNEL_CACHE = Path(__file__).parents[2] / "var" / "numba"  # only the first run on a checkout compiles


@pytest.mark.parametrize("name", ["elo", "glicko2", "trueskill2", "weng_lin"])
def test_compiled_loops_agree_with_plain_ones(name: str) -> None:
    engine = get_engine(name, COMMON)
    for matches in (duels(3000, 50), everything(500, 40)):
        plain = outcome(Replay(engine, accelerate=False, ageing=True), matches)

        fast = outcome(Replay(engine, accelerate=True, cache_folder=KERNEL_CACHE, ageing=True), matches)

        assert fast == pytest.approx(plain, rel=1e-9, abs=1e-9)


class General(Replay):
    """Never takes the shorter loop for duels."""

    def _individual(self, chunk: Chunk) -> bool:
        return True


def test_duels_and_the_general_loop_are_one() -> None:
    matches = duels(300, 20)
    for name, own in MODELS_TRIED:
        engine = get_engine(name, {**COMMON, **own})

        general = outcome(General(engine, accelerate=False), matches)

        assert general == pytest.approx(outcome(Replay(engine, accelerate=False), matches), rel=1e-9)


def test_a_deleted_match_leaves_no_trace_in_a_replay() -> None:
    matches = duels(9, 4)
    without = [match for number, match in enumerate(matches) if number != 1]
    engine = get_engine("elo")

    replay = Replay(engine, accelerate=False)
    outcome(replay, without)

    assert sum(replay.games_played()) == 16
    assert sum(replay.club_ratings()) == pytest.approx(4 * 1500)


def test_the_state_grows_with_players_and_not_with_matches() -> None:
    engine = get_engine("glicko2")
    short, long = Replay(engine, accelerate=False), Replay(engine, accelerate=False)

    outcome(short, duels(300, 10))
    outcome(long, duels(3000, 10))

    assert {name: len(values) for name, values in short._state.items()} == {
        name: len(values) for name, values in long._state.items()
    }


@pytest.mark.parametrize("period", [MATCH, MONTH])
def test_who_reached_2400_moves_by_k_10_for_good(period: str) -> None:
    """FIDE 8.3.3: thirty draws with an equal, then a defeat a month by an equal costs 5, also below 2400."""
    replay = Replay(get_engine("elo_fide"), period=period)
    master, equal = Member(0), Member(1)
    day, ratings = 737_425.0, []
    for player in (master, equal):
        replay.put(player.player, Belief(2405.0))
    replay.run(Chunk.of([Recorded(((master,), (equal,)), (1.0, 1.0), day=day)] * 30))

    for number in range(1, 6):
        replay.close()
        ratings.append(replay.belief(master.player).rating)
        replay.put(1 + number, Belief(ratings[-1]))
        lost = Recorded(((master,), (Member(1 + number),)), (2.0, 1.0), day=day + 31 * number)
        replay.run(Chunk.of([lost]))

    assert ratings == [2405.0, 2400.0, 2395.0, 2390.0, 2385.0]


def test_a_race_that_the_live_engine_refuses_is_refused() -> None:
    race = Recorded(tuple((Member(number),) for number in range(65)), tuple(map(float, range(65))))

    Replay(get_engine("weng_lin")).run(Chunk.of([race]))
    with pytest.raises(RatingInputError, match="teams: must be 2 to 64 for trueskill, got 65"):
        Replay(get_engine("trueskill")).run(Chunk.of([race]))
