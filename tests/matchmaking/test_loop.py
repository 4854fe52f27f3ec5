"""The loop of a queue through its own doors: join, tick, ready check, match."""

from __future__ import annotations

import pytest

from ladder.models import Match, MatchParticipant
from matchmaking.models import ReadyCheck, Ticket, TicketEvent
from matchmaking.store import get_store
from ratings.models import Forecast
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def test_two_join_a_tick_proposes_both_accept_and_the_match_is_assigned(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    hall.join(alice, bob)

    report = hall.tick()
    first = hall.accept(alice)
    last = hall.accept(bob)

    assert (report.ran, report.formed) == (True, 1)
    assert (first.state, first.completed) == ("waiting", False)
    assert (last.state, last.completed) == ("started", True)
    match = Match.objects.get()
    assert match.state == Match.State.ASSIGNED
    assert hall.live_match(alice) == hall.live_match(bob) == match
    assert hall.ticket(alice).state == hall.ticket(bob).state == Ticket.State.ASSIGNED
    assert hall.check(alice).state == ReadyCheck.State.COMPLETE
    assert hall.searching() == set()


def test_the_match_keeps_the_numbers_it_was_formed_on(hall: Hall) -> None:
    hall.rate(hall.world.bob, 1560.0)
    hall.join(hall.world.alice)
    hall.later(3)
    hall.join(hall.world.bob)

    hall.tick(2)

    check = ReadyCheck.objects.get()
    assert round(check.formation["gap"]) == 60
    assert check.quality == Forecast.objects.get(match=check.match).quality
    seats = {seat.player_id: seat for seat in MatchParticipant.objects.all()}
    assert seats[hall.world.alice.pk].window == 175
    assert seats[hall.world.bob.pk].window == 100
    assert (seats[hall.world.alice.pk].matched_at - seats[hall.world.alice.pk].ticket_created_at).total_seconds() == 5


def test_every_ticket_tells_its_story_in_events(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.alice)
    hall.accept(hall.world.bob)

    kinds = (
        TicketEvent.objects.filter(ticket=hall.ticket(hall.world.alice)).order_by("id").values_list("kind", flat=True)
    )

    assert list(kinds) == ["joined", "proposed", "assigned"]


def test_a_tick_leaves_nothing_reserved_and_no_lease(hall: Hall) -> None:
    hall.join(hall.world.alice)
    hall.tick()

    report = hall.tick()

    assert (report.ran, report.waiting, report.oldest_reason) == (True, 1, "alone")
    assert get_store().snapshot(hall.pool).held == {}
