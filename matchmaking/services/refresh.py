"""A rating moved while its player waits: the ticket is matched by the new one from the next tick on."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from ladder.models import Queue
from matchmaking.core.types import WaitingTicket
from matchmaking.models import Ticket
from matchmaking.services.after_commit import after_commit
from matchmaking.services.tickets import as_waiting, pool_of
from matchmaking.store import Pool, get_store

_OF_PLAYERS_OF = """
SELECT DISTINCT t.id FROM ladder_match m
JOIN ladder_matchparticipant p ON p.match_id = m.id
JOIN matchmaking_ticketmember s ON s.player_id = p.player_id AND s.is_live
JOIN matchmaking_ticket t ON t.id = s.ticket_id AND t.queue_id = m.queue_id AND t.state = 'searching'
WHERE m.id = %s
"""  # written out: it runs after every match, and nearly always finds nobody


def refresh_after_match(*, match_id: UUID, now: datetime) -> int:
    """The same for the players of a match that was rated."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_PLAYERS_OF, [match_id])
        keys = [key for (key,) in cursor.fetchall()]
    return _refresh(list(Ticket.objects.filter(pk__in=keys)), now=now) if keys else 0


def refresh_ratings(*, players: Collection[UUID], queue_id: UUID, now: datetime) -> int:
    """Write the present beliefs into these players' waiting tickets of the queue; returns how many tickets."""
    tickets = _waiting(queue_id).filter(members__player_id__in=players, members__is_live=True)
    return _refresh(list(tickets.distinct()), now=now)


def refresh_queue(*, queue_id: UUID, now: datetime) -> int:
    """The same for everybody who waits in the queue: another model rates it."""
    return _refresh(list(_waiting(queue_id)), now=now)


def _waiting(queue_id: UUID) -> "QuerySet[Ticket]":
    return Ticket.objects.filter(queue=queue_id, state=Ticket.State.SEARCHING)


def _refresh(tickets: Sequence[Ticket], *, now: datetime) -> int:
    """Tickets of one queue."""
    if not tickets:
        return 0
    queue = Queue.objects.select_related("club").get(pk=tickets[0].queue_id)
    waiting = as_waiting(queue, tickets, now=now)
    after_commit(_update_store, pool_of(queue), waiting)
    return len(waiting)


def _update_store(pool: Pool, waiting: Mapping[UUID, WaitingTicket]) -> None:
    for ticket in waiting.values():
        get_store().update(pool, ticket)
