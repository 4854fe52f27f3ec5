"""Celery tasks of people and play: each reads the clock and calls one service."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from ladder.services import backlog, outbox, periods, rating, results, seasons


@shared_task(name="ladder.tasks.drain_outbox")
def drain_outbox() -> None:
    """Carry out what the outbox holds."""
    outbox.drain(clock=timezone.now)


@shared_task(name="ladder.tasks.rate_match")
def rate_match(match_id: str) -> None:
    """Route of match.completed; a match whose turn has not come stays in the outbox."""
    pause = rating.PAUSES.get(rating.rate_match(match_id=UUID(match_id), now=timezone.now()))
    if pause is not None:
        raise outbox.NotYet(pause)


@shared_task(name="ladder.tasks.sweep_outbox")
def sweep_outbox() -> None:
    """Rate a backlog in batches, and repeat what was not delivered."""
    now = timezone.now()
    backlog.relieve(now=now)
    outbox.deliver_due(now=now)


@shared_task(name="ladder.tasks.settle_silent_reports")
def settle_silent_reports() -> None:
    """Silence confirms."""
    results.settle_silence(now=timezone.now())


@shared_task(name="ladder.tasks.close_rating_periods")
def close_rating_periods() -> None:
    """What waited for the end of a rating period is rated."""
    periods.close_due(now=timezone.now())


@shared_task(name="ladder.tasks.requeue_unrated_matches")
def requeue_unrated_matches() -> None:
    """Nothing that was agreed stays unrated unnoticed; seasons that wait for their last result are closed."""
    now = timezone.now()
    rating.requeue_unrated(now=now)
    seasons.finish_closing(now=now)
    outbox.forget_delivered(now=now)
