"""The outbox: facts written with their cause and handed on at least once, whatever crashes in between.

`record` writes the row in the cause's transaction and wakes a worker after commit; `deliver_due` (the sweeper)
repeats a call that was lost. A worker runs `drain`, which takes the rows that are due one after another: the routes of
a row's kind do their work and the row is marked delivered in one transaction, so "delivered" means that the effect is
committed, not that a message was sent.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from ladder.models import OutboxEvent
from ladder.project.celery import app

logger = logging.getLogger(__name__)

DRAIN = "ladder.tasks.drain_outbox"
NOT_YET_PAUSE = timedelta(seconds=2)
FIRST_REPEAT = timedelta(seconds=4)
LONGEST_REPEAT = timedelta(minutes=5)
KEPT_FOR = timedelta(days=7)
MOST_FOLLOWING = 50
LISTED = 50
CALL_KEPT_MS = 2000  # a call that no worker has heard after this long is lost, and the next one goes out

# Written out: every result passes here three times, and composing these statements took longer than running them.
_RECORD = """
INSERT INTO ladder_outboxevent (kind, key, payload, created_at, next_attempt_at, attempts, last_error)
VALUES (%s, %s, %s::jsonb, %s, %s, 0, '') ON CONFLICT (kind, key) DO NOTHING RETURNING id
"""
_CLAIM = """
SELECT kind, payload::text FROM ladder_outboxevent WHERE id = %s AND delivered_at IS NULL FOR UPDATE SKIP LOCKED
"""
_DUE = """
SELECT id FROM ladder_outboxevent WHERE delivered_at IS NULL AND next_attempt_at <= %s
ORDER BY next_attempt_at, id LIMIT %s
"""
_BRING_FORWARD = """
UPDATE ladder_outboxevent SET next_attempt_at = %s
WHERE delivered_at IS NULL AND kind = %s AND next_attempt_at > %s AND last_error = '' AND key IN ({keys}) RETURNING id
"""
_ACKNOWLEDGE = "UPDATE ladder_outboxevent SET delivered_at = %s, last_error = '' WHERE id = %s"

_following: ContextVar[list[int] | None] = ContextVar("following", default=None)


class NotYet(Exception):
    """Raised by a route whose turn has not come: try again after a pause, nothing is wrong."""

    def __init__(self, pause: timedelta = NOT_YET_PAUSE) -> None:
        super().__init__()
        self.pause = pause


def record(*, kind: str, key: str, payload: Mapping[str, Any], now: datetime) -> OutboxEvent:
    """Write the fact, once per kind and key; the payload becomes the keyword arguments of the kind's routes."""
    event = OutboxEvent(kind=kind, key=key, payload=dict(payload), created_at=now, next_attempt_at=now)
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [kind, key, json.dumps(event.payload), now, now])
        made = cursor.fetchone()
    if made is None:
        return OutboxEvent.objects.get(kind=kind, key=key)
    (event.pk,) = made
    nudge(event.pk)
    return event


def nudge(event_id: int) -> None:
    """Have the event taken once the present transaction is committed; a lost call costs only time.

    What a consumed event leads to is taken by the same worker right after it.
    """
    own = _following.get()
    if own is None:
        transaction.on_commit(call_worker, robust=True)
    else:
        transaction.on_commit(lambda: own.append(event_id), robust=True)


def call_worker() -> None:
    """Ask a worker to drain the outbox, unless one was asked and has not begun yet: it will see our rows too."""
    if _client(settings.REDIS_URL).set(_call_key(), 1, nx=True, px=CALL_KEPT_MS):
        # The app by name: in a web process's threads Celery's "current app" is one without our broker.
        app.send_task(DRAIN)


def deliver_due(*, now: datetime, limit: int = 500) -> int:
    """Call a worker where rows are due, in case the call at their commit was lost; returns how many, up to `limit`."""
    due = len(_due(now, limit))
    if due:
        call_worker()
    return due


def drain(*, clock: Callable[[], datetime], longest: timedelta = timedelta(seconds=1)) -> int:
    """Consume what is due, oldest first, until nothing is left or `longest` has passed; returns how many events.

    Several workers may drain at once: a row that another has in hand is passed over. A row that fails keeps its error
    and waits, each time longer; the others go on.
    """
    _client(settings.REDIS_URL).delete(_call_key())
    until = clock() + longest
    done = 0
    while due := _due(clock(), LISTED):
        before = done
        for event_id in due:
            done += _consumed(event_id, now=clock())
            if clock() >= until:
                call_worker()
                return done
        if done == before:
            break
        if len(due) == LISTED:
            call_worker()
    return done


