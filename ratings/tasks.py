"""Celery tasks of the ratings: each reads the clock and calls one service. `run_part` has a queue of its own."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from ratings.services import report_runs, reports


# Taken once and for all when it is received: what a lost worker held is sent again when its lease has run out.
@shared_task(name="ratings.tasks.run_part", acks_late=False)
def run_part(part_id: str) -> None:
    """Compute one part of a replay or a fit."""
    report_runs.run_part(part_id=UUID(part_id), clock=timezone.now)


@shared_task(name="ratings.tasks.resend_parts")
def resend_parts() -> None:
    """Nothing of a report stays where a lost worker or a lost message left it."""
    reports.resend(now=timezone.now())
