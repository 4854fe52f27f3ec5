"""Whole histories: the same numbers as one by one, only faster."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from ladder.models import Match
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.services import forecasts
from ratings.services.ledger import MatchOutcome, apply_history, apply_match
from ratings.services.placement import Newcomer
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.ratings.world import CAST, START, World, put_in_force

pytestmark = pytest.mark.service
LATER = START + timedelta(days=5000)  # after the last of the longest history
ANSWERS = ("", "novice", "club", "expert")


def test_a_history_gives_bit_for_bit_what_single_matches_give(world: World) -> None:
    outcomes = _history(world, 120)
    undo = transaction.savepoint()
    _one_by_one(world, outcomes)
    single = _numbers()
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers=_newcomers(world), now=LATER)

    assert _numbers() == single
    assert len(single["events"]) == 248
    assert verify_ledger() == []


def test_a_history_through_several_models_gives_bit_for_bit_what_single_matches_give(world: World) -> None:
    outcomes = _history(world, 60)
    for number, algorithm in ((15, "elo"), (30, "glicko2"), (45, "trueskill")):
        world.now = outcomes[number].completed_at - timedelta(seconds=90)
        put_in_force(world, algorithm)
    undo = transaction.savepoint()
    _one_by_one(world, outcomes)
    single = _numbers()
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers=_newcomers(world), now=LATER)

    assert _numbers() == single
    assert len({event["rating_model_id"] for event in single["events"]}) == 4
    assert verify_ledger() == []


def test_a_history_told_in_pieces_gives_the_same(world: World) -> None:
    outcomes = _history(world, 40)
    undo = transaction.savepoint()
    _one_by_one(world, outcomes)
    single = _numbers()
    transaction.savepoint_rollback(undo)

    for part in (outcomes[:7], outcomes[7:21], outcomes[21:]):
        apply_history(outcomes=part, newcomers=_newcomers(world), now=LATER)

    assert _numbers() == single


def test_B15_rounds_told_in_another_order_give_the_same(world: World) -> None:
    outcomes = _history(world, 30, breaks=(1, 20, 900))
    undo = transaction.savepoint()
    apply_history(outcomes=outcomes, newcomers={}, now=LATER)
    in_order = _numbers()
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=[*outcomes[20:], *outcomes[:10], *outcomes[10:20]], newcomers={}, now=LATER)

    assert _numbers() == in_order


def test_B17_matches_of_one_moment_are_rated_in_the_order_told_and_give_the_same_numbers_twice(world: World) -> None:
    outcomes = _history(world, 6, breaks=(0,))
    numbers = []
    for _ in range(2):
        undo = transaction.savepoint()
        apply_history(outcomes=outcomes, newcomers={}, now=LATER)
        numbers.append(_numbers())
        told = [outcome.match_id for outcome in outcomes if world.id("alice") in outcome.players]
        events = RatingEvent.objects.filter(player_rating__player=world.players["alice"], kind="match")
        assert list(events.order_by("player_rating__season__slug", "seq").values_list("match_id", flat=True)) == told
        transaction.savepoint_rollback(undo)

    assert numbers[0] == numbers[1]


def test_a_history_told_twice_rates_once(world: World) -> None:
    outcomes = _history(world, 10)
    apply_history(outcomes=[*outcomes, outcomes[0]], newcomers={}, now=LATER)
    numbers = _numbers()

    result = apply_history(outcomes=outcomes, newcomers={}, now=LATER)

    assert (result.rated, result.already_rated) == (0, 10)
    assert _numbers() == numbers


def test_matches_that_were_formed_before_keep_their_forecast(world: World) -> None:
    waiting = [world.outcome(world.form(["alice"], ["bob"])), world.outcome(world.form(["alice"], ["carol"]))]

    apply_history(outcomes=waiting, newcomers={}, now=world.now)

    assert world.last_event("alice").explanation["formed"]["rating"] == 1500.0
    assert ForecastEntry.objects.count() == 4


def test_a_history_costs_the_same_queries_whatever_its_length(world: World) -> None:
    counts = []
    for length in (5, 60):
        undo = transaction.savepoint()
        outcomes = _history(world, length)
        with assert_queries(20, "ratings, models, events, forecasts, four writes", at_most=True) as captured:
            apply_history(outcomes=outcomes, newcomers={}, now=LATER)
        counts.append(len(captured))
        transaction.savepoint_rollback(undo)

    assert counts[0] == counts[1]


def test_a_history_of_several_queues_is_refused(world: World) -> None:
    one, other = _history(world, 2)
    fields = {name: getattr(other, name) for name in MatchOutcome.__dataclass_fields__}

    with pytest.raises(DomainError, match="one queue"):
        apply_history(outcomes=[one, MatchOutcome(**{**fields, "queue_id": world.season.pk})], newcomers={}, now=LATER)


def _history(world: World, length: int, breaks: tuple[int, ...] = (0, 1, 20, 900)) -> list[MatchOutcome]:
    """Matches over two seasons, with draws, long breaks and several at one moment; only the match rows are written."""
    rng = random.Random(11)
    outcomes, at = [], START
    for number in range(length):
        at += timedelta(hours=rng.choice(breaks))
        season = world.season if number < length * 2 // 3 else world.next_season
        one, other = rng.sample(CAST, 2)
        ranks = rng.choice(((1, 2), (2, 1), (1, 1)))
        match = Match.objects.create(
            queue=world.queue, season=season, source="import", state="completed", formed_at=at, completed_at=at
        )
        teams = ((world.id(one),), (world.id(other),))
        outcomes.append(MatchOutcome(match.pk, world.queue.pk, season.pk, teams, ranks, at, world.rules))
    return outcomes


def _newcomers(world: World) -> dict[Any, Newcomer]:
    return {world.id(name): Newcomer(world.id(name), answer) for name, answer in zip(CAST, ANSWERS, strict=True)}


def _one_by_one(world: World, outcomes: list[MatchOutcome]) -> None:
    for outcome in outcomes:
        forecasts.record(
            match_id=outcome.match_id,
            queue_id=outcome.queue_id,
            season_id=outcome.season_id,
            teams=outcome.teams,
            quality=None,
            rules=outcome.rules,
            newcomers=_newcomers(world),
            now=outcome.completed_at,
        )
        apply_match(outcome=outcome, now=outcome.completed_at)


def _numbers() -> dict[str, list[dict[str, Any]]]:
    """Everything but keys, hashes and the time of writing."""
    keys = {"id", "created_at", "last_hash", "player_rating_id", "canonical", "previous_hash", "hash", "forecast_id"}
    events = RatingEvent.objects.order_by("player_rating__season", "player_rating__player", "seq")
    queries = {
        "ratings": PlayerRating.objects.order_by("season", "player").values(),
        "events": events.values(),
        "entries": ForecastEntry.objects.order_by("forecast__match", "player").values(),
    }
    return {
        name: [{field: value for field, value in row.items() if field not in keys} for row in rows]
        for name, rows in queries.items()
    }
