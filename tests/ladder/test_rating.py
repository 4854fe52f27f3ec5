"""Completed matches are rated once each, in the order of their completion, whatever the order of delivery."""

from datetime import timedelta

import pytest
from django.test import override_settings

from ladder.models import Match, OutboxEvent
from ladder.selectors.unrated import unrated_matches, unrated_sentence
from ladder.services import matches, outbox, rating, results
from ladder.services.matches import Seat
from ladder.services.rating import Outcome
from ratings.models import RatingEvent
from tests.ladder.world import World, drain_outbox, play, rating_of

pytestmark = pytest.mark.service

MATCH_EVENTS = RatingEvent.objects.filter(kind=RatingEvent.Kind.MATCH)


def test_a_completed_match_is_rated_and_the_winner_gains(world: World) -> None:
    match = play(world, world.alice, world.bob)

    assert rating.rate_match(match_id=match.pk, now=world.now)

    match.refresh_from_db()
    assert match.rated_at == world.now
    assert rating_of(world, world.alice).rating > rating_of(world, world.bob).rating


def test_B01_three_deliveries_make_one_ledger_pair(world: World) -> None:
    match = play(world, world.alice, world.bob)

    outcomes = [rating.rate_match(match_id=match.pk, now=world.now) for _delivery in range(3)]

    assert outcomes == [Outcome.RATED, Outcome.ALREADY_RATED, Outcome.ALREADY_RATED]
    assert MATCH_EVENTS.count() == 2


def test_a_later_match_waits_for_the_earlier_one_of_its_players(world: World) -> None:
    first = play(world, world.alice, world.bob)
    second = play(world, world.carol, world.bob)

    assert rating.rate_match(match_id=second.pk, now=world.now) is Outcome.WAITS
    [row] = [row for row in unrated_matches(now=world.now, club_id=world.club.pk) if row.match.pk == second.pk]
    assert (row.code, row.waits_for) == ("waits_for_earlier", first.pk)
    assert rating.rate_match(match_id=first.pk, now=world.now) is Outcome.RATED
    assert rating.rate_match(match_id=second.pk, now=world.now) is Outcome.RATED


def test_B03_two_matches_at_once_are_both_rated_in_the_order_of_confirmation(world: World) -> None:
    lost = world.match(world.bob, world.alice)
    results.report(match_id=lost.pk, actor=world.bob, revision=0, winner=0, scores=None, now=world.later(seconds=1))
    won = world.match(world.alice, world.carol)
    results.report(match_id=won.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.later(seconds=1))
    results.confirm(match_id=won.pk, actor=world.carol, revision=1, now=world.later(minutes=5))
    results.confirm(match_id=lost.pk, actor=world.alice, revision=1, now=world.later(minutes=1))

    drain_outbox(world.now)

    standing = rating_of(world, world.alice)
    assert (standing.games, standing.wins, standing.losses) == (2, 1, 1)
    chain = list(MATCH_EVENTS.filter(player_rating=standing).order_by("seq"))
    assert [event.match_id for event in chain] == [won.pk, lost.pk]
    assert chain[0].rating_after == chain[1].rating_before


def test_B05_the_later_match_is_finished_without_help_and_a_lost_message_is_found(world: World) -> None:
    first, second = play(world, world.alice, world.bob), play(world, world.alice, world.carol)
    OutboxEvent.objects.all().delete()

    assert rating.requeue_unrated(now=world.later(seconds=30)) == 2
    drain_outbox(world.now)

    assert Match.objects.filter(pk__in=[first.pk, second.pk], rated_at__isnull=False).count() == 2
    assert rating.requeue_unrated(now=world.later(hours=1)) == 0
    assert unrated_matches(now=world.now) == []


