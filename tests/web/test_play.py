"""The Play page through its addresses, with and without scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket, TicketMember
from matchmaking.store import clock
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, standing

if TYPE_CHECKING:
    from ladder.models import Player

SignedIn = Callable[["Player"], Client]
SWAP = {"HX-Request": "true"}


def url(name: str, *more: Any) -> str:
    return reverse(name, args=["chess", "blitz", *more])


def form_match(world: World, as_: SignedIn) -> ReadyCheck:
    """Alice and Bob join and one tick puts them into a ready check."""
    import random

    from matchmaking.services.tick import run_pool

    for player in (world.alice, world.bob):
        as_(player).post(url("play_join"))
    run_pool(queue_id=world.queue.pk, now=clock(), rng=random.Random(1))
    return ReadyCheck.objects.get()


def test_the_button_says_join_and_then_cancel(world: World, as_: SignedIn) -> None:
    alice = as_(world.alice)

    before = alice.get(url("play_queue")).content.decode()
    alice.post(url("play_join"))
    after = alice.get(url("play_queue")).content.decode()

    assert 'data-step="join"' in before
    assert 'data-step="cancel"' in after


def test_what_is_spoken_ends_with_one_mark(world: World, as_: SignedIn) -> None:
    idle = as_(world.alice).get(url("play_queue")).content.decode()
    as_(world.alice).post(url("play_join"))
    searching = as_(world.alice).get(url("play_queue")).content.decode()

    assert 'data-announce="Ready for a game?"' in idle
    assert 'data-announce="Looking for a fair game."' in searching


def test_joining_without_scripts_leads_back_to_the_page(world: World, as_: SignedIn) -> None:
    answer = as_(world.alice).post(url("play_join"))

    assert answer.status_code == 302
    assert answer["Location"] == url("play_queue")


def test_B23_joining_twice_keeps_the_one_ticket(world: World, as_: SignedIn) -> None:
    alice = as_(world.alice)

    first = alice.post(url("play_join"), headers=SWAP)
    second = alice.post(url("play_join"), headers=SWAP)

    assert [first.status_code, second.status_code] == [200, 200]
    assert Ticket.objects.count() == 1


def test_B31_a_second_cancel_shows_the_final_state(world: World, as_: SignedIn) -> None:
    alice = as_(world.alice)
    alice.post(url("play_join"))

    answers = [alice.post(url("play_cancel"), headers=SWAP) for _ in range(2)]

    assert all(answer.status_code == 200 and b'data-step="join"' in answer.content for answer in answers)


def test_a_card_that_would_look_the_same_is_not_sent_again_but_the_clocks_are(world: World, as_: SignedIn) -> None:
    alice = as_(world.alice)
    alice.post(url("play_join"))
    page = alice.get(url("play_queue"))
    version = page.context["page"].version

    answer = alice.get(url("play_card"), {"v": version}, headers=SWAP)

    assert answer.status_code == 204
    assert json.loads(answer["HX-Trigger"]) == {"clock": {"up": 0}}


def test_a_ready_check_shows_the_true_time_and_the_price_of_declining(world: World, as_: SignedIn) -> None:
    form_match(world, as_)

    page = as_(world.alice).get(url("play_queue")).content.decode()

    assert 'data-step="accept"' in page
    assert "you get a warning" in page
    assert "bob" in page


def test_B47_the_price_is_told_before_and_after(world: World, as_: SignedIn) -> None:
    check = form_match(world, as_)

    answer = as_(world.alice).post(url("check_decline", check.pk), headers=SWAP)

    assert "This is a warning" in answer.content.decode()


def test_B37_a_late_accept_is_told_so_and_led_back(world: World, as_: SignedIn) -> None:
    check = form_match(world, as_)
    ReadyCheck.objects.update(deadline=check.created_at - timedelta(seconds=30))

    answer = as_(world.alice).post(url("check_accept", check.pk), headers=SWAP)

    assert answer.status_code == 200
    assert "run out" in answer.content.decode()
    assert b'data-step="accept"' not in answer.content


def test_somebody_elses_check_is_not_found(world: World, as_: SignedIn) -> None:
    check = form_match(world, as_)

    answer = as_(world.carol).post(url("check_accept", check.pk), headers=SWAP)

    assert answer.status_code == 404
    assert not ReadyCheckAnswer.objects.filter(answer="accepted").exists()


def test_the_check_counts_as_seen_when_its_page_says_so(world: World, as_: SignedIn) -> None:
    check = form_match(world, as_)
    answers = ReadyCheckAnswer.objects.filter(seen_at__isnull=False)

    as_(world.alice).get(url("play_queue"))
    assert not answers.exists()  # sent is not shown

    as_(world.alice).post(url("check_seen", check.pk))
    as_(world.bob).get(url("play_queue"), {"seen": str(check.pk)})  # without scripts: the page loaded itself again
    assert answers.count() == 2


def test_a_refusal_is_a_sentence_with_409_and_the_card_as_it_is(world: World, as_: SignedIn) -> None:
    world.match(world.alice, world.bob)

    answer = as_(world.alice).post(url("play_join"))

    assert answer.status_code == 409
    assert "Nothing was changed" in answer.content.decode()
    assert 'data-step="match"' in answer.content.decode()


def test_a_closed_queue_and_a_missing_season_say_so(world: World, as_: SignedIn) -> None:
    from ladder.services import queues

    queues.set_state(queue=world.queue, actor=world.olga, state="closed", now=world.now)

    page = as_(world.alice).get(url("play_queue")).content.decode()
    refused = as_(world.alice).post(url("play_join"))

    assert "Blitz is closed at the moment." in page
    assert refused.status_code == 409


def test_play_names_the_report_that_waits_for_an_answer(world: World, as_: SignedIn) -> None:
    from ladder.services import results

    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)

    bob = as_(world.bob).get(url("play_queue")).content.decode()
    alice = as_(world.alice).get(url("play_queue")).content.decode()

    assert 'data-step="answer"' in bob
    assert 'data-step="join"' in alice


def test_the_bar_calls_from_other_pages(world: World, as_: SignedIn) -> None:
    form_match(world, as_)

    assert "Match found: to Accept" in as_(world.alice).get(reverse("now")).content.decode()
    assert "button" not in as_(world.carol).get(reverse("now")).content.decode()


def test_an_unknown_queue_or_club_is_not_found(world: World, as_: SignedIn) -> None:
    assert as_(world.alice).get("/c/chess/play/nothing/").status_code == 404
    assert as_(world.alice).get("/c/nothing/play/blitz/").status_code == 404
    assert as_(world.alice).post("/c/chess/play/nothing/join/").status_code == 404


@pytest.mark.parametrize("state", ["idle", "searching", "ready_check"])
@pytest.mark.parametrize("size", [10, 10_000])
def test_the_page_takes_eight_queries_however_many_play(world: World, as_: SignedIn, state: str, size: int) -> None:
    alice = as_(world.alice)
    standing(world, world.alice, 640).save()
    if state == "ready_check":
        form_match(world, as_)
    elif state == "searching":
        alice.post(url("play_join"))
    _others_search(world, size)
    alice.get(url("play_queue"))  # the usual wait is kept for 20 seconds

    reason = "session, player, club with membership, queues with seasons and waiting, seats, rank and place, "
    more = {"idle": "ticket, block", "searching": "ticket, policy", "ready_check": "answers, penalty"}[state]
    with assert_queries(8, reason + more):
        html = alice.get(url("play_queue")).content.decode()
    assert (f" of {size + 1}" in html) == (state == "idle"), "her place is counted among all of them"


def _others_search(world: World, size: int) -> None:
    """So many more with a standing, all of them searching."""
    people = crowd(world, size)
    tickets = Ticket.objects.bulk_create(
        Ticket(queue=world.queue, leader=player, joined_at=world.now) for player in people
    )
    TicketMember.objects.bulk_create(TicketMember(ticket=ticket, player=ticket.leader) for ticket in tickets)
