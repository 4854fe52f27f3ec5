"""FIDE's first rating in monthly periods: a newcomer's first five games make it together."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core.elo_fide import initial_rating
from ratings.core.history import Member, Recorded, chunked
from ratings.core.periods import check_period, rate_games
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.replay import Replay
from ratings.core.report import ModelSpec
from ratings.core.types import Belief, PeriodGame, PlayerFacts

ENGINE = get_engine("elo_fide", {"first_rating": True})
START = Belief(1500)
games = st.lists(
    st.builds(PeriodGame, st.builds(Belief, st.integers(1000, 2600).map(float)), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=1,
    max_size=9,
)


def against(*opponents: int, score: float = 1.0) -> list[PeriodGame]:
    return [PeriodGame(Belief(float(one)), score) for one in opponents]


def test_fewer_than_five_games_change_nothing_and_are_remembered() -> None:
    found = rate_games(ENGINE, START, against(1600, 1700, 1800, 1900), PlayerFacts(games=0))

    assert found.belief == START
    assert found.shares == (0, 0, 0, 0)
    assert set(found.beliefs) == {START}


def test_the_fifth_game_makes_the_first_rating_of_all_five() -> None:
    before = tuple(against(1600, 1700, 1800)) + tuple(against(1900, score=0.0))

    found = rate_games(ENGINE, START, against(2000, score=0.5), PlayerFacts(games=4, first_games=before))

    # 1800 on average, the two of 1800 included; 3.5 of 5 and two draws are 4.5 of 7, .64, for which the table has 102
    assert found.belief == Belief(1902) == Belief(float(initial_rating([1600, 1700, 1800, 1900, 2000], 3.5)))
    assert sum(found.shares) == Fraction(402)


def test_a_first_rating_is_at_most_2200() -> None:
    assert rate_games(ENGINE, START, against(*[2700] * 6), PlayerFacts(games=0)).belief == Belief(2200)


def test_from_the_sixth_game_on_the_handbook_s_changes_apply() -> None:
    results = against(1500)

    assert ENGINE.rate_period(START, results, PlayerFacts(games=5)) == Belief(1520)
    assert ENGINE.rate_period(START, results) == Belief(1510), "without facts K is that of 30 games and more"
    assert get_engine("elo_fide").rate_period(START, results, PlayerFacts(games=0)) == Belief(1520)


def test_a_game_that_was_not_played_is_none_of_the_five() -> None:
    missed = PeriodGame(Belief(1500), 1.0, played=(1.0, 0.0))

    assert rate_games(ENGINE, START, [missed, *against(1600, 1700, 1800, 1900)], PlayerFacts()).belief == START


@given(games, games)
@settings(max_examples=100, deadline=None)
def test_it_does_not_matter_in_which_month_the_games_were_played(
    one: list[PeriodGame], other: list[PeriodGame]
) -> None:
    first = rate_games(ENGINE, START, one, PlayerFacts(games=0)).belief
    if len(one) >= 5:
        assert first == Belief(float(initial_rating([game.opponent.rating for game in one], sum(g.score for g in one))))
        return
    assert first == START
    later = PlayerFacts(games=len(one), first_games=tuple(one))

    assert (
        rate_games(ENGINE, first, other, later).belief
        == rate_games(ENGINE, START, [*one, *other], PlayerFacts()).belief
    )


def test_first_ratings_need_periods() -> None:
    with pytest.raises(RatingInputError, match="period"):
        check_period(ENGINE, "match", 2, 1)
    check_period(ENGINE, "month", 2, 1)
    with pytest.raises(RatingInputError, match="period"):
        ModelSpec.parse('elo_fide:{"first_rating": true}')


def test_a_replay_by_months_remembers_a_newcomer_s_games_also_over_a_stop() -> None:
    def game(a: int, b: int, score: float, month: int, day: int) -> Recorded:
        ranks = (1 - score, score)
        when = float(date(2026, month, day).toordinal())
        return Recorded(teams=((Member(a),), (Member(b),)), ranks=ranks, day=when)

    months = [game(0, 1, 1.0, 1, day) for day in (1, 2, 3)] + [game(0, 1, 0.5, 2, day) for day in (1, 2, 3)]
    whole, before, after = (Replay(ENGINE, period="month") for _ in range(3))
    for chunk in chunked(months, 2):
        whole.run(chunk)
    for chunk in chunked(months[:4]):
        before.run(chunk)
    after.restore(before.checkpoint())
    for chunk in chunked(months[4:]):
        after.run(chunk)

    for replay in (whole, after):
        replay.close()
        assert replay.belief(0) == Belief(float(initial_rating([1500] * 6, 4.5)))
        assert replay.belief(1) == Belief(float(initial_rating([1500] * 6, 1.5)))
