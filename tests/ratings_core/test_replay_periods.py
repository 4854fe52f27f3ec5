"""Rating periods in replays: the loops are the live formulas, and a period is rated when the next one begins."""

import math
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ratings.core.history import Member, Recorded, chunked
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.replay import Replay
from ratings.core.replay_periods import WaitingGames, period_numbers
from ratings.core.types import Belief, PeriodGame, PlayerFacts
from tests.ratings_core.histories import duels, everything

COMMON = {"side_advantage": 60, "margin_weight": 0.3, "margin_power": 0.5}
MODELS: list[tuple[str, dict[str, Any]]] = [
    ("elo", {"provisional_games": 10, "minimum_change": 1, "draw_probability": 0.2}),
    ("elo_fide", {}),
    ("glicko", {"draw_probability": 0.2}),
    ("glicko2", {}),
]
each_model = pytest.mark.parametrize(("name", "own"), MODELS, ids=[name for name, _ in MODELS])
KERNEL_CACHE = Path(__file__).parents[2] / "var" / "numba"  # only the first run on a checkout compiles
MONDAY = float(date(2026, 3, 2).toordinal())


def game(a: int, b: int, score: float, day: float, shares: tuple[float, float] = (1.0, 1.0)) -> Recorded:
    teams = ((Member(a, weight=shares[0]),), (Member(b, weight=shares[1]),))
    return Recorded(teams=teams, ranks=(1 - score, score), day=day)


def season(count: int, players: int) -> list[Recorded]:
    """Made-up duels in which some members played a share only, or nothing."""
    found = []
    for number, match in enumerate(duels(count, players)):
        shares = {0: (1.0, 0.25), 1: (0.5, 0.5), 2: (0.0, 1.0)}.get(number % 11, (1.0, 1.0))
        teams = tuple((Member(team[0].player, weight=share),) for team, share in zip(match.teams, shares, strict=True))
        found.append(Recorded(teams=teams, ranks=match.ranks, side=match.side, margin=match.margin, day=match.day + 1))
    return found


def outcome(replay: Replay, matches: list[Recorded]) -> np.ndarray:
    played = [replay.run(chunk) for chunk in chunked(matches, 70)]
    replay.close()
    kept = replay.checkpoint()
    states = [np.asarray(kept[name], dtype=float) for name in ("rating", "deviation", "volatility", "games", "trail")]
    return np.concatenate((*[one.chances for one in played], *states))


def through_the_door(name: str, parameters: dict[str, Any], *, ageing: bool) -> Replay:
    engine = get_engine(name, parameters)
    replay = Replay(engine, accelerate=False, ageing=ageing, period="week")
    replay._waiting = WaitingGames(replay.engine, "week", ageing=ageing)
    return replay


@each_model
@pytest.mark.parametrize("ageing", [False, True])
def test_the_loops_are_the_live_formulas(name: str, own: dict[str, Any], ageing: bool) -> None:
    parameters, matches = {**COMMON, **own}, season(500, 20)
    live = outcome(through_the_door(name, parameters, ageing=ageing), matches)

    looped = outcome(Replay(get_engine(name, parameters), accelerate=False, ageing=ageing, period="week"), matches)

    np.testing.assert_allclose(looped, live, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["elo", "glicko2"])
def test_compiled_loops_agree_with_plain_ones(name: str) -> None:
    engine, matches = get_engine(name, COMMON), season(3000, 50)
    plain = outcome(Replay(engine, accelerate=False, ageing=True, period="month"), matches)

    fast = outcome(Replay(engine, accelerate=True, cache_folder=KERNEL_CACHE, ageing=True, period="month"), matches)

    np.testing.assert_allclose(fast, plain, rtol=1e-9, atol=1e-9)


@each_model
def test_a_stop_and_a_restart_inside_a_period_change_nothing(name: str, own: dict[str, Any]) -> None:
    engine, matches = get_engine(name, own), season(330, 15)
    whole = outcome(Replay(engine, accelerate=False, period="week"), matches)

    before, after = (Replay(engine, accelerate=False, period="week") for _ in range(2))
    chances = [before.run(chunk).chances for chunk in chunked(matches[:170], 70)]
    kept = before.checkpoint()
    before.close()
    after.restore(kept)
    rest = outcome(after, matches[170:])

    np.testing.assert_array_equal(np.concatenate((*chances, rest)), whole)


