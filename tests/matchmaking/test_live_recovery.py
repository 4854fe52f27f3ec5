"""Real worker and beat processes: the tick runs by itself, and a killed worker or an emptied store loses nobody."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from matchmaking.services import queueing, ready
from matchmaking.store import clock
from tests.harness.live import LiveApp
from tests.matchmaking.crash import empty_the_store

if TYPE_CHECKING:
    from tests.matchmaking.hall import Hall


@pytest.fixture
def live_hall(live_db: None) -> Hall:
    """The hall on the live processes' own clock."""
    from tests.ladder.world import build_world
    from tests.matchmaking.hall import Hall

    hall = Hall(build_world())
    hall.preset("quick")
    return hall


def soon(holds: Callable[[], bool], seconds: float = 15.0) -> float:
    """Seconds until it holds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, "it did not come about"
        time.sleep(0.05)
    return time.monotonic() - began


def join_both(hall: Hall) -> None:
    for player in (hall.world.alice, hall.world.bob):
        queueing.join(queue=hall.world.queue, player=player, now=clock())


def in_check(hall: Hall) -> Callable[[], bool]:
    return lambda: all(hall.ticket(one).state == "proposed" for one in (hall.world.alice, hall.world.bob))


def test_the_tick_finds_both_and_their_yes_starts_the_match(live_app: LiveApp, live_hall: Hall) -> None:
    join_both(live_hall)

    soon(in_check(live_hall))
    for player in (live_hall.world.alice, live_hall.world.bob):
        outcome = ready.accept(ready_check_id=live_hall.check(player).pk, player=player, now=clock())

    assert outcome.state == "started"


def test_invariant_12_a_killed_worker_and_an_emptied_store_lose_nobody(live_app: LiveApp, live_hall: Hall) -> None:
    live_app.kill("worker")
    join_both(live_hall)
    joined_at = live_hall.ticket(live_hall.world.alice).joined_at
    empty_the_store()

    live_app.restart("worker")

    soon(in_check(live_hall))
    assert live_hall.ticket(live_hall.world.alice).joined_at == joined_at


def test_a_check_that_nobody_answers_ends_while_the_worker_had_been_dead(live_app: LiveApp, live_hall: Hall) -> None:
    type(live_hall.world.queue).objects.filter(pk=live_hall.world.queue.pk).update(accept_seconds=5)
    join_both(live_hall)
    soon(in_check(live_hall))
    live_app.kill("worker")
    ready.accept(ready_check_id=live_hall.check(live_hall.world.alice).pk, player=live_hall.world.alice, now=clock())

    live_app.restart("worker")

    soon(lambda: live_hall.ticket(live_hall.world.bob).state == "removed")
    assert live_hall.ticket(live_hall.world.alice).state == "searching"