def test_B17_results_of_one_moment_have_one_order(world: World) -> None:
    one, other = world.match(world.alice, world.bob), None
    results.report(match_id=one.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    other = world.match(world.alice, world.carol)
    results.report(match_id=other.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    moment = world.later(minutes=1)

    results.confirm(match_id=other.pk, actor=world.carol, revision=1, now=moment)
    results.confirm(match_id=one.pk, actor=world.bob, revision=1, now=moment - timedelta(seconds=5))

    one.refresh_from_db()
    other.refresh_from_db()
    assert one.completed_at == other.completed_at + timedelta(microseconds=1)


def test_B21_uneven_teams_are_not_rated_and_the_reason_is_shown(world: World) -> None:
    match = matches.create(
        queue=world.queue,
        season=world.season,
        seats=[[Seat(world.alice.pk)], [Seat(world.bob.pk), Seat(world.carol.pk)]],
        quality=None,
        now=world.now,
        state=Match.State.ASSIGNED,
    )
    results.report(match_id=match.pk, actor=world.bob, revision=0, winner=1, scores=None, now=world.now)
    results.confirm(match_id=match.pk, actor=world.alice, revision=1, now=world.now)

    assert rating.rate_match(match_id=match.pk, now=world.now) is Outcome.NOT_RATED
    assert rating.requeue_unrated(now=world.later(hours=1)) == 0
    match.refresh_from_db()
    assert "uneven" in unrated_sentence(match.unrated_reason)
    assert not MATCH_EVENTS.exists()


def test_an_unranked_queue_moves_no_rating(world: World) -> None:
    world.queue.is_ranked = False
    world.queue.save()

    match = play(world, world.alice, world.bob)

    assert match.unrated_reason == "unranked_queue"
    assert not OutboxEvent.objects.exists()


def test_invariant_3_a_cancelled_match_changes_nobody(world: World) -> None:
    match = world.match(world.alice, world.bob)
    matches.cancel(match_id=match.pk, reason="not_accepted", now=world.now)

    assert rating.rate_match(match_id=match.pk, now=world.now) is Outcome.NOT_RATED
    assert not MATCH_EVENTS.exists()
    assert rating_of(world, world.alice).games == 0


def test_invariant_13_a_rating_that_fails_is_on_the_list_with_its_error(world: World) -> None:
    match = play(world, world.alice, world.bob)
    match.forecast.entries.all().delete()
    event = OutboxEvent.objects.get()

    with pytest.raises(Exception, match="recorded"):
        outbox.consume(event_id=event.pk, now=world.now)

    event.refresh_from_db()
    assert event.delivered_at is None
    [row] = unrated_matches(now=world.now)
    assert (row.match.pk, row.code) == (match.pk, "failing")
    assert "recorded" in row.sentence


def test_the_sweeper_calls_a_worker_while_something_is_due(world: World) -> None:
    play(world, world.alice, world.bob)

    assert outbox.deliver_due(now=world.now - timedelta(seconds=1)) == 0
    assert outbox.deliver_due(now=world.later(seconds=1)) == 1
    drain_outbox(world.now)

    assert outbox.deliver_due(now=world.later(days=1)) == 0
    assert outbox.forget_delivered(now=world.later(days=8)) == 1


def test_an_event_that_fails_is_tried_again_after_growing_pauses_and_holds_up_no_other(world: World) -> None:
    broken, sound = play(world, world.alice, world.bob), play(world, world.carol, world.dave)
    broken.forecast.entries.all().delete()
    event = OutboxEvent.objects.get(key=str(broken.pk))
    now, waits = world.later(seconds=1), []

    for _try in range(4):
        outbox.drain(clock=lambda at=now: at)  # type: ignore[misc]
        event.refresh_from_db()
        waits.append((event.next_attempt_at - now).total_seconds())
        now = event.next_attempt_at

    assert waits == [4, 8, 16, 32]
    sound.refresh_from_db()
    assert sound.rated_at is not None


def test_what_a_route_did_and_its_delivery_are_one_transaction(world: World) -> None:
    match = play(world, world.alice, world.bob)
    event = OutboxEvent.objects.get()
    routes = {"match.completed": ["ladder.tasks.rate_match", "tests.ladder.test_rating.broken_route"]}

    with override_settings(OUTBOX_ROUTES=routes), pytest.raises(ZeroDivisionError):
        outbox.consume(event_id=event.pk, now=world.now)

    match.refresh_from_db()
    assert match.rated_at is None
    assert not MATCH_EVENTS.exists()


def broken_route(match_id: str) -> None:
    """A consumer that fails after another one has done its part."""
    raise ZeroDivisionError(match_id)