def test_inside_a_week_everybody_is_predicted_as_before_it_and_rated_after_it() -> None:
    engine = get_engine("glicko2")
    replay = Replay(engine, accelerate=False, period="week")
    week = [game(0, 1, 1.0, MONDAY), game(0, 2, 0.0, MONDAY + 3), game(0, 1, 1.0, MONDAY + 6)]

    inside = [replay.run(chunk).chances for chunk in chunked(week, 1)]

    assert [float(chances[0]) for chances in inside] == [0.5, 0.5, 0.5]
    assert replay.belief(0) == engine.initial()
    replay.run(next(chunked([game(1, 2, 1.0, MONDAY + 7)])))
    newcomer = engine.initial()
    games = [PeriodGame(newcomer, score) for score in (1.0, 0.0, 1.0)]
    assert replay.belief(0) == engine.rate_period(newcomer, games)


def test_a_month_of_fide_is_rounded_once_with_the_k_of_its_first_day() -> None:
    engine = get_engine("elo_fide")
    replay = Replay(engine, period="month")
    february = float(date(2026, 2, 1).toordinal())
    month = [game(0, 1, 1.0, february + day) for day in range(20)]
    march = [game(0, 1, 1.0, february + 28 + day) for day in range(20)]

    for chunk in chunked([*month, *march]):
        replay.run(chunk)
    replay.close()

    newcomer = PeriodGame(Belief(1500), 1.0)
    after = engine.rate_period(Belief(1500), [newcomer] * 20, PlayerFacts(games=0))
    loser = engine.rate_period(Belief(1500), [PeriodGame(Belief(1500), 0.0)] * 20, PlayerFacts(games=0))
    assert after == Belief(1850)  # K 700 / 20 games, half a point a game
    assert replay.belief(0) == engine.rate_period(after, [PeriodGame(loser, 1.0)] * 20, PlayerFacts(games=20))


def test_a_match_without_a_day_or_of_an_earlier_week_belongs_to_the_week_under_way() -> None:
    engine = get_engine("elo")
    replay = Replay(engine, accelerate=False, period="week")
    odd = [game(0, 1, 1.0, MONDAY + 7), game(0, 1, 1.0, math.nan), game(0, 1, 1.0, MONDAY)]

    chances = [replay.run(chunk).chances[0] for chunk in chunked(odd, 1)]

    assert chances == [0.5, 0.5, 0.5]
    replay.close()
    assert replay.belief(0) == engine.rate_period(Belief(1500), [PeriodGame(Belief(1500), 1.0)] * 3)


def test_the_first_ratings_of_a_newcomer_stand_still_inside_a_period() -> None:
    replay = Replay(get_engine("elo"), accelerate=False, period="week")
    days = [MONDAY, MONDAY + 1, MONDAY + 2, MONDAY + 7]

    for chunk in chunked([game(0, 1, 1.0, day) for day in days], 2):
        replay.run(chunk)
    replay.close()

    trail = replay.trails()[0]
    assert trail[:3].tolist() == [1500, 1500, 1548]
    assert trail[3] == replay.belief(0).rating > 1548
    assert np.isnan(trail[4:]).all()


def test_closing_twice_rates_once() -> None:
    replay = Replay(get_engine("elo"), accelerate=False, period="week")
    replay.run(next(chunked([game(0, 1, 1.0, MONDAY)])))

    replay.close()
    once = replay.belief(0)
    replay.close()

    assert replay.belief(0) == once == Belief(1516)


@pytest.mark.parametrize("name", ["elo", "elo_fide"])
def test_teams_and_races_have_no_rating_periods(name: str) -> None:
    replay = Replay(get_engine(name), accelerate=False, period="week")

    with pytest.raises(RatingInputError) as refused:
        replay.run(next(chunked(everything(20, 30))))

    assert refused.value.field == "period"


def test_periods_are_those_of_the_calendar() -> None:
    replay = Replay(get_engine("elo"), accelerate=False, period="month")
    days = np.array([float(date(2026, 1, 31).toordinal()), float(date(2026, 2, 1).toordinal())])
    assert np.diff(period_numbers(days, "month")) == [1]

    chances = [replay.run(chunk).chances[0] for chunk in chunked([game(0, 1, 1.0, day) for day in days], 1)]

    assert chances[0] == 0.5
    assert chances[1] > 0.5
