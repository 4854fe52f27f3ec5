"""Rating periods: where they begin and end, and how a period's change is told game by game."""

import math
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ratings.core.periods import PERIODS, check_period, period_bounds, rate_games, shared_out
from ratings.core.problems import RatingInputError
from ratings.core.registry import engine_names, get_engine
from ratings.core.replay_periods import period_numbers
from ratings.core.types import Belief, Engine, PeriodGame, PlayerFacts, Signals
from tests.ratings_core.strategies import CLUB_BELIEFS

WITH_PERIODS = ["elo", "elo_fide", "glicko", "glicko2"]
FEATURES = {"side_advantage": 60, "margin_weight": 0.3, "margin_power": 0.5}
ENGINES = [get_engine(name, parameters) for name in WITH_PERIODS for parameters in ({}, FEATURES)]
each_engine = pytest.mark.parametrize(
    "engine", ENGINES, ids=[f"{e.name}-{e.parameters.side_advantage}" for e in ENGINES]
)
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "America/Sao_Paulo", "UTC"]


def games(least: int = 0) -> st.SearchStrategy[list[PeriodGame]]:
    game = st.builds(
        PeriodGame,
        opponent=CLUB_BELIEFS,
        score=st.sampled_from([0.0, 0.5, 1.0]),
        side=st.sampled_from([-1, 0, 1]),
        margin=st.none() | st.floats(0, 50),
        played=st.just((1.0, 1.0)) | st.tuples(st.floats(0, 1), st.floats(0, 1)),
    )
    return st.lists(game, min_size=least, max_size=25)


def own(engine: Engine, played: list[PeriodGame]) -> list[PeriodGame]:
    return [
        PeriodGame(engine.from_club(game.opponent), game.score, game.side, game.margin, game.played) for game in played
    ]


def local(zone: str, *moment: int) -> datetime:
    return datetime(*moment, tzinfo=ZoneInfo(zone))  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("zone", "at", "start", "end", "hours"),
    [
        ("Europe/Berlin", (2026, 3, 29, 1, 59), (2026, 3, 23), (2026, 3, 30), 167),
        ("Europe/Berlin", (2026, 10, 25, 2, 30), (2026, 10, 19), (2026, 10, 26), 169),
        ("America/New_York", (2026, 3, 8, 3, 0), (2026, 3, 2), (2026, 3, 9), 167),
        ("America/New_York", (2026, 11, 1, 1, 30), (2026, 10, 26), (2026, 11, 2), 169),
        ("Australia/Lord_Howe", (2026, 4, 5, 1, 45), (2026, 3, 30), (2026, 4, 6), 168.5),
        ("Australia/Lord_Howe", (2026, 10, 4, 2, 30), (2026, 9, 28), (2026, 10, 5), 167.5),
    ],
)
def test_a_week_goes_from_monday_to_monday_by_the_club_s_clocks_whichever_way_they_change(
    zone: str, at: tuple[int, ...], start: tuple[int, ...], end: tuple[int, ...], hours: float
) -> None:
    found = period_bounds(local(zone, *at), "week", ZoneInfo(zone))

    assert found == (local(zone, *start), local(zone, *end))
    assert (found[1] - found[0]) / timedelta(hours=1) == hours


@pytest.mark.parametrize(
    ("zone", "month", "hours"),
    [
        ("Europe/Berlin", (2026, 3), 31 * 24 - 1),
        ("Europe/Berlin", (2026, 10), 31 * 24 + 1),
        ("America/New_York", (2026, 3), 31 * 24 - 1),
        ("America/New_York", (2026, 11), 30 * 24 + 1),
        ("Australia/Lord_Howe", (2026, 4), 30 * 24 + 0.5),
        ("Australia/Lord_Howe", (2026, 10), 31 * 24 - 0.5),
        ("Europe/Berlin", (2028, 2), 29 * 24),
    ],
)
def test_a_month_goes_from_its_first_day_to_the_next_one_s(zone: str, month: tuple[int, int], hours: float) -> None:
    year, number = month
    first = local(zone, year, number, 1)

    for at in (first, local(zone, year, number, 15, 12), local(zone, year, number, 28, 23, 59)):
        start, end = period_bounds(at, "month", ZoneInfo(zone))

        assert start == first
        assert (end - start) / timedelta(hours=1) == hours


def test_the_year_ends_inside_a_week_and_december_is_followed_by_january() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    eve = local("Europe/Berlin", 2026, 12, 31, 23, 59, 59)

    assert period_bounds(eve, "week", berlin)[1] == local("Europe/Berlin", 2027, 1, 4)
    assert period_bounds(eve, "month", berlin)[1] == local("Europe/Berlin", 2027, 1, 1)


