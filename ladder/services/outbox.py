"""The outbox: facts written with their cause and handed on at least once, whatever crashes in between.

`record` writes the row in the cause's transaction and nudges a worker after commit; `deliver_due` (the sweeper)
repeats what was lost. A worker runs `consume`: the routes of the kind do their work and the row is marked delivered
in one transaction, so "delivered" means that the effect is committed, not that a message was sent.
"""

import json
import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from ladder.models import OutboxEvent
from ladder.project.celery import app

logger = logging.getLogger(__name__)

CONSUMER = "ladder.tasks.consume_outbox_event"
FIRST_REPEAT = timedelta(seconds=4)
LONGEST_REPEAT = timedelta(minutes=5)
KEPT_FOR = timedelta(days=7)
MOST_FOLLOWING = 50

# Written out: every result passes here three times, and composing these statements took longer than running them.
_RECORD = """
INSERT INTO ladder_outboxevent (kind, key, payload, created_at, next_attempt_at, attempts, last_error)
VALUES (%s, %s, %s::jsonb, %s, %s, 0, '') ON CONFLICT (kind, key) DO NOTHING RETURNING id
"""
_CLAIM = "SELECT kind, payload::text FROM ladder_outboxevent WHERE id = %s AND delivered_at IS NULL FOR UPDATE"
_ACKNOWLEDGE = "UPDATE ladder_outboxevent SET delivered_at = %s, last_error = '' WHERE id = %s"

_following: ContextVar[list[int] | None] = ContextVar("following", default=None)


class NotYet(Exception):
    """Raised by a route whose turn has not come: try again soon, nothing is wrong."""


def record(*, kind: str, key: str, payload: Mapping[str, Any], now: datetime) -> OutboxEvent:
    """Write the fact, once per kind and key; the payload becomes the keyword arguments of the kind's routes."""
    event = OutboxEvent(kind=kind, key=key, payload=dict(payload), created_at=now, next_attempt_at=now + FIRST_REPEAT)
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [kind, key, json.dumps(event.payload), now, event.next_attempt_at])
        made = cursor.fetchone()
    if made is None:
        return OutboxEvent.objects.get(kind=kind, key=key)
    (event.pk,) = made
    nudge(event.pk)
    return event


def nudge(event_id: int) -> None:
    """Ask a worker to take the event once the present transaction is committed; a lost request costs only time.

    What a consumed event leads to is taken by the same worker right after it, without the way through the broker.
    """
    own = _following.get()
    take: Callable[[int], None] = _send if own is None else own.append
    # A lambda, not a partial: to log an error Django asks the callback for its __qualname__.
    transaction.on_commit(lambda: take(event_id), robust=True)


def deliver_due(*, now: datetime, limit: int = 500) -> int:
    """Send again what is due and not delivered, each time after a longer pause; returns how many."""
    with transaction.atomic():
        due = list(
            OutboxEvent.objects.select_for_update(skip_locked=True)
            .filter(delivered_at__isnull=True, next_attempt_at__lte=now)
            .order_by("next_attempt_at", "id")[:limit]
        )
        for event in due:
            event.attempts += 1
            event.next_attempt_at = now + _pause(event.attempts)
        OutboxEvent.objects.bulk_update(due, ["attempts", "next_attempt_at"])
        for event in due:
            nudge(event.pk)
    return len(due)


def consume(*, event_id: int, now: datetime) -> bool:
    """Run the routes of one event and mark it delivered in one transaction; True if this call did it.

    A route that raises leaves nothing behind but the row, its error noted; NotYet only puts the row off a little.
    Events that this one leads to follow at once, up to a bound; what is left over, or fails, the sweeper repeats.
    """
    following: list[int] = []
    token = _following.set(following)
    try:
        done = _consume_one(event_id, now=now)
        for _turn in range(MOST_FOLLOWING):
            if not following:
                break
            _consume_one(following.pop(0), now=now)
    finally:
        _following.reset(token)
    return done


def _consume_one(event_id: int, *, now: datetime) -> bool:
    try:
        with transaction.atomic():
            claimed = _claim(event_id)
            if claimed is None:
                return False
            kind, payload = claimed
            for route in settings.OUTBOX_ROUTES[kind]:
                import_string(route)(**payload)
            acknowledge(event_id=event_id, now=now)
    except NotYet:
        OutboxEvent.objects.filter(pk=event_id).update(attempts=0, next_attempt_at=now + FIRST_REPEAT / 2)
        return False
    except Exception as error:
        OutboxEvent.objects.filter(pk=event_id).update(last_error=f"{type(error).__name__}: {error}"[:300])
        raise
    return True


def acknowledge(*, event_id: int, now: datetime) -> None:
    """Mark it delivered, inside the transaction of its effect."""
    with connection.cursor() as cursor:
        cursor.execute(_ACKNOWLEDGE, [now, event_id])


def forget_delivered(*, now: datetime, limit: int = 5000) -> int:
    """Delete rows delivered long ago; what they caused stays on record elsewhere."""
    old = OutboxEvent.objects.filter(delivered_at__lt=now - KEPT_FOR).order_by("id").values("pk")[:limit]
    return OutboxEvent.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]


def _claim(event_id: int) -> tuple[str, dict[str, Any]] | None:
    """Kind and payload of an undelivered event, its row locked; waits for a worker that has it in hand."""
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [event_id])
        row = cursor.fetchone()
    return None if row is None else (row[0], json.loads(row[1]))


def _pause(attempts: int) -> timedelta:
    return min(FIRST_REPEAT * (1 << min(attempts, 10)), LONGEST_REPEAT)


def _send(event_id: int) -> None:
    # The app by name: in a web process's threads Celery's "current app" is one without our broker.
    app.send_task(CONSUMER, kwargs={"event_id": event_id})
