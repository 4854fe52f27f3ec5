"""The edges: task names of the schedule, the outbox's route, and the clock when the store is away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ladder.models import OutboxEvent
from ladder.project.celery import app
from ladder.services import outbox
from matchmaking import tasks
from matchmaking.models import Ticket
from matchmaking.selectors.pools import waiting_queues
from matchmaking.services import queueing
from matchmaking.store import clock, get_store
from tests.ladder.world import play
from tests.matchmaking.hall import Hall
from tests.reports.test_change_of_scale import other_engine, take_over
from tests.web_record.stage import play_rated

pytestmark = pytest.mark.service


def test_every_entry_of_the_schedule_names_a_task_of_ours() -> None:
    app.loader.import_default_modules()
    names = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert {name for name in names if name.startswith("matchmaking.")} == {
        "matchmaking.tasks.tick",
        "matchmaking.tasks.expire_ready_checks",
        "matchmaking.tasks.reconcile_pools",
    }
    assert names <= app.tasks.keys()


def test_the_tick_goes_to_pools_in_which_somebody_searches(hall: Hall) -> None:
    assert waiting_queues() == []
    hall.join(hall.world.alice)

    assert waiting_queues() == [hall.world.queue.pk]


def test_tasks_tick_and_mend_on_the_stores_clock(hall: Hall) -> None:
    for player in (hall.world.alice, hall.world.bob):
        queueing.join(queue=hall.world.queue, player=player, now=clock())
    tasks.reconcile_pools()
    tasks.tick_pool(str(hall.world.queue.pk))
    tasks.expire_ready_checks()

    assert set(Ticket.objects.values_list("state", flat=True)) <= {"proposed", "searching"}


def test_case_33_the_outbox_carries_a_changed_rating_to_the_waiting_ticket(hall: Hall) -> None:
    hall.join(hall.world.alice)
    hall.rate(hall.world.alice, 1580.0)
    payload = {"players": [str(hall.world.alice.pk)], "queue": str(hall.world.queue.pk)}
    event = outbox.record(kind="rating.changed", key="refund", payload=payload, now=hall.now)

    assert outbox.consume(event_id=event.pk, now=hall.now)

    (waiting,) = get_store().load(hall.pool).tickets
    assert waiting.rating == pytest.approx(1580, abs=1)
    assert waiting.joined_at == hall.ticket(hall.world.alice).joined_at.timestamp()


def test_another_model_in_force_moves_everybody_who_waits_at_the_next_tick(hall: Hall) -> None:
    play_rated(hall.world, hall.world.alice, hall.world.bob)
    hall.join(hall.world.alice, hall.world.carol)
    before = {one.members[0].player: one.rating for one in get_store().load(hall.pool).tickets}
    take_over(hall.world, other_engine(hall.world, "elo"))
    event = OutboxEvent.objects.get(kind="model.changed")

    assert outbox.consume(event_id=event.pk, now=hall.now)

    after = {one.members[0].player: one.rating for one in get_store().load(hall.pool).tickets}
    assert before[hall.world.alice.pk.hex] < 1511
    assert after[hall.world.alice.pk.hex] == pytest.approx(1516)
    assert after[hall.world.carol.pk.hex] == before[hall.world.carol.pk.hex]


def test_with_the_store_away_a_join_is_kept_and_the_clock_goes_on(hall: Hall, settings: Any) -> None:
    reachable = settings.REDIS_URL
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    now = clock()
    (ticket,) = hall.join(hall.world.alice)

    assert abs(now - datetime.now(UTC)) < timedelta(seconds=5)
    settings.REDIS_URL = reachable
    assert not hall.in_store(hall.world.alice)
    hall.tick()
    tasks.reconcile_pools()
    assert [one.id for one in get_store().load(hall.pool).tickets] == [ticket.pk.hex]


def test_case_33_a_match_rated_while_its_winner_waits_again_moves_the_waiting_ticket(hall: Hall) -> None:
    play(hall.world, hall.world.alice, hall.world.bob)
    hall.join(hall.world.alice)
    (before,) = get_store().load(hall.pool).tickets

    assert outbox.drain(clock=lambda: hall.later(1.0)) == 1

    (waiting,) = get_store().load(hall.pool).tickets
    assert waiting.rating > before.rating
