"""Puts the store right after a crash or a flush. PostgreSQL holds every fact; nothing here needs the dead worker."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ladder.models import Queue
from matchmaking.models import ReadyCheck, Ticket
from matchmaking.selectors.pools import due_checks, live_tickets, stranded_checks
from matchmaking.services.carry_on import carry_on
from matchmaking.services.queueing import enter_store
from matchmaking.services.ready import abandon, expire_due, settle
from matchmaking.services.tickets import as_waiting, pool_of
from matchmaking.store import Pool, get_store

logger = logging.getLogger(__name__)

# Seconds after its deadline until a check that cannot be ended the usual way is given up.
GIVEN_UP_AFTER = 30.0


@dataclass(frozen=True, slots=True)
class Reconciled:
    """restored: tickets that the store had lost. removed: halves and ghosts. returned: tickets whose reservation had
    outlived its worker. resumed: ready checks carried on.
    """

    restored: int = 0
    removed: int = 0
    returned: int = 0
    resumed: int = 0


def reconcile(*, now: datetime) -> Reconciled:
    """Compare every pool with PostgreSQL and mend the store; carry on ready checks that stand complete."""
    store = get_store()
    restored = removed = returned = 0
    queues = list(Queue.objects.select_related("club"))
    for queue in queues:
        with carry_on(f"reconciling the pool of {queue.pk}"):
            returned += len(store.sweep(pool_of(queue), now=now))
            came, went = _mend(queue, now=now)
            restored, removed = restored + came, removed + went
            store.mark_known(pool_of(queue))
    removed += _tidy(queues)
    resumed = _carry_checks_on(now=now)
    return Reconciled(restored=restored, removed=removed, returned=returned, resumed=resumed)


def _carry_checks_on(*, now: datetime) -> int:
    """Start what everybody accepted; send back, with an apology, those whose check nothing could end in 30 seconds."""
    resumed = 0
    for check_id in stranded_checks(now=now):
        with carry_on(f"resuming ready check {check_id}"):
            resumed += settle(check_id, now=now)
    expire_due(now=now)
    for check_id in due_checks(now=now, grace=GIVEN_UP_AFTER):
        with carry_on(f"abandoning ready check {check_id}"):
            resumed += abandon(check_id, now=now)
    return resumed


def rebuild(queue: Queue, *, now: datetime) -> None:
    """Fill a pool that Valkey lost with everything that searches, each with its age."""
    restored, _removed = _mend(queue, now=now)
    get_store().mark_known(pool_of(queue))
    if restored:
        logger.warning("pool of %s rebuilt: %s tickets", queue.pk, restored)


def _mend(queue: Queue, *, now: datetime) -> tuple[int, int]:
    """Restore what is missing and remove what is over; returns both numbers.

    The store is read first: what it holds was committed before, so a ticket that PostgreSQL does not know as
    searching a moment later has ended. It is removed only if it still has the very bytes that were read.
    """
    store, pool = get_store(), pool_of(queue)
    snapshot = store.snapshot(pool)
    live = live_tickets(queue)
    removed = 0
    for ticket_id, payload in snapshot.searching.items():
        row = live.get(ticket_id)
        if row is None or row.state != Ticket.State.SEARCHING:
            removed += store.remove(pool, ticket_id, only_if=payload).ok
    for ticket_id in snapshot.held:
        if ticket_id not in live:
            removed += store.remove(pool, ticket_id).ok
    _give_back(queue, {key: live[key] for key in snapshot.held if key in live}, snapshot.held, now=now)
    present = snapshot.searching.keys() | snapshot.held.keys()
    missing = sorted(
        (row for key, row in live.items() if row.state == Ticket.State.SEARCHING and key not in present),
        key=lambda row: (row.joined_at, row.pk),
    )
    waiting = as_waiting(queue, missing, now=now)
    for ticket in missing:
        if ticket.pk in waiting:
            enter_store(queue, waiting[ticket.pk])
    if removed:
        logger.warning("pool of %s: %s half or dead tickets removed", queue.pk, removed)
        store.count(pool, half_tickets=removed)
    return len(waiting), removed


def _give_back(queue: Queue, rows: Mapping[str, Ticket], held: Mapping[str, str], *, now: datetime) -> None:
    """Tickets that search again since their ready check failed, and whose release was lost on the way to the store."""
    searching = [row for row in rows.values() if row.state == Ticket.State.SEARCHING]
    proposals = {UUID(hex=held[row.pk.hex]) for row in searching}
    failed = set(
        ReadyCheck.objects.filter(pk__in=proposals, state=ReadyCheck.State.FAILED).values_list("pk", flat=True)
    )
    lost = [row for row in searching if UUID(hex=held[row.pk.hex]) in failed]
    for ticket_id, waiting in as_waiting(queue, lost, now=now).items():
        answer = get_store().release(pool_of(queue), held[ticket_id.hex], back={ticket_id.hex: waiting})
        if not answer.ok:
            get_store().remove(pool_of(queue), ticket_id.hex)


def _tidy(queues: list[Queue]) -> int:
    """Players of each club who stand for a ticket that is in no pool."""
    store, removed = get_store(), 0
    clubs: dict[UUID, list[Pool]] = {}
    for queue in queues:
        clubs.setdefault(queue.club_id, []).append(pool_of(queue))
    for club_id, pools in clubs.items():
        players = store.snapshot(pools[0]).players
        every = [Pool(club_id, pk) for pk in Queue.objects.filter(club_id=club_id).values_list("pk", flat=True)]
        removed += store.tidy(every, players)
    return removed
