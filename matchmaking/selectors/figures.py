"""How many wait, and how long it usually takes."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from ladder.models import Queue
from matchmaking.models import Ticket
from matchmaking.selectors.rows import QueueFigures
from matchmaking.selectors.waits import usual_waits


def queue_figures(queue: Queue, *, now: datetime) -> QueueFigures:
    """Who searches in the queue at this moment."""
    return figures_of([queue], now=now)[queue.pk]


def figures_of(queues: Sequence[Queue], *, now: datetime) -> dict[UUID, QueueFigures]:
    """The same for all queues of a page, by id; two queries at most."""
    ids = [queue.pk for queue in queues]
    rows = (
        Ticket.objects.filter(queue_id__in=ids, state=Ticket.State.SEARCHING)
        .values("queue_id")
        .annotate(tickets=Count("id", distinct=True), players=Count("members"))
    )
    waiting = {row["queue_id"]: (row["players"], row["tickets"]) for row in rows}
    waits = usual_waits(ids, now=now)
    return {one: QueueFigures(one, *waiting.get(one, (0, 0)), usual_wait=waits[one]) for one in ids}
