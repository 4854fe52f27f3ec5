"""Whatever dies and whatever is emptied: nobody is lost, nobody is stuck, ages stay."""

from __future__ import annotations

import signal

import pytest
from django.conf import settings

from ladder.models import Match
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket
from matchmaking.services import ready
from matchmaking.services.recovery import reconcile
from matchmaking.store import get_store
from matchmaking.store.keys import keys_of
from tests.harness.store import store
from tests.matchmaking.crash import empty_the_store, run_and_die, store_unheard
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def test_case_13_a_worker_killed_right_after_the_reservation_costs_30_seconds_and_no_age(hall: Hall) -> None:
    alice, bob = hall.join(hall.world.alice, hall.world.bob)
    hall.tick(0.0)
    hall.decline(hall.world.alice)
    alice, bob = hall.join(hall.world.alice)[0], hall.ticket(hall.world.bob)
    script = (
        "from datetime import datetime; from uuid import UUID, uuid4\n"
        "from matchmaking.store import Pool, get_store\n"
        f"pool = Pool(UUID({str(hall.world.club.pk)!r}), UUID({str(hall.world.queue.pk)!r}))\n"
        f"now = datetime.fromisoformat({hall.now.isoformat()!r})\n"
        f"said = get_store().reserve(pool, uuid4().hex, [{alice.pk.hex!r}, {bob.pk.hex!r}], now=now)\n"
        "die() if said.ok else None\n"
    )

    assert run_and_die(script) == -signal.SIGKILL

    assert hall.searching() == set()
    assert hall.tick(29).waiting == 0
    assert hall.tick(1).waiting == 2
    ages = {one.id: one.joined_at for one in get_store().load(hall.pool).tickets}
    assert ages == {row.pk.hex: row.joined_at.timestamp() for row in (alice, bob)}


def test_case_23_an_emptied_store_is_rebuilt_within_one_tick_with_true_ages(hall: Hall) -> None:
    hall.rate(hall.world.bob, 3000.0)
    hall.join(hall.world.alice)
    hall.later(40)
    hall.join(hall.world.bob)
    before = {row.pk.hex: row.joined_at.timestamp() for row in Ticket.objects.all()}

    empty_the_store()
    report = hall.tick()

    assert (report.waiting, report.oldest_age) == (2, 41)
    assert {one.id: one.joined_at for one in get_store().load(hall.pool).tickets} == before


def test_case_23_emptied_while_two_fit_they_are_matched_in_the_very_next_tick(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    empty_the_store()

    assert hall.tick().formed == 1


def test_case_23_half_tickets_are_removed_counted_and_restored(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    client, keys = store(), keys_of(settings.STORE_PREFIX, hall.pool)
    client.hdel(keys.pool, hall.ticket(hall.world.alice).pk.bytes)  # the payload is gone, the index entry is not
    Ticket.objects.filter(leader=hall.world.bob).update(state="cancelled", ended_at=hall.now)  # the other way round

    mended = reconcile(now=hall.now)

    assert (mended.restored, mended.removed) == (1, 1)
    assert get_store().figures(hall.pool)["half_tickets"] == 1
    assert hall.searching() == {hall.world.alice.pk.hex}
    assert get_store().snapshot(hall.pool).players.keys() == {hall.world.alice.pk.hex}
    assert reconcile(now=hall.now).removed == 0


def test_case_23_damaged_bytes_are_thrown_out_and_written_anew(hall: Hall) -> None:
    hall.join(hall.world.alice)
    store().hset(keys_of(settings.STORE_PREFIX, hall.pool).pool, hall.ticket(hall.world.alice).pk.bytes, b"x" * 40)

    assert hall.tick().quarantined == 1
    reconcile(now=hall.now)

    assert hall.tick().waiting == 1
    assert hall.ticket(hall.world.alice).state == Ticket.State.SEARCHING


def test_a_join_that_never_reached_the_store_is_put_in_by_recovery(hall: Hall) -> None:
    with store_unheard():
        hall.join(hall.world.alice)
    assert not hall.in_store(hall.world.alice)

    reconcile(now=hall.later(5))

    assert hall.in_store(hall.world.alice)


def test_a_worker_killed_between_commit_and_store_leaves_a_check_that_works(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    with store_unheard():
        hall.tick()
    assert hall.searching() != set(), "the store has not heard of the proposal"

    assert hall.tick(2).formed == 0, "PostgreSQL knows that they are taken"
    hall.accept(hall.world.alice)
    outcome = hall.accept(hall.world.bob)

    assert outcome.state == "started"
    assert Match.objects.count() == 1


def test_a_failed_check_whose_release_was_lost_is_released_by_recovery(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    with store_unheard():
        hall.decline(hall.world.bob)
    assert not hall.in_store(hall.world.alice)

    reconcile(now=hall.later(5))

    assert hall.searching() == {hall.world.alice.pk.hex}
    (rejoined,) = hall.join(hall.world.bob)
    assert rejoined.state == Ticket.State.SEARCHING
    assert hall.in_store(hall.world.bob)


def test_a_ghost_never_keeps_its_player_from_joining_again(hall: Hall) -> None:
    from matchmaking.services import queueing

    hall.join(hall.world.alice)
    with store_unheard():
        queueing.cancel(player=hall.world.alice, now=hall.now)

    (again,) = hall.join(hall.world.alice)

    assert [one.id for one in get_store().load(hall.pool).tickets] == [again.pk.hex]


def test_case_21_all_accepted_and_nothing_started_is_carried_on(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    ReadyCheckAnswer.objects.update(answer="accepted", answered_at=hall.now)

    assert reconcile(now=hall.later(2)).resumed == 0, "somebody may be at it"
    assert reconcile(now=hall.later(4)).resumed == 1
    assert reconcile(now=hall.later(5)).resumed == 0
    assert hall.ticket(hall.world.alice).state == Ticket.State.ASSIGNED
    assert Match.objects.get().state == Match.State.ASSIGNED


def test_case_21_a_check_given_up_sends_all_back_with_their_age_and_an_apology(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    check = hall.check(hall.world.alice)
    hall.later(40)

    assert [ready.abandon(check.pk, now=hall.now) for _ in range(2)] == [True, False]

    notice = hall.card(hall.world.alice).notice
    assert notice is not None
    assert "nobody is to blame" in notice.text
    assert (hall.waited(hall.world.alice), hall.in_store(hall.world.alice)) == (41, True)


def test_an_emptied_store_does_not_touch_an_open_check(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    empty_the_store()
    reconcile(now=hall.later(1))
    hall.accept(hall.world.alice)

    hall.expire(22)

    assert hall.check(hall.world.alice).state == ReadyCheck.State.FAILED
    assert hall.searching() == {hall.world.alice.pk.hex}


def test_nobody_needs_a_browser_for_a_check_to_end(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()

    assert ready.expire_due(now=hall.later(60)) == 1

    assert {row.state for row in Ticket.objects.all()} == {Ticket.State.REMOVED}
    assert not hall.live_match(hall.world.alice)
