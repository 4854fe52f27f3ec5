"""Real threads at the doors: whatever happens at once, exactly one thing happened."""

import random

import pytest
from django.db import transaction
from django.test import override_settings

from ladder.models import Match, OutboxEvent
from ladder.project.celery import app
from ladder.services import matches, outbox, rating, results
from ladder.services.imports import Source, import_matches
from ladder.services.matches import Busy, Seat
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent
from tests.harness.threads import run_together
from tests.ladder.world import World, play

pytestmark = [pytest.mark.service, pytest.mark.race, pytest.mark.django_db(transaction=True)]


def test_B51_parallel_confirmations_finalise_exactly_once(shared_world: World) -> None:
    world = shared_world
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)

    outcomes = run_together(
        *(lambda: results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.now) for _click in range(6))
    )

    assert all(isinstance(outcome, Match) for outcome in outcomes)
    match.refresh_from_db()
    assert (match.state, match.revision) == (Match.State.COMPLETED, 2)
    assert OutboxEvent.objects.filter(kind="match.completed").count() == 1


def test_both_sides_reporting_at_once_leave_one_report_or_one_refusal(shared_world: World) -> None:
    world = shared_world
    match = world.match(world.alice, world.bob)

    outcomes = run_together(
        lambda: results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now),
        lambda: results.report(match_id=match.pk, actor=world.bob, revision=0, winner=1, scores=None, now=world.now),
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Match", "Stale"]
    match.refresh_from_db()
    assert (match.state, match.revision) == (Match.State.REPORTED, 1)


def test_confirm_dispute_and_silence_at_once_end_in_one_of_them(shared_world: World) -> None:
    world = shared_world
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    late = world.later(days=2)

    outcomes = run_together(
        lambda: results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=late),
        lambda: results.dispute(match_id=match.pk, actor=world.bob, revision=1, note="no", now=late),
        lambda: results.settle_silence(now=late),
        lambda: results.withdraw(match_id=match.pk, actor=world.alice, revision=1, now=late),
    )

    match.refresh_from_db()
    assert match.revision == 2
    assert not [
        outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, DomainError)
    ]
    completed = OutboxEvent.objects.filter(kind="match.completed").count()
    assert completed == (match.state == Match.State.COMPLETED)


def test_two_moderators_deciding_at_once_decide_once(shared_world: World) -> None:
    world = shared_world
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    results.dispute(match_id=match.pk, actor=world.bob, revision=1, note="", now=world.now)

    outcomes = run_together(
        lambda: results.decide(match_id=match.pk, actor=world.maud, revision=2, winner=0, note="", now=world.now),
        lambda: results.decide(match_id=match.pk, actor=world.olga, revision=2, winner=1, note="", now=world.now),
        lambda: results.decide(match_id=match.pk, actor=world.otto, revision=2, void=True, note="", now=world.now),
    )

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Match", "Stale", "Stale"]


def test_B35_one_player_cannot_enter_two_matches_at_once(shared_world: World) -> None:
    world = shared_world
    pairs = [(world.alice, world.bob), (world.alice, world.carol), (world.dave, world.alice)]

    def form(one: object, other: object) -> Match:
        seats = [[Seat(one.pk)], [Seat(other.pk)]]  # type: ignore[attr-defined]
        return matches.create(queue=world.queue, season=world.season, seats=seats, quality=0.9, now=world.now)

    outcomes = run_together(*(lambda pair=pair: form(*pair) for pair in pairs))

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Busy", "Busy", "Match"]
    assert all(world.alice.pk in outcome.players for outcome in outcomes if isinstance(outcome, Busy))
    assert world.alice.participations.filter(is_live=True).count() == 1


