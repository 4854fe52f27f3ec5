"""product-faults.md 1.2 and 1.3, matchmaking-faults.md: who may wait, who is passed over, what the figures count."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from ladder.models import Match, Player, Queue
from ladder.services import clubs, conduct, matches, queues, seasons
from matchmaking import selectors
from matchmaking.core.pairing import plan_tick
from matchmaking.core.policy import PRESETS, Policy, Window
from matchmaking.core.types import Seeker, WaitingTicket
from matchmaking.core.windows import width
from matchmaking.models import Ticket, TicketMember
from matchmaking.services import queueing
from matchmaking.services.recovery import reconcile
from matchmaking.services.tickets import pool_of
from matchmaking.store import get_store
from ratings.errors import DomainError
from tests.harness.store import forget_cached
from tests.ladder.world import World
from tests.matchmaking.hall import Hall, ago


def misbehave(hall: Hall, player: Player, times: int) -> None:
    """The player declines so many matches in a row."""
    for _time in range(times):
        match = hall.world.match(player, hall.world.dave, state=Match.State.READY_CHECK)
        matches.cancel(match_id=match.pk, reason="not_accepted", now=hall.now)
        conduct.record_offence(
            player_id=player.pk, queue=hall.world.queue, match_id=match.pk, kind="declined", now=hall.now
        )


@pytest.mark.service
def test_B27_whoever_is_blocked_is_refused_with_the_time_left_and_nobody_else_is(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    misbehave(hall, bob, 4)
    until = hall.now + timedelta(minutes=30)
    hall.later(60)

    with pytest.raises(DomainError) as refusal:
        hall.join(bob)
    hall.join(alice)

    assert (refusal.value.code, refusal.value.until) == ("blocked", until)
    assert "29 minutes" in refusal.value.message
    assert not Ticket.objects.filter(leader=bob).exists()
    hall.later(29 * 60)
    assert hall.join(bob)[0].state == Ticket.State.SEARCHING


ANYBODY = Policy(Window(base=400.0, growth=0.0, cap=400.0), lifetime=None)


def waiting(name: str, rating: float, joined: float) -> WaitingTicket:
    return WaitingTicket(name, (Seeker(f"player {name}", rating),), joined)


def test_B33_the_second_longest_waiter_of_a_thin_queue_is_passed_over_once_at_most() -> None:
    pool = [waiting("longest", 1500, 0), waiting("second", 1560, 1), waiting("fresh 1", 1501, 8)]
    met = []
    for number in range(2, 4):
        (made,) = plan_tick(pool, ANYBODY, 10.0 + number, random.Random(1)).proposals
        met.append(set(made.tickets))
        pool = [one for one in pool if one.id not in made.tickets] + [waiting(f"fresh {number}", 1500, 10.0 + number)]

    assert met == [{"longest", "fresh 1"}, {"second", "fresh 2"}]


@pytest.mark.parametrize("seed", range(20))
def test_B33_nobody_is_passed_over_more_often_than_there_were_older_ones(seed: int) -> None:
    dice = random.Random(seed)
    pool = [waiting(f"t{number}", dice.uniform(1400, 1600), number) for number in range(7)]
    left = {one.id: place for place, one in enumerate(pool)}
    for turn in range(7):
        taken = {name for made in plan_tick(pool, ANYBODY, 20.0 + turn, dice).proposals for name in made.tickets}
        pool = [one for one in pool if one.id not in taken]
        assert not [one.id for one in pool if left.get(one.id, 99) < turn], "older ones left after their turn"
        pool += [waiting(f"fresh {turn}", dice.uniform(1400, 1600), 20.0 + turn)]

    assert not [one for one in pool if one.id in left]


@pytest.mark.service
def test_B49_who_left_can_be_invited_again_and_a_dead_link_tells_nothing(world: World) -> None:
    def invite() -> tuple[object, str]:
        row, token = clubs.create_invitation(
            club=world.club, actor=world.olga, note="for carol", days=7, max_uses=1, now=world.now
        )
        return row.pk, token

    def answer(token: str) -> tuple[str, str]:
        with pytest.raises(DomainError) as refusal:
            clubs.join_club(
                club=world.club, player=world.stranger, self_assessment="club", token=token, now=world.later(seconds=1)
            )
        return refusal.value.code, refusal.value.message

    world.club.is_open_to_join = False
    world.club.save()
    clubs.leave_club(club=world.club, player=world.carol, now=world.now)
    first, cleared = invite()
    clubs.revoke_invitation(club=world.club, actor=world.olga, invitation_id=first, now=world.now)
    _second, token = invite()

    assert answer(cleared) == answer("never made"), "cleared or never there reads the same"
    clubs.join_club(club=world.club, player=world.carol, self_assessment="club", token=token, now=world.now)
    assert world.carol.memberships.get().state == "active"


def second_queue(hall: Hall) -> Queue:
    """Another queue of the club in the same season."""
    world = hall.world
    queue = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=hall.now
    )
    seasons.add_queue(season=world.season, queue=queue, actor=world.olga, now=hall.now)
    return queue


@pytest.mark.service
@pytest.mark.parametrize("seed", range(3))
def test_case_9_any_order_of_joins_and_cancels_in_two_queues_leaves_one_live_ticket_each(hall: Hall, seed: int) -> None:
    dice, both = random.Random(seed), [hall.world.queue, second_queue(hall)]
    people = [hall.world.alice, hall.world.bob, hall.world.carol]
    for _step in range(40):
        player = dice.choice(people)
        with suppress(DomainError):  # who searches in the other queue is refused; what counts is what is left
            if dice.random() < 0.6:
                queueing.join(queue=dice.choice(both), player=player, now=hall.later(0.01))
            else:
                queueing.cancel(player=player, now=hall.later(0.01))
        if dice.random() < 0.1:
            reconcile(now=hall.now)

        live = list(TicketMember.objects.filter(is_live=True).values_list("player_id", flat=True))
        stored = [one for queue in both for one in get_store().load(pool_of(queue)).tickets]
        assert len(live) == len(set(live))
        assert sorted(one.members[0].player for one in stored) == sorted(player.hex for player in live)


@pytest.mark.service
def test_case_9_the_database_itself_keeps_a_second_live_ticket_out(hall: Hall) -> None:
    hall.join(hall.world.alice)
    other = Ticket.objects.create(queue=hall.world.queue, leader=hall.world.bob, joined_at=hall.now)

    with pytest.raises(IntegrityError, match="one_live_ticket_per_player"), transaction.atomic():
        TicketMember.objects.create(ticket=other, player=hall.world.alice)


@pytest.mark.service
def test_case_35_a_busy_queue_that_is_empty_at_every_look_is_known_as_busy(hall: Hall) -> None:
    Ticket.objects.bulk_create(
        Ticket(
            queue=hall.world.queue,
            leader=hall.world.dave,
            state=Ticket.State.ASSIGNED,
            joined_at=ago(hall.now, 6.0 * number + 10),
            ended_at=ago(hall.now, 6.0 * number),
        )
        for number in range(600)
    )
    forget_cached()

    figures = selectors.queue_figures(hall.world.queue, now=hall.now)

    assert (figures.players, figures.tickets) == (0, 0)
    assert figures.usual_wait is not None
    assert (figures.usual_wait.basis, figures.usual_wait.text) == ("recent", "usually about 10 s")
    assert figures.usual_wait.samples >= 500


def test_case_35_a_window_depends_on_the_own_wait_and_never_on_what_is_left_in_the_queue() -> None:
    crowd = [waiting(f"crowd {number}", 3000.0 + 1000 * number, 0.0) for number in range(200)]
    two = [waiting("a", 1500, 0.0), waiting("b", 1700, 0.0)]
    quick = PRESETS["quick"]

    def met_at(pool: list[WaitingTicket]) -> int:
        return next(
            second
            for second in range(30)
            if any("a" in made.tickets for made in plan_tick(pool, quick, float(second), random.Random(1)).proposals)
        )

    assert met_at(two) == met_at(two + crowd) == 6
    assert width(quick.window, 6.0) == 200.0
