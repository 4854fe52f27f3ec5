"""From a proposal to a match with its ready check: reserved in the store, written in one transaction, or undone."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from redis.exceptions import RedisError

from ladder.models import Match, Queue, SeasonRules
from ladder.services import matches
from matchmaking.core.ready import GRACE
from matchmaking.core.types import Proposal, WaitingTicket
from matchmaking.models import MatchmakingPolicy, ReadyCheck, ReadyCheckAnswer, Ticket, TicketEvent
from matchmaking.services.after_commit import after_commit
from matchmaking.services.tickets import end_searching, lock_tickets, pool_of, write_events
from matchmaking.store import get_store
from matchmaking.store.valkey import RESERVATION
from ratings.ids import new_id

logger = logging.getLogger(__name__)

# A ticket whose matches cannot be formed so many times within an hour leaves: nothing retries it all day.
MOST_FAILURES = 3

Outcome = Literal["formed", "lost", "refused"]


class NotSearching(Exception):
    """PostgreSQL says that these tickets (hexadecimal ids) do not search any more; the store was behind."""

    def __init__(self, tickets: Sequence[str]) -> None:
        super().__init__(", ".join(tickets))
        self.tickets = frozenset(tickets)


@dataclass(frozen=True, slots=True)
class Ground:
    """What all matches of one tick are formed on."""

    queue: Queue
    rules: SeasonRules
    policy: MatchmakingPolicy
    tickets: Mapping[str, WaitingTicket]
    now: datetime


def form(ground: Ground, proposal: Proposal) -> Outcome:
    """Carry out one proposal. "lost": somebody else took or ended a ticket; "refused": a player may not play now.

    Whatever happens, no ticket stays reserved without a ready check, save by a crash, which the sweeper mends.
    """
    store, pool = get_store(), pool_of(ground.queue)
    check_id = new_id()
    answer = store.reserve(pool, check_id.hex, proposal.tickets, now=ground.now)
    if not answer.ok:
        logger.info("reservation lost: %s %s", answer.said, answer.ticket)
        if answer.said == "half":
            store.remove(pool, answer.ticket)
        return "lost"
    try:
        with transaction.atomic(durable=True):
            _write(ground, proposal, check_id)
    except NotSearching as stale:
        _undo(ground.queue, check_id, proposal, gone=stale.tickets)
        return "lost"
    except matches.Busy as busy:
        _undo(ground.queue, check_id, proposal)
        _end_tickets_of(ground, proposal, busy.players)
        return "refused"
    except Exception as error:
        _undo(ground.queue, check_id, proposal)
        _give_up_on_repeaters(ground, proposal, error)
        raise
    return "formed"


def _write(ground: Ground, proposal: Proposal, check_id: UUID) -> None:
    """Lock players, then tickets, re-read them, and write match, forecast, ready check and events."""
    sides = [[ground.tickets[ticket] for ticket in team] for team in proposal.teams]
    players = sorted(UUID(hex=one.player) for side in sides for ticket in side for one in ticket.members)
    matches.lock_players(players)
    tickets = lock_tickets([UUID(hex=ticket) for ticket in proposal.tickets])
    _refuse_stale(ground.queue, proposal, tickets)
    match = matches.create(
        queue=ground.queue,
        season=ground.rules.season,
        seats=[[seat for ticket in side for seat in _seats(ticket, proposal, tickets)] for side in sides],
        quality=proposal.quality,
        now=ground.now,
    )
    check = _open_check(ground, proposal, check_id, match)
    ReadyCheckAnswer.objects.bulk_create(
        ReadyCheckAnswer(ready_check=check, ticket_id=UUID(hex=ticket.id), player_id=UUID(hex=one.player))
        for side in sides
        for ticket in side
        for one in ticket.members
    )
    Ticket.objects.filter(pk__in=tickets).update(state=Ticket.State.PROPOSED)
    write_events(tickets.values(), TicketEvent.Kind.PROPOSED, now=ground.now)
    until = check.deadline + timedelta(seconds=GRACE) + RESERVATION
    after_commit(get_store().hold, pool_of(ground.queue), check_id.hex, until=until)


def _refuse_stale(queue: Queue, proposal: Proposal, tickets: Mapping[UUID, Ticket]) -> None:
    stale = []
    for ticket_id in proposal.tickets:
        row = tickets.get(UUID(hex=ticket_id))
        if row is None or row.state != Ticket.State.SEARCHING or row.queue_id != queue.pk:
            stale.append(ticket_id)
    if stale:
        raise NotSearching(stale)


def _seats(ticket: WaitingTicket, proposal: Proposal, rows: Mapping[UUID, Ticket]) -> list[matches.Seat]:
    joined_at, window = rows[UUID(hex=ticket.id)].joined_at, round(proposal.windows.get(ticket.id, 0.0))
    party = proposal.tickets.index(ticket.id) if len(ticket.members) > 1 else None
    return [matches.Seat(UUID(hex=one.player), joined_at, window, party) for one in ticket.members]


def _open_check(ground: Ground, proposal: Proposal, check_id: UUID, match: Match) -> ReadyCheck:
    """The deadline is set here, once, and never again."""
    return ReadyCheck.objects.create(
        pk=check_id,
        match=match,
        policy=ground.policy,
        quality=proposal.quality,
        formation=_numbers(ground, proposal),
        created_at=ground.now,
        deadline=ground.now + timedelta(seconds=ground.queue.accept_seconds),
    )


def _numbers(ground: Ground, proposal: Proposal) -> dict[str, Any]:
    """What the match was formed on, for staff and for later study."""
    now = ground.now.timestamp()
    return {
        "gap": round(proposal.gap, 3),
        "policy_version": ground.policy.version,
        "waiting": len(ground.tickets),
        "windows": {ticket: round(width, 3) for ticket, width in proposal.windows.items()},
        "waited": {ticket: round(ground.tickets[ticket].waited(now), 3) for ticket in proposal.tickets},
    }


def _undo(queue: Queue, check_id: UUID, proposal: Proposal, *, gone: frozenset[str] = frozenset()) -> None:
    """Give the tickets back as they were; what cannot be given back now is returned by the sweeper."""
    back = {ticket: None for ticket in proposal.tickets if ticket not in gone}
    try:
        get_store().release(pool_of(queue), check_id.hex, back=back, gone=gone)
    except RedisError as error:
        logger.warning("reservation %s left to the sweeper: %s", check_id, error)


def _end_tickets_of(ground: Ground, proposal: Proposal, players: frozenset[UUID]) -> None:
    """Who began another match does not search any more."""
    ids = [
        UUID(hex=ticket)
        for ticket in proposal.tickets
        if any(UUID(hex=one.player) in players for one in ground.tickets[ticket].members)
    ]
    end_searching(
        queue=ground.queue, ticket_ids=ids, state=Ticket.State.REMOVED, reason="started_elsewhere", now=ground.now
    )


def _give_up_on_repeaters(ground: Ground, proposal: Proposal, error: Exception) -> None:
    """A server that is away is nobody's fault; anything else counts against the tickets that meet it repeatedly."""
    if isinstance(error, OperationalError | InterfaceError | RedisError):
        return
    counts = get_store().note_failure(pool_of(ground.queue), proposal.tickets)
    ids = [UUID(hex=ticket) for ticket, number in counts.items() if number >= MOST_FAILURES]
    end_searching(queue=ground.queue, ticket_ids=ids, state=Ticket.State.REMOVED, reason="broken", now=ground.now)
