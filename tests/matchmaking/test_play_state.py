"""What the Play card says, whenever it is asked: after a reload, in a second tab, at every poll."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ladder.models import Queue
from ladder.services import queues, seasons
from matchmaking import selectors
from matchmaking.models import Ticket
from matchmaking.services import queueing
from tests.harness.queries import assert_queries
from tests.harness.store import forget_cached
from tests.matchmaking.hall import Hall, ago

pytestmark = pytest.mark.service


def history(hall: Hall, *waits: float | None, ended: float = 60.0) -> None:
    """Tickets of the past: matched after so many seconds, or (None) expired after 300."""
    for index, wait in enumerate(waits):
        end = ago(hall.now, ended + index)
        Ticket.objects.create(
            queue=hall.world.queue,
            leader=hall.world.dave,
            state="expired" if wait is None else "assigned",
            end_reason="nobody_fitted" if wait is None else "",
            joined_at=ago(end, 300.0 if wait is None else wait),
            ended_at=end,
        )
    forget_cached()


def test_idle_offers_join_and_the_usual_wait(hall: Hall) -> None:
    history(hall, 10.0, 20.0, 30.0, 40.0, 50.0)

    card = hall.card(hall.world.alice)

    assert (card.state, card.may_join, card.notice) == ("idle", True, None)
    assert card.usual_wait is not None
    assert (card.usual_wait.low, card.usual_wait.high, card.usual_wait.basis) == (20, 40, "recent")
    assert card.usual_wait.text == "usually 20 s to 40 s"


def test_the_usual_wait_is_honest_about_those_who_found_nobody_and_silent_without_figures(hall: Hall) -> None:
    assert hall.card(hall.world.alice).usual_wait is None
    history(hall, 10.0, 20.0, None, None, 15.0)

    usual = hall.card(hall.world.alice).usual_wait

    assert usual is not None
    assert (usual.low, usual.high) == (15, None)
    assert "found nobody" in usual.text


def test_the_usual_wait_falls_back_to_this_hour_of_the_last_week(hall: Hall) -> None:
    history(hall, 60.0, 60.0, 60.0, 60.0, 60.0, ended=2 * 86_400)

    usual = hall.card(hall.world.alice).usual_wait

    assert usual is not None
    assert (usual.basis, usual.text) == ("hour", "usually about 1 min")


def test_case_19_a_reload_while_searching_shows_the_same_ticket_with_its_true_age(hall: Hall) -> None:
    (ticket,) = hall.join(hall.world.alice)
    hall.later(42)

    card = hall.card(hall.world.alice)

    assert card.state == "searching"
    assert card.search is not None
    assert (card.search.ticket_id, card.search.waited_seconds, card.search.waited_text) == (ticket.pk, 42, "0:42")
    assert card.search.seconds_left == 258
    assert card.search.acceptable_text == "players within about 4 divisions"


def test_the_window_is_told_in_half_divisions_and_never_in_points(hall: Hall) -> None:
    hall.join(hall.world.alice)
    told = []

    for _second in range(5):
        card = hall.card(hall.world.alice).search
        assert card is not None
        told.append((card.divisions, card.acceptable_text))
        hall.later(1)

    assert [divisions for divisions, _text in told] == [0.5, 1.0, 1.0, 1.0, 1.5]
    assert [text for _divisions, text in told[2:]] == [
        "players within about one division",
        "players within about one division",
        "players within about one and a half divisions",
    ]


def test_case_19_a_reload_during_the_check_shows_it_with_the_true_time_left(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.bob)
    hall.later(13)

    card = hall.card(hall.world.alice)

    assert card.state == "ready_check"
    assert card.check is not None
    assert (card.check.seconds_left, card.check.total_seconds) == (7, 20)
    assert (card.check.my_answer, card.check.accepted, card.check.needed) == ("pending", 1, 2)
    assert card.check.opponents == ("bob",)


def test_case_49_the_grace_is_not_shown(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.later(21)

    check = hall.card(hall.world.alice).check

    assert check is not None
    assert check.seconds_left == 0


def test_a_started_match_is_shown_with_the_next_step(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.alice)
    hall.accept(hall.world.bob)

    card = hall.card(hall.world.alice)

    assert card.state == "match"
    assert card.match is not None
    assert (card.match.state, card.match.opponents) == ("assigned", ("bob",))
    assert card.match.next_step == "Play against bob, then report the result on the match page."


def test_a_search_in_another_queue_is_shown_as_elsewhere(hall: Hall) -> None:
    world = hall.world
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=hall.now
    )
    seasons.add_queue(season=world.season, queue=rapid, actor=world.olga, now=hall.now)
    queueing.join(queue=rapid, player=world.alice, now=hall.now)

    card = hall.card(world.alice)

    assert (card.state, card.is_elsewhere, card.at.slug) == ("searching", True, "rapid")


def test_blocked_closed_and_seasonless_say_why_and_until_when(hall: Hall) -> None:
    world = hall.world
    for _ in range(2):
        hall.join(world.alice, world.bob)
        hall.tick(125)
        hall.decline(world.bob)
        queueing.cancel(player=world.alice, now=hall.now)
    blocked = hall.card(world.bob)
    queues.set_state(queue=world.queue, actor=world.olga, state=Queue.State.CLOSED, now=hall.now)
    world.queue.refresh_from_db()
    closed = hall.card(world.alice)

    assert (blocked.state, blocked.blocked_until) == ("blocked", hall.now + timedelta(minutes=1))
    assert blocked.refusal == "You declined a match. You can queue again in 1 minute."
    assert (closed.state, closed.refusal) == ("closed", "Blitz is closed at the moment.")
    assert not blocked.may_join
    assert not closed.may_join


def test_case_39_players_and_tickets_are_two_figures(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)

    figures = selectors.queue_figures(hall.world.queue, now=hall.now)
    hall.tick()
    after = selectors.queue_figures(hall.world.queue, now=hall.now)

    assert (figures.players, figures.tickets) == (2, 2)
    assert (after.players, after.tickets) == (0, 0), "figures of an idle queue age out at once"


def test_the_card_costs_a_small_constant_number_of_queries(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    with assert_queries(5, "seat, ticket, season, block, usual wait"):
        hall.card(alice)
    hall.join(alice, bob)
    with assert_queries(4, "seat, ticket, policy, season; the usual wait is fresh"):
        hall.card(alice)
    hall.tick()
    with assert_queries(3, "seat, answers, offences"):
        hall.card(alice)
    hall.accept(alice)
    hall.accept(bob)
    with assert_queries(2, "seat, opponents"):
        hall.card(alice)


def test_invariant_8_no_card_carries_anything_of_a_rating(hall: Hall) -> None:
    hall.rate(hall.world.alice, 1527.25)
    hall.rate(hall.world.bob, 1533.5)
    shown = [repr(hall.card(hall.world.alice))]
    hall.join(hall.world.alice, hall.world.bob)
    shown.append(repr(hall.card(hall.world.alice)))
    hall.tick()
    shown.append(repr(hall.card(hall.world.alice)))

    assert not any(number in text for text in shown for number in ("1527", "1533", "6.25"))
