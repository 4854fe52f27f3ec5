"""Cases that cross the packages: what the doors of play and the matchmaker owe each other."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.models import Match
from ladder.selectors.matches import awaiting_word_of, live_match
from ladder.selectors.unrated import unrated_matches
from ladder.services import outbox, rating, results
from matchmaking.models import Ticket, TicketEvent
from matchmaking.services import queueing
from matchmaking.services.tick import run_pool
from matchmaking.store import clock
from ratings.errors import DomainError
from ratings.models import RatingEvent
from tests.ladder.world import World, drain_outbox, play, rating_of

pytestmark = pytest.mark.service


@pytest.mark.django_db(transaction=True)
def test_B25_starting_a_match_elsewhere_ends_the_search_and_is_on_record(shared_world: World) -> None:
    world = shared_world
    for player in (world.alice, world.dave):
        queueing.join(queue=world.queue, player=player, now=clock())
    world.now = timezone.now()
    custom = world.match(world.alice, world.bob)

    run_pool(queue_id=world.queue.pk, now=clock() + timedelta(seconds=2), rng=random.Random(1))

    ticket = Ticket.objects.get(leader=world.alice)
    assert ticket.state == Ticket.State.REMOVED
    assert TicketEvent.objects.filter(ticket=ticket, kind="removed").exclude(reason="").exists()
    assert live_match(world.alice.pk) == custom
    assert Ticket.objects.get(leader=world.dave).state == Ticket.State.SEARCHING


@pytest.mark.django_db(transaction=True)
def test_whoever_is_in_a_match_cannot_queue_and_may_again_once_it_is_reported(shared_world: World) -> None:
    world = shared_world
    match = world.match(world.alice, world.bob)
    with pytest.raises(DomainError) as refusal:
        queueing.join(queue=world.queue, player=world.bob, now=clock())
    assert refusal.value.code == "in_match"

    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=timezone.now())

    assert queueing.join(queue=world.queue, player=world.bob, now=clock()).state == Ticket.State.SEARCHING


def test_a_report_that_waits_is_shown_to_the_side_whose_word_is_missing(world: World) -> None:
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)

    assert awaiting_word_of(world.bob) == [match]
    assert awaiting_word_of(world.alice) == []


def test_invariant_12_a_worker_killed_after_the_rating_and_before_its_mark_rates_nothing_twice(world: World) -> None:
    match = play(world, world.alice, world.bob)
    drain_outbox(world.now)
    before = rating_of(world, world.alice).rating

    # As if the mark alone had been lost: delivered again, and put on the list again.
    Match.objects.filter(pk=match.pk).update(rated_at=None)
    assert rating.requeue_unrated(now=world.later(minutes=1)) == 1
    drain_outbox(world.now)

    assert rating_of(world, world.alice).rating == before
    assert RatingEvent.objects.filter(match=match, kind="match").count() == 2
    assert unrated_matches(now=world.now) == []


def test_invariant_12_a_message_sent_and_lost_is_sent_again_until_its_effect_is_committed(world: World) -> None:
    match = play(world, world.alice, world.bob)
    event_id = outbox.OutboxEvent.objects.get().pk

    for _lost in range(3):
        assert outbox.deliver_due(now=world.later(minutes=10)) == 1
    assert outbox.consume(event_id=event_id, now=world.now)

    assert not outbox.consume(event_id=event_id, now=world.now)
    match.refresh_from_db()
    assert match.rated_at is not None
    assert outbox.OutboxEvent.objects.filter(kind="match.completed", delivered_at=None).count() == 0


def test_B13_a_huge_step_of_the_rating_moves_the_visible_rank_within_its_bounds(world: World) -> None:
    for _placement in range(7):
        rating.rate_match(match_id=play(world, world.alice, world.bob).pk, now=world.now)
    before = rating_of(world, world.alice)
    world.later(days=400)

    rating.rate_match(match_id=play(world, world.alice, world.carol).pk, now=world.now)

    event = RatingEvent.objects.filter(player_rating=before, kind="match").latest("seq")
    assert 0 <= event.points_delta <= 40
