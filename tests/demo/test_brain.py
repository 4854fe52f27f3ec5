"""How the demo's bots decide."""

from __future__ import annotations

import random
from uuid import UUID

import pytest

from matchmaking.demo import brain
from matchmaking.demo.brain import Waiting
from matchmaking.demo.cast import extra_bots, password_of, true_skill
from matchmaking.demo.history import league_seasons, strength_of_teams

IDLE = {UUID(int=number): 600.0 + 60 * number for number in range(28)}


def somebody(rating: float, waited: float, *, is_bot: bool = False, number: int = 900) -> Waiting:
    """Somebody in the queue."""
    return Waiting(player=UUID(int=number), is_bot=is_bot, waited=waited, rating=rating)


def called(*waiting: Waiting, idle: dict[UUID, float] | None = None) -> list[UUID]:
    """Who is sent."""
    return brain.company(waiting, IDLE if idle is None else idle, random.Random(1))


@pytest.mark.parametrize("rating", [800.0, 1200.0, 1500.0, 1800.0, 2100.0])
def test_a_person_gets_near_company_at_once(rating: float) -> None:
    [bot] = called(somebody(rating, 1.0))

    assert abs(IDLE[bot] - rating) <= brain.NEAR


def test_nobody_is_sent_before_a_moment_has_passed_or_when_somebody_near_waits() -> None:
    assert called(somebody(1500, 0.4)) == []
    assert called(somebody(1500, 3.0), somebody(1550, 0.1, is_bot=True, number=901)) == []


def test_a_person_whom_nobody_near_fits_gets_another_bot_after_a_while() -> None:
    near = somebody(1500, 0.1, is_bot=True, number=901)

    assert len(called(somebody(1500, 6.0), near)) == 1


def test_two_persons_get_one_each_and_never_the_same() -> None:
    sent = called(somebody(900, 1.0), somebody(2000, 1.0, number=901))

    assert len(set(sent)) == 2


def test_a_bot_waits_a_little_longer() -> None:
    assert called(somebody(1500, 4.0, is_bot=True)) == []
    assert len(called(somebody(1500, 5.0, is_bot=True))) == 1


def test_with_no_bot_in_reach_nobody_is_sent() -> None:
    assert called(somebody(1500, 5.0), idle={}) == []
    assert called(somebody(1500, 5.0), idle={UUID(int=1): 2300.0}) == []


def test_the_stronger_wins_as_often_as_the_gap_says_and_scores_fit() -> None:
    outcomes = [brain.play(f"match {number}", (1700.0, 1500.0)) for number in range(4000)]
    share = sum(1.0 if one.winner == 0 else 0.5 if one.winner is None else 0.0 for one in outcomes) / len(outcomes)

    assert 0.70 < share < 0.80
    for one in outcomes:
        first, second = one.scores
        assert one.winner == (None if first == second else 0 if first > second else 1)


def test_the_same_match_always_ends_the_same() -> None:
    assert brain.play("m", (1500, 1500)) == brain.play("m", (1500, 1500))
    assert brain.delay("m", 1, 4) == brain.delay("m", 1, 4)


def test_a_demo_left_alone_writes_less_and_less() -> None:
    paces = [brain.pace(since_person=seconds) for seconds in (0, 3600, 2 * 86400)]

    assert paces == [brain.LIVELY, brain.CALM, brain.ASLEEP]
    assert 86400 / brain.ASLEEP / 2 < 100  # matches a day


def test_the_bots_cover_the_whole_range_of_skill() -> None:
    skills = [bot.skill for bot in extra_bots()]

    assert (min(skills), max(skills)) == (550.0, 2300.0)
    assert {bot.self_assessment for bot in extra_bots()} == {"novice", "casual", "club", "expert"}
    assert true_skill("liverpool", "Liverpool") > true_skill("southampton", "Southampton")
    assert true_skill("nobody", "Nobody") == 1500.0


def test_the_history_is_the_last_three_seasons_of_one_league() -> None:
    seasons = league_seasons()

    assert [season.name for season in seasons] == ["2022-23", "2023-24", "2024-25"]
    assert all(season.content.count(b"\n") == 381 for season in seasons)
    assert len(strength_of_teams()) == 24


def test_passwords_stay_the_same_in_one_installation_and_differ_in_another() -> None:
    assert password_of("demo-player", secret="one") == password_of("demo-player", secret="one")
    assert password_of("demo-player", secret="one") != password_of("demo-player", secret="two")
    assert password_of("demo-player", secret="one") != password_of("demo-moderator", secret="one")
