"""Background work of matchmaking: each task reads the store's clock, calls one service and returns."""

import random
from collections.abc import Sequence
from uuid import UUID

from celery import shared_task

from matchmaking.selectors.pools import waiting_queues
from matchmaking.services.ready import expire_due
from matchmaking.services.recovery import reconcile
from matchmaking.services.refresh import refresh_after_match, refresh_queue, refresh_ratings
from matchmaking.services.tick import run_pool
from matchmaking.store import clock
from matchmaking.store.heartbeat import note_tick


@shared_task
def tick() -> None:
    """Hand one task per non-empty pool to the workers; one that cannot start within a second is worth nothing."""
    note_tick(now=clock())
    for queue_id in waiting_queues():
        tick_pool.apply_async(kwargs={"queue_id": str(queue_id)}, expires=1.0)


@shared_task
def tick_pool(queue_id: str) -> None:
    """Tick one pool."""
    run_pool(queue_id=UUID(queue_id), now=clock(), rng=random.Random())


@shared_task
def expire_ready_checks() -> None:
    """End ready checks whose time is up."""
    expire_due(now=clock())


@shared_task
def reconcile_pools() -> None:
    """Put the store right where a crash or a flush left it wrong."""
    reconcile(now=clock())


@shared_task
def refresh_ticket_ratings(players: Sequence[str], queue: str) -> None:
    """Ratings of these players changed in a queue: their waiting tickets follow."""
    refresh_ratings(players=[UUID(player) for player in players], queue_id=UUID(queue), now=clock())


@shared_task
def refresh_tickets_after_match(match_id: str) -> None:
    """A match was rated: its players' waiting tickets follow."""
    refresh_after_match(match_id=UUID(match_id), now=clock())


@shared_task
def refresh_queue_ratings(queue: str) -> None:
    """Another rating model is in force in a queue: its waiting tickets follow."""
    refresh_queue(queue_id=UUID(queue), now=clock())