def consume(*, event_id: int, now: datetime) -> bool:
    """Run the routes of one event and mark it delivered in one transaction; True if this call did it.

    A route that raises leaves nothing behind but the row, its error noted; NotYet only puts the row off a little.
    Events that this one leads to follow at once, up to a bound; what is left over, or fails, is taken later.
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


def _consumed(event_id: int, *, now: datetime) -> bool:
    """The same for one of many: a failure is logged and holds up no other."""
    try:
        return consume(event_id=event_id, now=now)
    except Exception:
        logger.exception("outbox event %s failed and will be tried again", event_id)
        return False


def _consume_one(event_id: int, *, now: datetime) -> bool:
    try:
        with transaction.atomic():
            claimed = _claim(event_id)
            if claimed is None:
                return False
            kind, payload = claimed
            for route in settings.OUTBOX_ROUTES[kind]:
                _route(route)(**payload)
            acknowledge(event_id=event_id, now=now)
    except NotYet as wait:
        OutboxEvent.objects.filter(pk=event_id).update(attempts=0, next_attempt_at=now + wait.pause)
        return False
    except Exception as error:
        _note_failure(event_id, f"{type(error).__name__}: {error}"[:300], now=now)
        raise
    return True


def _note_failure(event_id: int, error: str, *, now: datetime) -> None:
    with transaction.atomic():
        event = OutboxEvent.objects.select_for_update().filter(pk=event_id).first()
        if event is not None:
            event.attempts, event.last_error = event.attempts + 1, error
            event.next_attempt_at = now + _pause(event.attempts)
            event.save(update_fields=["attempts", "last_error", "next_attempt_at"])


def keep_error(*, kind: str, payloads: Mapping[str, Mapping[str, Any]], error: Exception, now: datetime) -> None:
    """Note an error with facts, by key, that are carried out another way than by a route; nothing is delivered again.

    Facts whose row was forgotten meanwhile get one anew, marked as delivered.
    """
    text = f"{type(error).__name__}: {error}"[:300]
    rows = [
        OutboxEvent(
            kind=kind,
            key=key,
            payload=dict(payload),
            created_at=now,
            next_attempt_at=now,
            delivered_at=now,
            last_error=text,
        )
        for key, payload in payloads.items()
    ]
    OutboxEvent.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["kind", "key"], update_fields=["last_error"], batch_size=1000
    )


def acknowledge(*, event_id: int, now: datetime) -> None:
    """Mark it delivered, inside the transaction of its effect."""
    with connection.cursor() as cursor:
        cursor.execute(_ACKNOWLEDGE, [now, event_id])


def forget_delivered(*, now: datetime, limit: int = 5000) -> int:
    """Delete rows delivered long ago; what they caused stays on record elsewhere."""
    old = OutboxEvent.objects.filter(delivered_at__lt=now - KEPT_FOR).order_by("id").values("pk")[:limit]
    return OutboxEvent.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]


def bring_forward(*, kind: str, keys: str, parameters: Sequence[str | UUID | list[UUID]], now: datetime) -> None:
    """Have those of these events that were put off taken at once. `keys`: a query that gives their keys."""
    with connection.cursor() as cursor:
        cursor.execute(_BRING_FORWARD.format(keys=keys), [now, kind, now, *parameters])
        for (event_id,) in cursor.fetchall():
            nudge(event_id)


def _due(now: datetime, limit: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [now, limit])
        return [event_id for (event_id,) in cursor.fetchall()]


def _claim(event_id: int) -> tuple[str, dict[str, Any]] | None:
    """Kind and payload of an undelivered event, its row locked; None where it is done or in another worker's hand."""
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [event_id])
        row = cursor.fetchone()
    return None if row is None else (row[0], json.loads(row[1]))


def _pause(attempts: int) -> timedelta:
    return min(FIRST_REPEAT * (1 << min(attempts - 1, 10)), LONGEST_REPEAT)


@cache
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def _call_key() -> str:
    return f"{settings.STORE_PREFIX}:outbox:called"


@cache
def _route(path: str) -> Callable[..., object]:
    route: Callable[..., object] = import_string(path)
    return route
