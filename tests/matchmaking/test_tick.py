"""One tick of a pool through PostgreSQL and Valkey."""

from __future__ import annotations

import math

import pytest

from ladder.models import Match, Queue
from ladder.services import queues, seasons
from matchmaking.core.types import Seeker, WaitingTicket
from matchmaking.models import Ticket
from matchmaking.services import policies
from matchmaking.services.refresh import refresh_ratings
from matchmaking.services.tick import MOST_MATCHES
from matchmaking.store import get_store
from ratings.errors import DomainError, NotAllowed
from ratings.models import ForecastEntry, PlayerRating
from tests.harness.queries import assert_queries
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def spoil(hall: Hall, ticket: Ticket, rating: float) -> None:
    """Let the store believe this rating of the ticket's player."""
    seeker = Seeker(ticket.leader_id.hex, rating, 60.0)
    get_store().update(hall.pool, WaitingTicket(ticket.pk.hex, (seeker,), ticket.joined_at.timestamp()))


def test_case_17_one_broken_ticket_is_quarantined_and_the_others_are_matched(hall: Hall) -> None:
    hall.crowd(10)
    (broken,) = hall.join(hall.world.alice)
    spoil(hall, broken, math.nan)

    report, after = hall.tick(), hall.tick()

    assert (report.quarantined, report.formed) == (1, 5)
    assert (after.ran, after.quarantined, after.waiting) == (True, 0, 0)
    assert hall.ticket(hall.world.alice).end_reason == "broken"
    notice = hall.card(hall.world.alice).notice
    assert notice is not None
    assert notice.code == "broken"


def test_case_17_a_proposal_that_fails_stops_no_other_and_is_not_tried_all_day(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.alice)
    hall.accept(hall.world.bob)
    # A rating that no engine can forecast with; the store still holds a sound one.
    bad, *guests = hall.people(4)
    hall.join(bad, *guests)
    PlayerRating.objects.filter(player=bad).update(deviation=-1.0)

    reports = [hall.tick() for _ in range(5)]

    assert sum(report.formed for report in reports) >= 1
    assert hall.ticket(bad).end_reason == "broken"
    assert reports[-1].lost == reports[-1].refused == 0


def test_case_27_nobody_in_reach_expires_with_an_honest_sentence(hall: Hall) -> None:
    hall.rate(hall.world.alice, 1000.0)
    hall.rate(hall.world.bob, 200.0)
    hall.join(hall.world.alice, hall.world.bob)

    during = [hall.tick(50) for _ in range(5)]
    end = hall.tick(50)

    assert all(report.formed == report.expired == 0 for report in during)
    assert end.expired == 2
    card = hall.card(hall.world.alice)
    assert (card.state, card.may_join) == ("expired", True)
    assert card.notice is not None
    assert card.notice.text == "Nobody close enough came in 5:00. You can join again, or try another queue."


def test_case_29_two_windows_must_agree(hall: Hall) -> None:
    hall.rate(hall.world.bob, 1800.0)
    hall.join(hall.world.alice)
    hall.later(38)
    hall.join(hall.world.bob)

    assert (hall.tick(2).formed, hall.tick(7).formed) == (0, 0)
    assert hall.tick(1).formed == 1, "bob's own window reaches 300 when he has waited 10 seconds"


def test_case_33_a_rating_that_moves_while_waiting_counts_at_the_next_tick(hall: Hall) -> None:
    hall.rate(hall.world.bob, 1690.0)
    hall.join(hall.world.alice, hall.world.bob)
    assert hall.tick(3).formed == 0, "a gap of 190 against windows of 125"

    hall.rate(hall.world.alice, 1580.0)
    refresh_ratings(players=[hall.world.alice.pk], queue_id=hall.world.queue.pk, now=hall.now)

    assert hall.tick(0.5).formed == 1
    assert ForecastEntry.objects.get(player=hall.world.alice).rating == pytest.approx(1580, abs=1)