def test_invariant_2_many_workers_and_disorder_rate_every_match_once_and_in_order(shared_world: World) -> None:
    world = shared_world
    cast = [world.alice, world.bob, world.carol, world.dave]
    rng = random.Random(7)
    played = [play(world, *rng.sample(cast, 2)) for _match in range(10)]
    events = list(OutboxEvent.objects.filter(kind="match.completed").values_list("pk", flat=True))

    def work(seed: int) -> None:
        shuffled = events * 4
        random.Random(seed).shuffle(shuffled)
        for event_id in shuffled:
            outbox.consume(event_id=event_id, now=world.now)

    outcomes = run_together(*(lambda seed=seed: work(seed) for seed in range(4)), timeout=60)
    for _round in range(10):
        work(99)

    assert outcomes == [None] * 4
    assert RatingEvent.objects.filter(kind="match").count() == 20
    for standing in PlayerRating.objects.all():
        chain = list(standing.events.filter(kind="match").order_by("seq").values_list("match_id", flat=True))
        expected = [match.pk for match in played if match.participants.filter(player=standing.player_id).exists()]
        assert chain == expected


def test_B01_parallel_ratings_of_one_match_make_one_pair(shared_world: World) -> None:
    world = shared_world
    match = play(world, world.alice, world.bob)

    outcomes = run_together(*(lambda: rating.rate_match(match_id=match.pk, now=world.now) for _worker in range(5)))

    assert sorted(outcome.name for outcome in outcomes) == ["ALREADY_RATED"] * 4 + ["RATED"]
    assert RatingEvent.objects.filter(kind="match").count() == 2


def test_results_confirmed_at_once_complete_at_different_moments(shared_world: World) -> None:
    world = shared_world
    pending = []
    for opponent in (world.bob, world.carol, world.dave):
        match = world.match(world.alice, opponent)
        results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
        pending.append((match, opponent))

    run_together(
        *(
            lambda match=match, other=other: results.confirm(match_id=match.pk, actor=other, revision=1, now=world.now)
            for match, other in pending
        )
    )

    assert len(set(Match.objects.values_list("completed_at", flat=True))) == 3


def test_one_file_imported_twice_at_once_is_imported_once(shared_world: World) -> None:
    world = shared_world
    rows = [f"2024-01-{day:02},Ann,Player {day},1,0,1" for day in range(1, 29)]
    source = Source("history.csv", "\n".join(["date,team_a,team_b,score_a,score_b,result", *rows]).encode())

    reports = run_together(
        *(
            lambda: import_matches(queue=world.queue, actor=world.olga, sources=[source], now=world.now)
            for _operator in range(3)
        )
    )

    assert sorted((report.imported, report.known) for report in reports) == [(0, 28), (0, 28), (28, 0)]
    assert Match.objects.count() == 28
    assert PlayerRating.objects.count() == 29


def test_a_confirmed_result_is_at_the_broker_before_any_sweep(shared_world: World) -> None:
    world = shared_world

    def in_a_thread_of_its_own() -> int:
        play(world, world.alice, world.bob)
        with app.connection_for_read() as connection:
            return int(connection.default_channel._size("celery"))

    [messages] = run_together(in_a_thread_of_its_own)

    assert messages == 1


def test_a_broker_that_takes_nothing_fails_no_committed_request(shared_world: World) -> None:
    with override_settings(REDIS_URL="unix:///nowhere/valkey.sock"), transaction.atomic():
        outbox.nudge(1)
        shared_world.club.name = "Renamed"
        shared_world.club.save()

    shared_world.club.refresh_from_db()
    assert shared_world.club.name == "Renamed"


def test_what_an_event_leads_to_follows_in_the_same_worker(shared_world: World) -> None:
    world = shared_world
    first, second = play(world, world.alice, world.bob), play(world, world.bob, world.carol)

    assert not outbox.consume(event_id=OutboxEvent.objects.get(key=str(second.pk)).pk, now=world.later(seconds=1))
    assert outbox.consume(event_id=OutboxEvent.objects.get(key=str(first.pk)).pk, now=world.later(seconds=1))

    assert not OutboxEvent.objects.filter(delivered_at=None).exists()
    assert Match.objects.filter(pk__in=[first.pk, second.pk], rated_at__isnull=False).count() == 2
