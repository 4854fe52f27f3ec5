"""Matches that were rated together with others of their period are taken back: the rest is rated together again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from ladder.models import Match, MatchParticipant, MatchTeam
from ratings.core.registry import get_engine
from ratings.models import RatingModel
from ratings.services.ledger import MatchOutcome, apply_history
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.recorded import load
from ratings.services.verify import verify_ledger
from tests.ratings.taken_back import Play, another_world, standings
from tests.ratings.world import CAST, START, World

pytestmark = pytest.mark.service
KINDS = [("glicko2", "week", None), ("elo_fide", "month", {"first_rating": True})]
PAIRS = [(one, other) for one in CAST for other in CAST if one != other]
WEEKS = [[(PAIRS[(week * 7 + number * 5) % 12], number % 3) for number in range(6)] for week in range(3)]


@pytest.mark.parametrize(("algorithm", "period", "parameters"), KINDS)
def test_the_rest_of_a_period_is_rated_as_if_the_match_had_never_been_in_it(
    world: World, algorithm: str, period: str, parameters: dict[str, Any] | None
) -> None:
    _rate_by(world, algorithm, period, parameters)
    with another_world(world):
        _weeks(world, {1, 4, 9})
        never = standings()
    play = _weeks(world, ())
    before = standings()

    play.reverse({9, 1})
    play.reverse({4})

    assert standings() == never
    assert verify_ledger() == []
    play.reinstate({1, 4, 9})
    assert standings() == before
    assert verify_ledger() == []


@pytest.mark.parametrize(("algorithm", "period", "parameters"), KINDS)
def test_an_untouched_queue_of_periods_walked_again_is_the_ledger_bit_for_bit(
    world: World, algorithm: str, period: str, parameters: dict[str, Any] | None
) -> None:
    _rate_by(world, algorithm, period, parameters)
    _weeks(world, ())
    ledger = load(world.queue.pk, lock=False)

    accounts = ledger.walk(set(), trusting=False)

    for key, chain in ledger.chains.items():
        assert accounts[key][1:] == [event.after for event in chain.events]


def test_a_match_of_a_period_is_refunded_and_reinstated_alone(world: World) -> None:
    _rate_by(world, "glicko2", "week", None)
    play = _weeks(world, ())
    before = standings()
    play.reverse({2}, "refund")
    play.reverse({13}, "refund")
    assert sum(row["games"] for row in standings().values()) == 2 * (18 - 2)
    play.reinstate({2})
    play.reinstate({13})

    assert standings() == before
    assert verify_ledger() == []


def _rate_by(world: World, algorithm: str, period: str, parameters: dict[str, Any] | None) -> None:
    full = get_engine(algorithm, parameters).parameters.as_dict()
    RatingModel.objects.filter(queue=world.queue).update(period=period, algorithm=algorithm, parameters=full)


def _weeks(world: World, left_out: Collection[int]) -> Play:
    """Three periods of six matches, each rated at its end; everybody has a first rating from the start."""
    play = Play(world)
    ensure_ratings(
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        newcomers=[Newcomer(world.id(name)) for name in CAST],
        rules=world.rules,
        now=START,
    )
    number = 0
    for week, games in enumerate(WEEKS):
        ends_at = START + timedelta(days=7 * (week + 1))
        outcomes = []
        for pair, draw in games:
            at = ends_at - timedelta(days=6) + timedelta(hours=number)
            if number not in left_out:
                outcomes.append(_match(world, pair, (1, 1) if draw == 2 else (1, 2), at, ends_at))
                play.matches[number] = outcomes[-1].match_id
            number += 1
        apply_history(outcomes=outcomes, newcomers={}, now=ends_at)
    world.now = START + timedelta(days=30)
    return play


def _match(world: World, pair: Sequence[str], ranks: tuple[int, int], at: datetime, ends_at: datetime) -> MatchOutcome:
    match = Match.objects.create(
        queue=world.queue,
        season=world.season,
        source="import",
        state="completed",
        formed_at=at,
        completed_at=at,
        rated_at=ends_at,
        period_ends_at=ends_at,
    )
    for index, (name, rank) in enumerate(zip(pair, ranks, strict=True)):
        team = MatchTeam.objects.create(match=match, index=index, rank=rank)
        MatchParticipant.objects.create(match=match, team=team, player=world.players[name])
    return MatchOutcome(
        match_id=match.pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        teams=tuple((world.id(name),) for name in pair),
        ranks=ranks,
        completed_at=at,
        rules=world.rules,
        period_ends_at=ends_at,
    )
