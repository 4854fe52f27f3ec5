"""Many results at once: the same numbers as one by one, whoever else works, and no failure holds up the others."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from ladder.models import Match, OutboxEvent
from ladder.services import backlog, outbox, rating
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent
from ratings.services.verify import verify_ledger
from tests.harness.threads import run_together
from tests.ladder.world import World, drain_outbox, play

pytestmark = pytest.mark.service

COUNT = 12


def rush(world: World) -> list[Match]:
    """More results than one would rate one by one."""
    cast, rng = [world.alice, world.bob, world.carol, world.dave], random.Random(3)
    return [play(world, *rng.sample(cast, 2)) for _match in range(COUNT)]


def order_of(world: World) -> dict[str, list[object]]:
    """By player, the matches of the chain in their order."""
    return {
        standing.player.handle: list(
            standing.events.filter(kind="match").order_by("seq").values_list("match_id", flat=True)
        )
        for standing in PlayerRating.objects.filter(season=world.season).select_related("player")
    }


def expected_order(world: World, played: list[Match]) -> dict[str, list[object]]:
    """By player, their matches in the order of completion."""
    seats = {match.pk: set(match.participants.values_list("player__handle", flat=True)) for match in played}
    names = ("alice", "bob", "carol", "dave")
    return {name: [match.pk for match in played if name in seats[match.pk]] for name in names}


def test_a_backlog_is_rated_in_a_batch_in_order_and_delivered(world: World) -> None:
    played = rush(world)

    assert backlog.relieve(least=10, now=world.later(minutes=1)) == COUNT

    assert order_of(world) == expected_order(world, played)
    assert not OutboxEvent.objects.filter(kind="match.completed", delivered_at=None).exists()
    assert OutboxEvent.objects.filter(kind="rating.changed").count() == 1
    assert list(verify_ledger()) == []
    assert backlog.relieve(least=10, now=world.later(minutes=1)) == 0


def test_a_few_results_or_fresh_ones_are_left_to_the_single_door(world: World) -> None:
    played = rush(world)

    assert backlog.relieve(now=world.later(minutes=1)) == 0
    assert backlog.relieve(least=10, now=played[0].completed_at) == 0


def test_what_waits_for_a_match_outside_the_batch_is_not_in_it(world: World) -> None:
    played = rush(world)
    first = played[0]
    OutboxEvent.objects.filter(key=str(first.pk)).update(last_error="failed before")
    players = set(first.participants.values_list("player_id", flat=True))

    rated = backlog.relieve(least=10, now=world.later(minutes=1))

    rest = Match.objects.filter(rated_at=None)
    assert rated + rest.count() == COUNT
    assert first in rest
    assert not Match.objects.filter(rated_at__isnull=False, participants__player__in=players).exists()
    drain_outbox(world.now)
    assert order_of(world) == expected_order(world, played)


def test_a_rating_that_cannot_be_leaves_the_batch_to_the_single_door(world: World) -> None:
    played = rush(world)
    match = played[-1]
    entry = match.forecast.entries.first()
    entry.player = world.otto
    entry.save()

    assert backlog.relieve(least=10, now=world.later(minutes=1)) == 0
    for good in played[:-1]:
        assert rating.rate_match(match_id=good.pk, now=world.now)
    with pytest.raises(DomainError, match="other players"):
        outbox.consume(event_id=OutboxEvent.objects.get(key=str(match.pk)).pk, now=world.now)

    assert list(Match.objects.filter(rated_at=None)) == [match]


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_batches_and_single_workers_at_once_rate_everything_once_and_in_order(shared_world: World) -> None:
    world = shared_world
    played = rush(world)
    late = world.now + timedelta(minutes=1)
    events = list(OutboxEvent.objects.filter(kind="match.completed").values_list("pk", flat=True))

    def single(seed: int) -> None:
        for event_id in random.Random(seed).sample(events, len(events)):
            outbox.consume(event_id=event_id, now=late)

    outcomes = run_together(
        lambda: backlog.relieve(least=10, now=late),
        lambda: backlog.relieve(least=10, now=late),
        lambda: single(1),
        lambda: single(2),
        timeout=90,
    )
    drain_outbox(late)

    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert RatingEvent.objects.filter(kind="match").count() == 2 * COUNT
    assert order_of(world) == expected_order(world, played)
