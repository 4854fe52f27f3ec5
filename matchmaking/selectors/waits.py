"""The usual wait of a queue, from its own recent tickets, those that found nobody included."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.core.cache import cache
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from matchmaking.core.waits import middle_half
from matchmaking.models import Ticket
from matchmaking.selectors.rows import UsualWait
from matchmaking.selectors.words import usual_wait_text

RECENT = timedelta(hours=2)
BACK = timedelta(days=7)
DAY = timedelta(days=1)
HALF_AN_HOUR = timedelta(minutes=30)
FEWEST = 5
MOST_ROWS = 500
KEPT_SECONDS = 20

Wait = tuple[datetime, float | None]


def usual_wait(queue_id: UUID, *, now: datetime) -> UsualWait | None:
    """The usual wait now: from the last two hours, else from this hour of the day in the last week, else None."""
    return usual_waits([queue_id], now=now)[queue_id]


def usual_waits(queue_ids: Sequence[UUID], *, now: datetime) -> dict[UUID, UsualWait | None]:
    """The same for several queues; at most one query, and none while the figures are fresh (20 seconds)."""
    keys = {f"usual-wait:{queue_id}": queue_id for queue_id in queue_ids}
    kept: dict[str, UsualWait | Literal["none"]] = cache.get_many(keys)
    missing = [queue_id for key, queue_id in keys.items() if key not in kept]
    found = _from_tickets(missing, now) if missing else {}
    if missing:
        cache.set_many({f"usual-wait:{one}": found.get(one) or "none" for one in missing}, KEPT_SECONDS)
    known = {keys[key]: None if value == "none" else value for key, value in kept.items()}
    return {queue_id: found.get(queue_id) or known.get(queue_id) for queue_id in queue_ids}


def _from_tickets(queue_ids: Sequence[UUID], now: datetime) -> dict[UUID, UsualWait | None]:
    """From the newest tickets of each queue that ended in a match or found nobody."""
    newest = Window(RowNumber(), partition_by=F("queue_id"), order_by=F("ended_at").desc())
    rows = (
        Ticket.objects.filter(queue_id__in=queue_ids, ended_at__gt=now - BACK, ended_at__lte=now)
        .filter(state__in=[Ticket.State.ASSIGNED, Ticket.State.EXPIRED], end_reason__in=["", "nobody_fitted"])
        .annotate(place=newest)
        .filter(place__lte=MOST_ROWS)
        .values_list("queue_id", "joined_at", "ended_at", "state")
    )
    waits: dict[UUID, list[Wait]] = {queue_id: [] for queue_id in queue_ids}
    for queue_id, joined_at, ended_at, state in rows:
        assert ended_at is not None  # the filter asked for an end
        found = (ended_at - joined_at).total_seconds() if state == Ticket.State.ASSIGNED else None
        waits[queue_id].append((ended_at, found))
    return {queue_id: _summary(found, now) for queue_id, found in waits.items()}


def _summary(waits: Sequence[Wait], now: datetime) -> UsualWait | None:
    recent = [wait for ended_at, wait in waits if ended_at > now - RECENT]
    same_hour = [wait for ended_at, wait in waits if _apart_in_the_day(ended_at, now) <= HALF_AN_HOUR]
    return _range(recent, "recent") or _range(same_hour, "hour")


def _apart_in_the_day(one: datetime, other: datetime) -> timedelta:
    """How far apart the two are on the face of a 24-hour clock."""
    apart = (one - other) % DAY
    return min(apart, DAY - apart)


def _range(waits: Iterable[float | None], basis: Literal["recent", "hour"]) -> UsualWait | None:
    values = list(waits)
    half = middle_half(values) if len(values) >= FEWEST else None
    if half is None:
        return None
    low, high = round(half[0]), None if half[1] is None else round(half[1])
    return UsualWait(low=low, high=high, samples=len(values), basis=basis, text=usual_wait_text(low, high))