def test_case_59_a_new_policy_holds_from_the_next_tick_with_ages_kept(hall: Hall) -> None:
    hall.preset("strict")
    hall.rate(hall.world.bob, 1650.0)
    hall.join(hall.world.alice, hall.world.bob)
    assert hall.tick(10).formed == 0

    hall.preset("quick")

    assert hall.tick(1).formed == 1
    assert [row.version for row in hall.world.queue.policies.order_by("version")] == [1, 2, 3]


def test_case_59_closing_a_queue_ends_every_wait_honestly_and_they_may_join_elsewhere(hall: Hall) -> None:
    guests = hall.crowd(40)
    for index, guest in enumerate(guests):
        spoil(hall, hall.ticket(guest), index * 1000.0)
    queues.set_state(queue=hall.world.queue, actor=hall.world.olga, state=Queue.State.CLOSED, now=hall.now)

    report = hall.tick()

    assert (report.ran, report.why, report.expired) == (False, "queue_closed", 40)
    assert set(Ticket.objects.values_list("state", "end_reason")) == {("expired", "queue_closed")}
    assert hall.searching() == set()
    queues.set_state(queue=hall.world.queue, actor=hall.world.olga, state=Queue.State.OPEN, now=hall.now)
    assert hall.join(guests[0])[0].state == Ticket.State.SEARCHING


def test_a_season_that_closes_ends_every_wait(hall: Hall) -> None:
    hall.join(hall.world.alice)
    seasons.close_season(season=hall.world.season, actor=hall.world.olga, now=hall.now)

    hall.tick()

    assert hall.ticket(hall.world.alice).end_reason == "no_season"


def test_case_67_a_second_tick_within_half_a_second_does_nothing(hall: Hall) -> None:
    hall.join(hall.world.alice)
    hall.tick()

    assert hall.tick(0.3).why == "too_soon"
    assert hall.tick(0.3).ran


def test_case_69_the_report_says_how_many_were_not_looked_at(hall: Hall) -> None:
    hall.crowd(30)

    report = hall.tick()

    assert (report.waiting, report.formed, report.not_looked_at) == (30, 15, 0)


def test_one_tick_forms_a_bounded_number_of_matches_the_oldest_first_and_leaves_the_rest_to_the_next(
    hall: Hall,
) -> None:
    early = hall.crowd(2 * MOST_MATCHES)
    hall.later(1)
    hall.join(hall.world.alice, hall.world.bob)

    first, second = hall.tick(), hall.tick()

    assert (first.formed, first.left) == (MOST_MATCHES, 1)
    assert {hall.ticket(player).state for player in early[:5]} == {Ticket.State.PROPOSED}
    assert (second.formed, second.left) == (1, 0)


def test_a_ghost_in_the_store_costs_nobody_a_match(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    Ticket.objects.filter(leader=hall.world.bob).update(state="cancelled", ended_at=hall.now)

    report = hall.tick()

    assert (report.formed, report.lost) == (0, 1)
    assert hall.searching() == {hall.world.alice.pk.hex}
    assert not Match.objects.exists()


def test_a_tick_makes_a_constant_number_of_queries_besides_the_matches(hall: Hall) -> None:
    guests = hall.crowd(12)
    for index, guest in enumerate(guests):
        spoil(hall, hall.ticket(guest), index * 1000.0)

    with assert_queries(4, "queue, season, unfit tickets, policy"):
        assert hall.tick().formed == 0


def test_the_first_policy_is_fair_and_only_organizers_change_it(hall: Hall) -> None:
    hall.world.queue.policies.all().delete()

    first = policies.ensure_policy(queue_id=hall.world.queue.pk, now=hall.now)

    assert (first.preset, first.version) == ("fair", 1)
    with pytest.raises(NotAllowed):
        policies.set_preset(queue=hall.world.queue, actor=hall.world.alice, preset="quick", now=hall.now)
    with pytest.raises(DomainError):
        policies.set_preset(queue=hall.world.queue, actor=hall.world.olga, preset="magic", now=hall.now)
    same = policies.set_preset(queue=hall.world.queue, actor=hall.world.olga, preset="fair", now=hall.now)
    assert same == first
