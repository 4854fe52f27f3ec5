"""One tick of one pool: load, plan, and carry the plan out proposal by proposal."""

import logging
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from uuid import UUID

from ladder.models import Queue
from ladder.selectors import seasons
from matchmaking.core.pairing import plan_tick
from matchmaking.core.proposals import sift
from matchmaking.core.types import TickPlan
from matchmaking.models import Ticket
from matchmaking.selectors.policies import settings_of
from matchmaking.selectors.pools import live_tickets, unfit
from matchmaking.services.carry_on import carry_on
from matchmaking.services.formation import Ground, Outcome, form
from matchmaking.services.policies import ensure_policy
from matchmaking.services.recovery import rebuild
from matchmaking.services.tickets import end_searching, pool_of
from matchmaking.store import Pool, Store, get_store

logger = logging.getLogger(__name__)

# One tick forms at most so many matches, the oldest tickets' first, and leaves the rest to the next one: a lease is
# two seconds, and the other pools wait.
MOST_MATCHES = 50


@dataclass(frozen=True, slots=True)
class TickReport:
    """What a tick did. ran: False with why ("busy", "too_soon", "closed", "no_season") when nothing was planned.

    left: proposals for the next tick. not_looked_at: tickets that were never considered (there is no fetch limit).
    """

    ran: bool
    why: str = ""
    waiting: int = 0
    looked_at: int = 0
    proposals: int = 0
    formed: int = 0
    lost: int = 0
    refused: int = 0
    left: int = 0
    expired: int = 0
    quarantined: int = 0
    not_looked_at: int = 0
    oldest_age: float = 0.0
    oldest_reason: str = ""
    seconds: float = 0.0


def run_pool(*, queue_id: UUID, now: datetime, rng: random.Random) -> TickReport:
    """Tick the queue's pool once. Harmless at any time: a lease keeps other workers out, and a pool that was ticked
    less than half a second ago is left alone; whoever reserves a ticket first has it in any case.
    """
    queue = Queue.objects.select_related("club").get(pk=queue_id)
    store, pool, token = get_store(), pool_of(queue), token_hex(8)
    said = store.begin_tick(pool, token, now=now)
    if said not in {"ok", "emptied"}:
        return TickReport(ran=False, why=said)
    started = time.monotonic()
    try:
        if said == "emptied":
            rebuild(queue, now=now)
        report = _tick(store, pool, queue, now, rng)
    finally:
        store.end_tick(pool, token)
    report = replace(report, seconds=round(time.monotonic() - started, 4))
    logger.info("tick of %s: %s", queue_id, report)
    return report


def _tick(store: Store, pool: Pool, queue: Queue, now: datetime, rng: random.Random) -> TickReport:
    store.sweep(pool, now=now)
    rules = seasons.current(queue)
    if queue.state != Queue.State.OPEN or rules is None:
        reason = "no_season" if queue.state == Queue.State.OPEN else "queue_closed"
        return TickReport(ran=False, why=reason, expired=_send_home(queue, reason, now))
    for ticket in unfit(queue):
        with carry_on(f"ending unfit ticket {ticket.ticket_id}"):
            end_searching(
                queue=queue, ticket_ids=[ticket.ticket_id], state=Ticket.State.REMOVED, reason=ticket.reason, now=now
            )
    policy = ensure_policy(queue_id=queue.pk, now=now)
    contents = store.load(pool)
    tickets = {ticket.id: ticket for ticket in contents.tickets}
    plan = plan_tick(contents.tickets, settings_of(policy), now.timestamp(), rng)
    ground = Ground(queue=queue, rules=rules, policy=policy, tickets=tickets, now=now)
    report = _carry_out(ground, plan)
    oldest_age, oldest_reason = _oldest(plan, ground)
    report = replace(
        report,
        quarantined=_quarantine(queue, plan.broken, contents.damaged, now),
        oldest_age=oldest_age,
        oldest_reason=oldest_reason,
    )
    store.count(pool, ticks=1, matches=report.formed, expired=report.expired, quarantined=report.quarantined)
    return report


def _carry_out(ground: Ground, plan: TickPlan) -> TickReport:
    """Form the sound proposals, the oldest first; let those past their end go."""
    passed, refused = sift(plan.proposals, ground.tickets, teams=ground.queue.teams, team_size=ground.queue.team_size)
    for refusal in refused:
        logger.error("proposal refused: %s %s", refusal.reason, refusal.culprit)
        get_store().count(pool_of(ground.queue), **{refusal.reason: 1})
    outcomes: Counter[Outcome] = Counter()
    for proposal in passed[:MOST_MATCHES]:
        with carry_on(f"forming a match of {proposal.tickets}"):
            outcomes[form(ground, proposal)] += 1
    expired: list[Ticket] = []
    with carry_on("expiring tickets"):
        expired = end_searching(
            queue=ground.queue,
            ticket_ids=[UUID(hex=gone.ticket) for gone in plan.expired],
            state=Ticket.State.EXPIRED,
            reason="nobody_fitted",
            now=ground.now,
        )
        _forget_ghosts(ground.queue, {gone.ticket for gone in plan.expired}, expired)
    return TickReport(
        ran=True,
        waiting=len(ground.tickets),
        looked_at=plan.looked_at,
        proposals=len(plan.proposals),
        left=max(0, len(passed) - MOST_MATCHES),
        expired=len(expired),
        formed=outcomes["formed"],
        lost=outcomes["lost"],
        refused=len(refused) + outcomes["refused"],
    )


def _forget_ghosts(queue: Queue, due: set[str], ended: list[Ticket]) -> None:
    """Of the tickets that were due, those that PostgreSQL knew to be over already only leave the store."""
    for ticket in due - {row.pk.hex for row in ended}:
        get_store().remove(pool_of(queue), ticket)


def _quarantine(queue: Queue, broken: Mapping[str, str], damaged: tuple[str, ...], now: datetime) -> int:
    """Set apart what nobody can be matched with: its owner is told, and nothing tries it again.

    A damaged payload of a sound ticket is only thrown out; recovery writes it anew from PostgreSQL.
    """
    for ticket in damaged:
        logger.error("damaged payload of ticket %s removed", ticket)
        get_store().remove(pool_of(queue), ticket)
    for ticket, fault in broken.items():
        logger.error("ticket %s quarantined: %s", ticket, fault)
        get_store().remove(pool_of(queue), ticket)
    if not broken:
        return len(damaged)
    with carry_on("ending broken tickets"):
        end_searching(
            queue=queue,
            ticket_ids=[UUID(hex=one) for one in broken],
            state=Ticket.State.REMOVED,
            reason="broken",
            now=now,
        )
    return len(broken) + len(damaged)


def _send_home(queue: Queue, reason: str, now: datetime) -> int:
    """Honest ends for everybody who waits in a queue that nobody can play in now."""
    ids = [row.pk for row in live_tickets(queue).values() if row.state == Ticket.State.SEARCHING]
    return len(end_searching(queue=queue, ticket_ids=ids, state=Ticket.State.EXPIRED, reason=reason, now=now))


def _oldest(plan: TickPlan, ground: Ground) -> tuple[float, str]:
    """The oldest ticket left unmatched: its age in seconds, and why nobody fits."""
    for ticket, reason in plan.waiting_reasons.items():
        return round(ground.tickets[ticket].waited(ground.now.timestamp()), 3), reason
    return 0.0, ""
