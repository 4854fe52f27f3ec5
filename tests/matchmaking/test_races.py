"""Races with real threads on the real servers."""

from __future__ import annotations

import random
from functools import partial

import pytest

from ladder.models import Match, MatchParticipant, Offence
from ladder.services import matches
from ladder.services.matches import Seat
from matchmaking.models import ReadyCheck, Ticket, TicketMember
from matchmaking.services import queueing, ready
from matchmaking.services.tick import run_pool
from matchmaking.store import get_store
from tests.harness.threads import run_together
from tests.matchmaking.hall import Hall

pytestmark = [pytest.mark.race, pytest.mark.service]


def ticker(hall: Hall, seconds: float) -> partial[object]:
    now = hall.later(seconds)
    return partial(run_pool, queue_id=hall.world.queue.pk, now=now, rng=random.Random(1))


def no_errors(outcomes: list[object]) -> None:
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes


def test_B23_two_joins_within_milliseconds_make_one_ticket(hall: Hall) -> None:
    for player in (hall.world.alice, hall.world.bob, hall.world.carol):
        join = partial(queueing.join, queue=hall.world.queue, player=player, now=hall.now)

        outcomes = run_together(join, join, join)

        no_errors(outcomes)
        assert len({ticket.pk for ticket in outcomes}) == 1
    assert Ticket.objects.count() == 3


def test_case_11_invariant_5_two_workers_on_one_pool_make_each_match_once(hall: Hall) -> None:
    hall.crowd(20)

    outcomes = run_together(*(ticker(hall, 1) for _ in range(4)))

    no_errors(outcomes)
    assert Match.objects.count() == 10
    assert MatchParticipant.objects.filter(is_live=True).count() == 20
    assert get_store().snapshot(hall.pool).searching == {}


def test_case_11_reservations_hold_without_any_lease(hall: Hall) -> None:
    from ladder.selectors import seasons
    from matchmaking.core.pairing import plan_tick
    from matchmaking.selectors.policies import settings_of
    from matchmaking.services.formation import Ground, form
    from matchmaking.services.policies import ensure_policy

    hall.crowd(6)
    policy = ensure_policy(queue_id=hall.world.queue.pk, now=hall.now)
    tickets = {one.id: one for one in get_store().load(hall.pool).tickets}
    plan = plan_tick(list(tickets.values()), settings_of(policy), hall.now.timestamp(), hall.rng)
    ground = Ground(hall.world.queue, seasons.require_current(hall.world.queue), policy, tickets, hall.now)

    outcomes = run_together(*(partial(form, ground, proposal) for proposal in plan.proposals * 2))

    assert sorted(outcomes) == ["formed"] * 3 + ["lost"] * 3
    assert Match.objects.count() == 3


def test_cancel_against_tick_leaves_one_truth(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    for _round in range(6):
        hall.join(alice, bob)

        outcomes = run_together(ticker(hall, 1), partial(queueing.cancel, player=alice, now=hall.now))

        no_errors(outcomes)
        if outcomes[1].changed:
            assert hall.ticket(alice).state == Ticket.State.CANCELLED
            assert not hall.live_match(alice)
        else:
            assert outcomes[1].state == "proposed"
            hall.expire(30)
        queueing.cancel(player=bob, now=hall.later(150))
        assert not TicketMember.objects.filter(is_live=True).exists()


@pytest.mark.parametrize("attempt", range(4))
def test_B45_case_5_the_last_two_accepts_in_one_millisecond_start_exactly_one_match(hall: Hall, attempt: int) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    hall.join(alice, bob)
    hall.tick()
    check = hall.check(alice)

    outcomes = run_together(
        *(partial(ready.accept, ready_check_id=check.pk, player=player, now=hall.now) for player in (alice, bob, alice))
    )

    no_errors(outcomes)
    assert [one.completed for one in outcomes].count(True) == 1
    assert Match.objects.get().state == Match.State.ASSIGNED
    assert hall.ticket(alice).events.filter(kind="assigned").count() == 1


def test_accept_against_expire_gives_both_the_same_end(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    for _round in range(5):
        hall.join(alice, bob)
        assert hall.tick().formed == 1
        hall.accept(alice)
        hall.see(bob)
        check, click = hall.check(bob), hall.later(21.9)

        outcomes = run_together(
            partial(ready.accept, ready_check_id=check.pk, player=bob, now=click),
            partial(ready.expire_due, now=hall.later(0.2)),
        )

        no_errors(outcomes)
        check.refresh_from_db()
        started = check.state == ReadyCheck.State.COMPLETE
        assert outcomes[0].state == ("started" if started else "expired")
        assert Offence.objects.filter(match=check.match).count() == (0 if started else 1)
        if started:
            matches.cancel(match_id=check.match_id, reason="test", now=hall.now)
        queueing.cancel(player=alice, now=hall.now)
        Offence.objects.all().delete()
        hall.later(150)


def test_B35_a_queue_match_and_a_direct_match_at_once_leave_the_player_in_one(hall: Hall) -> None:
    alice, bob, carol = hall.world.alice, hall.world.bob, hall.world.carol
    hall.join(alice, bob)

    def challenge() -> Match:
        return matches.create(
            queue=hall.world.queue,
            season=hall.world.season,
            seats=[[Seat(alice.pk)], [Seat(carol.pk)]],
            quality=None,
            now=hall.now,
            state=Match.State.ASSIGNED,
            source=Match.Source.CHALLENGE,
        )

    outcomes = run_together(ticker(hall, 1), challenge)

    assert MatchParticipant.objects.filter(player=alice, is_live=True).count() == 1
    refused = isinstance(outcomes[1], matches.Busy)
    assert refused == (hall.ticket(alice).state == Ticket.State.PROPOSED)
    if not refused:
        assert hall.ticket(alice).end_reason == "started_elsewhere" or hall.tick().ran