def test_clocks_that_go_back_over_midnight_leave_no_moment_without_its_period() -> None:
    """In 2009 St John's set its clocks back at one minute past midnight of 1 November."""
    zone = ZoneInfo("America/St_Johns")
    november = local("America/St_Johns", 2009, 11, 1).astimezone(UTC)
    once_more_october = november + timedelta(minutes=31)
    assert once_more_october.astimezone(UTC).astimezone(zone).date() == date(2009, 10, 31)

    start, end = period_bounds(once_more_october, "month", zone)

    assert (start, end) == (november, local("America/St_Johns", 2009, 12, 1))


@given(
    st.datetimes(datetime(1995, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(ZONES),
    st.sampled_from(["week", "month"]),
)
@settings(max_examples=400, deadline=None)
def test_every_moment_lies_in_one_period_and_periods_follow_one_another(at: datetime, zone: str, period: str) -> None:
    where = ZoneInfo(zone)

    start, end = period_bounds(at, period, where)

    assert start <= at < end
    assert period_bounds(start, period, where) == (start, end)
    assert period_bounds(end - timedelta(microseconds=1), period, where) == (start, end)
    assert period_bounds(end, period, where)[0] == end


def test_days_are_numbered_by_week_and_month() -> None:
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 31), date(2026, 4, 1)]
    numbers = np.array([float(day.toordinal()) for day in days] + [math.nan])

    weeks, months = period_numbers(numbers, "week"), period_numbers(numbers, "month")

    assert (weeks - weeks[0]).tolist()[:5] == [0, 0, 1, 5, 5]
    assert (months - months[0]).tolist()[:5] == [0, 1, 1, 1, 2]
    assert np.isnan(weeks[5])
    assert np.isnan(months[5])
    assert period_numbers(np.array([float(date(1870, 1, 31).toordinal())]), "month") == -100 * 12


@pytest.mark.parametrize("period", ["match", "day", ""])
def test_only_weeks_and_months_have_bounds(period: str) -> None:
    with pytest.raises(RatingInputError, match="period"):
        period_bounds(datetime(2026, 1, 1, tzinfo=UTC), period, UTC)
    with pytest.raises(RatingInputError, match="period"):
        period_numbers(np.array([1.0]), period)


def test_periods_are_for_engines_that_have_them_and_for_one_against_one() -> None:
    assert [name for name in engine_names() if get_engine(name).has_periods] == WITH_PERIODS
    for name in engine_names():
        check_period(get_engine(name), "match", 5, 5)
        for period in ("week", "month"):
            if name in WITH_PERIODS:
                check_period(get_engine(name), period, 2, 1)
    refused: list[tuple[str, str, int, int]] = [
        ("trueskill", "week", 2, 1),
        ("weng_lin", "month", 2, 1),
        ("glicko2", "week", 2, 2),
        ("glicko2", "week", 3, 1),
        ("glicko2", "day", 2, 1),
    ]
    for name, period, teams, size in refused:
        with pytest.raises(RatingInputError) as problem:
            check_period(get_engine(name), period, teams, size)
        assert problem.value.field == "period"
    assert PERIODS == ("match", "week", "month")


