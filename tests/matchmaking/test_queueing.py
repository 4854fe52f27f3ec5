"""The doors into and out of a queue."""

from __future__ import annotations

import pytest

from ladder.models import Match, Membership, Player, Queue
from ladder.services import clubs, matches, queues, seasons
from matchmaking.models import Ticket, TicketEvent
from matchmaking.services import queueing
from ratings.errors import DomainError
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def refusal(hall: Hall, player: Player, queue: Queue | None = None) -> DomainError:
    with pytest.raises(DomainError) as caught:
        queueing.join(queue=queue or hall.world.queue, player=player, now=hall.now)
    assert caught.value.message
    return caught.value


def second_queue(hall: Hall) -> Queue:
    world = hall.world
    queue = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=hall.now
    )
    seasons.add_queue(season=world.season, queue=queue, actor=world.olga, now=hall.now)
    return queue


def test_joining_writes_the_ticket_its_fact_and_the_hot_entry(hall: Hall) -> None:
    (ticket,) = hall.join(hall.world.alice)

    assert (ticket.state, ticket.joined_at) == (Ticket.State.SEARCHING, hall.now)
    assert TicketEvent.objects.get(ticket=ticket).kind == TicketEvent.Kind.JOINED
    assert hall.in_store(hall.world.alice)


def test_B23_the_second_join_returns_the_first_ticket_with_its_age(hall: Hall) -> None:
    (first,) = hall.join(hall.world.alice)
    hall.later(30)

    (second,) = hall.join(hall.world.alice)

    assert (second.pk, second.joined_at) == (first.pk, first.joined_at)
    assert Ticket.objects.count() == 1


def test_case_1_after_a_double_join_the_player_meets_another_and_never_himself(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.alice)
    assert hall.tick().formed == 0
    hall.rate(hall.world.bob, 1510.0)
    hall.join(hall.world.bob)

    hall.tick()

    seats = set(Match.objects.get().participants.values_list("player_id", flat=True))
    assert seats == {hall.world.alice.pk, hall.world.bob.pk}


def test_a_stranger_and_somebody_who_left_are_refused_in_words(hall: Hall) -> None:
    assert refusal(hall, hall.world.stranger).code == "not_a_member"
    clubs.leave_club(club=hall.world.club, player=hall.world.dave, now=hall.now)
    assert refusal(hall, hall.world.dave).code == "not_a_member"


def test_a_closed_queue_and_a_club_between_seasons_are_refused(hall: Hall) -> None:
    queues.set_state(queue=hall.world.queue, actor=hall.world.olga, state=Queue.State.CLOSED, now=hall.now)
    assert refusal(hall, hall.world.alice).code == "queue_closed"

    queues.set_state(queue=hall.world.queue, actor=hall.world.olga, state=Queue.State.OPEN, now=hall.now)
    seasons.close_season(season=hall.world.season, actor=hall.world.olga, now=hall.now)
    assert refusal(hall, hall.world.alice).code == "no_season"


def test_somebody_in_a_live_match_is_refused(hall: Hall) -> None:
    hall.world.match(hall.world.alice, hall.world.bob)

    assert refusal(hall, hall.world.alice).code == "in_match"


def test_B29_a_player_searches_in_one_queue_at_a_time_and_queues_never_mix(hall: Hall) -> None:
    rapid = second_queue(hall)
    hall.join(hall.world.alice)
    queueing.join(queue=rapid, player=hall.world.bob, now=hall.now)

    refused = refusal(hall, hall.world.alice, rapid)

    assert (refused.code, hall.world.queue.name in refused.message) == ("searching_elsewhere", True)
    assert hall.tick(60).formed == 0, "alice and bob wait in different queues"


def test_case_41_a_queue_for_teams_takes_no_lone_player(hall: Hall) -> None:
    Queue.objects.filter(pk=hall.world.queue.pk).update(team_size=2)

    assert refusal(hall, hall.world.alice).code == "not_for_singles"


def test_cancel_ends_the_search_everywhere(hall: Hall) -> None:
    hall.join(hall.world.alice)

    result = queueing.cancel(player=hall.world.alice, now=hall.later(5))

    assert (result.state, result.changed) == ("cancelled", True)
    assert not hall.in_store(hall.world.alice)
    assert hall.ticket(hall.world.alice).end_reason == "by_player"


def test_B31_the_second_cancel_is_a_no_op_that_says_how_things_stand(hall: Hall) -> None:
    hall.join(hall.world.alice)
    queueing.cancel(player=hall.world.alice, now=hall.now)

    again = queueing.cancel(player=hall.world.alice, now=hall.later(1))
    never = queueing.cancel(player=hall.world.bob, now=hall.now)

    assert (again.state, again.changed, again.ticket) == ("cancelled", False, hall.ticket(hall.world.alice))
    assert (never.state, never.changed, never.ticket) == ("idle", False, None)


def test_a_found_match_is_answered_and_not_cancelled(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()

    result = queueing.cancel(player=hall.world.alice, now=hall.now)

    assert (result.state, result.changed) == ("proposed", False)


def test_B25_starting_another_match_removes_the_ticket_and_logs_it(hall: Hall) -> None:
    hall.join(hall.world.alice)
    hall.world.match(hall.world.alice, hall.world.carol)

    hall.tick()

    ticket = hall.ticket(hall.world.alice)
    assert (ticket.state, ticket.end_reason) == (Ticket.State.REMOVED, "started_elsewhere")
    assert ticket.events.filter(kind=TicketEvent.Kind.REMOVED, reason="started_elsewhere").count() == 1
    assert not hall.in_store(hall.world.alice)


def test_somebody_put_out_of_the_club_while_waiting_does_not_meet_anybody(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    Membership.objects.filter(player=hall.world.bob).update(state=Membership.State.BANNED)

    report = hall.tick()

    assert report.formed == 0
    assert hall.ticket(hall.world.bob).end_reason == "not_a_member"


def test_B35_whoever_is_in_a_ready_check_cannot_be_put_into_another_match(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()

    with pytest.raises(matches.Busy):
        hall.world.match(hall.world.alice, hall.world.carol)
