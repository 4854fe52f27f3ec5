"""A rating moved while its player waits: the ticket is matched by the new one from the next tick on."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from ladder.models import Queue
from matchmaking.core.types import WaitingTicket
from matchmaking.models import Ticket
from matchmaking.services.after_commit import after_commit
from matchmaking.services.tickets import as_waiting, pool_of
from matchmaking.store import Pool, get_store


def refresh_ratings(*, players: Collection[UUID], queue_id: UUID, now: datetime) -> int:
    """Write the present beliefs into these players' waiting tickets of the queue; returns how many tickets."""
    tickets = list(
        Ticket.objects.filter(
            queue=queue_id, state=Ticket.State.SEARCHING, members__player_id__in=players, members__is_live=True
        ).distinct()
    )
    if not tickets:
        return 0
    queue = Queue.objects.select_related("club").get(pk=queue_id)
    waiting = as_waiting(queue, tickets, now=now)
    after_commit(_update_store, pool_of(queue), waiting)
    return len(waiting)


def _update_store(pool: Pool, waiting: Mapping[UUID, WaitingTicket]) -> None:
    for ticket in waiting.values():
        get_store().update(pool, ticket)