@each_engine
@given(CLUB_BELIEFS, games(), st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_the_shares_add_up_exactly_and_none_has_the_wrong_sign(
    engine: Engine, club: Belief, played: list[PeriodGame], before: int
) -> None:
    belief, results = engine.from_club(club), own(engine, played)

    found = rate_games(engine, belief, results, PlayerFacts(games=before))

    assert sum(found.shares, Fraction(0)) == Fraction(found.belief.rating) - Fraction(belief.rating)
    for game, share in zip(results, found.shares, strict=True):
        assert share >= 0 if game.score == 1 else share <= 0 if game.score == 0 else True
    assert found.belief == engine.rate_period(belief, results, PlayerFacts(games=before))
    steps = [belief, *found.beliefs]
    for game, (one, after) in zip(results, pairwise(steps), strict=True):
        assert after.rating >= one.rating if game.score == 1 else True
        assert after.rating <= one.rating if game.score == 0 else True
    if results:
        assert found.beliefs[-1] == found.belief


@each_engine
@given(CLUB_BELIEFS, games(2), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_games_does_not_change_the_final_belief(
    engine: Engine, club: Belief, played: list[PeriodGame], rng: Any
) -> None:
    belief, results = engine.from_club(club), own(engine, played)
    mixed = rng.sample(results, len(results))

    assert rate_games(engine, belief, mixed).belief == rate_games(engine, belief, results).belief


@each_engine
@given(
    CLUB_BELIEFS,
    CLUB_BELIEFS,
    st.sampled_from([0.0, 0.5, 1.0]),
    st.none() | st.floats(0, 9),
    st.sampled_from([None, 0, 1]),
)
@settings(max_examples=100, deadline=None)
def test_a_period_of_one_game_is_the_match(
    engine: Engine, mine: Belief, other: Belief, score: float, margin: float | None, side: int | None
) -> None:
    own_belief, opponent = engine.from_club(mine), engine.from_club(other)
    edge = 0 if side is None else 1 - 2 * side
    facts = [[PlayerFacts(games=40)], [PlayerFacts(games=40)]]
    played = (0.5, 0.5)

    by_match = engine.update(
        [[own_belief], [opponent]],
        [1 - score, score],
        weights=[[share] for share in played],
        signals=Signals(margin=margin, facts=facts),
        side=side,
    )[0][0]
    by_period = engine.rate_period(
        own_belief, [PeriodGame(opponent, score, edge, margin, played)], PlayerFacts(games=40)
    )

    assert by_period.rating == pytest.approx(by_match.rating, rel=1e-12)
    assert (by_period.deviation or 0) == pytest.approx(by_match.deviation or 0, rel=1e-12)
    assert (by_period.volatility or 0) == pytest.approx(by_match.volatility or 0, rel=1e-12)


@each_engine
@given(CLUB_BELIEFS, games())
@settings(max_examples=60, deadline=None)
def test_a_game_that_one_of_the_two_did_not_play_counts_for_nothing(
    engine: Engine, club: Belief, played: list[PeriodGame]
) -> None:
    belief, results = engine.from_club(club), own(engine, played)
    assume(all(min(game.played) > 0 for game in results))
    missed = [PeriodGame(belief, 1.0, played=played) for played in ((0.0, 1.0), (1.0, 0.0))]

    found = rate_games(engine, belief, [*missed, *results])

    assert found.belief == rate_games(engine, belief, results).belief
    assert found.shares[:2] == (0, 0)


def test_the_week_of_the_glicko_2_paper_is_told_game_by_game() -> None:
    engine = get_engine("glicko2")
    week = [PeriodGame(Belief(1400, 30), 1), PeriodGame(Belief(1550, 100), 0), PeriodGame(Belief(1700, 300), 0)]

    found = rate_games(engine, Belief(1500, 200, 0.06), week)

    assert found.belief.rating == pytest.approx(1464.06, abs=0.01)
    assert found.belief.deviation == pytest.approx(151.52, abs=0.01)
    assert found.belief.volatility == pytest.approx(0.05999, abs=0.00001)
    # phi'^2 g (s - E) of the three games, from the numbers that the paper prints: phi' 0.8722, g and E of its table
    by_hand = [173.7178 * 0.8722**2 * pull for pull in (0.9955 * 0.361, -0.9531 * 0.432, -0.7242 * 0.303)]
    assert [float(share) for share in found.shares] == pytest.approx(by_hand, abs=0.1)
    deviations = [200, *[one.deviation or 0 for one in found.beliefs]]
    ratios = [after / before for before, after in pairwise(deviations)]
    assert ratios == pytest.approx([ratios[0]] * 3)


def test_fide_rounds_a_month_once_and_the_shares_carry_it() -> None:
    engine = get_engine("elo_fide")
    month = [PeriodGame(Belief(1600), score) for score in (1, 0.5, 1, 0, 1, 1)]  # E .36 a game: 4.5 - 2.16 = 2.34

    found = rate_games(engine, Belief(1500), month, PlayerFacts(games=100))

    assert found.belief.rating == 1500 + 47  # 20 * 2.34 = 46.8
    assert [float(share) for share in found.shares] == pytest.approx([12.8, 2.8, 12.8, -7.2, 12.8, 13.0])


def test_a_rounding_that_the_last_game_cannot_bear_goes_on_the_one_before() -> None:
    assert shared_out([5.0, 0.25], Fraction(5)) == (Fraction(5), Fraction(0))
    assert shared_out([5.0, 0.25], Fraction(9, 2)) == (Fraction(9, 2), Fraction(0))
    assert shared_out([-0.25, 0.0], Fraction(0)) == (Fraction(0), Fraction(0))
    assert shared_out([0.25, -0.125], Fraction(0)) == (Fraction(1, 4), Fraction(-1, 4))
    assert shared_out([], Fraction(0)) == ()


def test_a_belief_from_outside_the_bounds_is_brought_back_and_still_adds_up() -> None:
    engine = get_engine("elo")
    outside = Belief(engine.from_club(Belief(50_000)).rating + 5000)

    found = rate_games(engine, outside, [PeriodGame(Belief(1500), 1)])

    assert found.belief.rating < outside.rating
    assert sum(found.shares) == Fraction(found.belief.rating) - Fraction(outside.rating)


@pytest.mark.parametrize(
    ("field", "game"),
    [
        ("results[0].margin", PeriodGame(Belief(1500, 50), 1, margin=-1.0)),
        ("results[0].played", PeriodGame(Belief(1500, 50), 1, played=(1.0, 1.5))),
        ("results[0].score", PeriodGame(Belief(1500, 50), 2)),
        ("results[0].side", PeriodGame(Belief(1500, 50), 1, side=2)),
    ],
)
def test_a_game_that_cannot_be_rated_is_refused_by_its_field(field: str, game: PeriodGame) -> None:
    for name in WITH_PERIODS:
        with pytest.raises(RatingInputError) as problem:
            rate_games(get_engine(name), Belief(1500, 90, 0.06), [game])
        assert problem.value.field == field
