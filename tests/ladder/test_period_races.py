"""Real threads at the end of a rating period: whatever happens at once, every match is rated once."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from ladder.models import Match, OutboxEvent, Season
from ladder.services import outbox, periods, rating, results, seasons
from ratings.models import PlayerRating, RatingEvent
from ratings.services.verify import verify_ledger
from tests.harness.threads import run_together
from tests.ladder.periods import MATCH_EVENTS, end_of, played, rate_by
from tests.ladder.world import World, play

pytestmark = [pytest.mark.service, pytest.mark.race, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def weekly(shared_world: World) -> World:
    """The club at the start of its first season, its queue rated by weeks."""
    rate_by(shared_world, "week")
    return shared_world


def over(world: World, match: Match) -> Any:
    """A moment at which the match's period may be closed."""
    return end_of(match) + periods.GRACE + timedelta(seconds=1)


def test_two_closers_at_once_rate_every_match_once(weekly: World) -> None:
    cast = [weekly.alice, weekly.bob, weekly.carol, weekly.dave]
    matches = played(weekly, *[(cast[n % 4], cast[(n + 1) % 4]) for n in range(12)])
    now = over(weekly, matches[0])

    outcomes = run_together(*(lambda: periods.close_due(now=now) for _closer in range(4)))

    assert sorted(outcomes) == [0, 0, 0, 12]
    assert MATCH_EVENTS.count() == 24
    assert set(MATCH_EVENTS.values_list("created_at", flat=True)) == {now}
    assert verify_ledger() == []


def test_a_second_closer_does_not_wait_for_the_first(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))
    now = over(weekly, match)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        """Stand where a first closer stands during a long period."""
        with transaction.atomic():
            Match.objects.select_for_update(no_key=True).get(pk=match.pk)
            held.set()
            assert done.wait(20)

    def close() -> int:
        held.wait(20)
        rated = periods.close_due(now=now)
        done.set()
        return rated

    assert run_together(hold, close) == [None, 0]
    assert not OutboxEvent.objects.exclude(last_error="").exists(), "nothing is wrong"
    assert periods.close_due(now=now) == 1


def test_closer_workers_and_sweepers_at_once_rate_every_match_once(weekly: World) -> None:
    cast = [weekly.alice, weekly.bob, weekly.carol, weekly.dave]
    matches = [play(weekly, cast[n % 4], cast[(n + 1) % 4]) for n in range(10)]
    rows = list(OutboxEvent.objects.values_list("pk", flat=True))
    now = matches[0].completed_at + timedelta(days=8)  # nobody took the results from the outbox for a week

    outcomes = run_together(
        lambda: periods.close_due(now=now),
        lambda: [outbox.consume(event_id=row, now=now) for row in rows],
        lambda: [outbox.consume(event_id=row, now=now) for row in reversed(rows)],
        lambda: rating.requeue_unrated(now=now),
    )
    periods.close_due(now=now + timedelta(minutes=1))

    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert MATCH_EVENTS.count() == 20
    assert not Match.objects.filter(rated_at=None).exists()
    assert verify_ledger() == []


def test_a_result_confirmed_while_its_period_is_closed_is_rated_once_and_in_its_period(weekly: World) -> None:
    [waiting] = played(weekly, (weekly.alice, weekly.bob))
    last = weekly.match(weekly.bob, weekly.alice)
    results.report(match_id=last.pk, actor=weekly.bob, revision=0, winner=0, scores=None, now=weekly.now)
    moment = end_of(waiting) - timedelta(microseconds=1)
    now = over(weekly, waiting)

    outcomes = run_together(
        lambda: results.confirm(match_id=last.pk, actor=weekly.alice, revision=1, now=moment),
        lambda: periods.close_due(now=now),
        lambda: periods.close_due(now=now),
    )
    periods.close_due(now=now + timedelta(minutes=1))

    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert end_of(last) == end_of(waiting)
    for match in (waiting, last):
        match.refresh_from_db()
        assert match.rated_at is not None
        assert MATCH_EVENTS.filter(match=match).count() == 2
    assert verify_ledger() == []


def test_closing_a_season_and_its_period_at_once_leave_nothing_behind(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))
    now = over(weekly, match)

    outcomes = run_together(
        lambda: seasons.close_season(season=weekly.season, actor=weekly.olga, now=now),
        lambda: periods.close_due(now=now),
        lambda: periods.close_due(now=now),
    )
    periods.close_due(now=now + timedelta(minutes=1))
    seasons.finish_closing(now=now + timedelta(minutes=1))

    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    weekly.season.refresh_from_db()
    assert weekly.season.state == Season.State.CLOSED
    assert MATCH_EVENTS.count() == 2


def test_a_closer_that_is_killed_half_way_leaves_nothing_half_done(weekly: World) -> None:
    cast = [weekly.alice, weekly.bob, weekly.carol, weekly.dave]
    matches = played(weekly, *[(cast[n % 4], cast[(n + 1) % 4]) for n in range(8)])
    now = over(weekly, matches[0])
    before = list(PlayerRating.objects.order_by("pk").values())
    last_word = f"from {matches[0].pk} to {matches[-1].pk}"
    held, killed = threading.Event(), threading.Event()

    def hold() -> None:
        """Have the closer's last word in hand, so that it stands there, all else written, until it is killed."""
        with transaction.atomic():
            outbox.record(kind="rating.changed", key=last_word, payload={}, now=now)
            transaction.set_rollback(True)
            held.set()
            killed.wait(20)

    def close() -> int:
        held.wait(20)
        return periods.close_due(now=now)

    def kill() -> int:
        """End the connection that waits for the lock, as the death of its process would."""
        held.wait(20)
        ended = 0
        for _look in range(200):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
                [ended] = cursor.fetchone()
            if ended:
                break
            time.sleep(0.05)
        killed.set()
        return int(ended)

    _, outcome, ended = run_together(hold, close, kill)

    assert (outcome, ended) == (0, 1)
    assert not RatingEvent.objects.filter(kind="match").exists()
    assert list(PlayerRating.objects.order_by("pk").values()) == before
    assert not Match.objects.filter(rated_at__isnull=False).exists()
    assert periods.close_due(now=now + timedelta(minutes=1)) == 8
    assert verify_ledger() == []
