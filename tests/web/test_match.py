"""The page of a match and everything that is said on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from ladder.models import Match
from tests.harness.queries import assert_queries
from tests.ladder.world import World, drain_outbox, play

if TYPE_CHECKING:
    from ladder.models import Player

SignedIn = Callable[["Player"], Client]
SWAP = {"HX-Request": "true"}


def url(name: str, match: Match) -> str:
    return reverse(name, args=["chess", match.pk])


def say(client: Client, name: str, match: Match, revision: int, **more: Any) -> HttpResponse:
    return client.post(url(name, match), {"revision": revision, **more})  # type: ignore[return-value]


def state_of(match: Match) -> str:
    return Match.objects.get(pk=match.pk).state


def test_report_and_confirm_complete_the_match_and_the_page_says_what_it_did(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)

    assert say(as_(world.alice), "match_report", match, 0, winner="0", score_0=3, score_1=1).status_code == 302
    assert say(as_(world.bob), "match_confirm", match, 1).status_code == 302
    waiting = as_(world.alice).get(url("match", match)).content.decode()
    drain_outbox(world.now)
    rated = as_(world.alice).get(url("match", match)).content.decode()

    assert "Won 3 : 1" in waiting
    assert "Your rank is being worked out" in waiting
    assert "Match 1 of 5" in rated
    assert "being worked out" not in rated


def test_a_report_with_half_a_score_is_refused_and_keeps_what_was_typed(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)

    answer = say(as_(world.alice), "match_report", match, 0, winner="0", score_0=3)

    assert answer.status_code == 400
    assert "Give the score of both sides, or of none." in answer.content.decode()
    assert 'value="3"' in answer.content.decode()
    assert state_of(match) == "assigned"


def test_a_score_that_contradicts_the_winner_is_a_sentence(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)

    answer = say(as_(world.alice), "match_report", match, 0, winner="0", score_0=1, score_1=3)

    assert answer.status_code == 409
    assert "the winner has the higher one" in answer.content.decode()
    assert state_of(match) == "assigned"


def test_B53_a_stale_tab_is_refused_and_shown_the_match_as_it_is(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    say(as_(world.alice), "match_report", match, 0, winner="0")

    answer = say(as_(world.bob), "match_report", match, 0, winner="1")

    assert answer.status_code == 409
    assert "Nothing was changed" in answer.content.decode()
    assert 'data-step="confirm"' in answer.content.decode()


def test_the_reporter_takes_it_back(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    say(as_(world.alice), "match_report", match, 0, winner="0")

    say(as_(world.alice), "match_withdraw", match, 1)

    assert state_of(match) == "assigned"


def test_both_sides_call_it_off(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)

    say(as_(world.alice), "match_cancel", match, 0)
    asked = as_(world.bob).get(url("match", match)).content.decode()
    say(as_(world.bob), "match_cancel", match, 1)

    assert "would like to call this match off" in asked
    assert "Both sides agreed to call it off." in as_(world.alice).get(url("match", match)).content.decode()


def test_a_dispute_is_decided_by_a_moderator_with_a_reason_for_both(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    say(as_(world.alice), "match_report", match, 0, winner="0")
    say(as_(world.bob), "match_dispute", match, 1, note="It was me.")

    listed = as_(world.maud).get(reverse("cases", args=["chess"])).content.decode()
    say(as_(world.maud), "match_decide", match, 2, winner="1", note="The next table saw it.")

    assert "It was me." in listed
    assert state_of(match) == "completed"
    assert "The next table saw it." in as_(world.alice).get(url("match", match)).content.decode()


def test_what_was_said_in_a_dispute_stays_between_the_sides_and_the_staff(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    say(as_(world.alice), "match_report", match, 0, winner="0")
    say(as_(world.bob), "match_dispute", match, 1, note="He moved twice.")

    pages = {who.handle: as_(who).get(url("match", match)).content.decode() for who in (world.carol, world.maud)}

    assert "He moved twice." not in pages["carol"]
    assert "He moved twice." in pages["maud"]


def test_players_do_not_decide_and_outsiders_do_not_report(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)

    assert say(as_(world.alice), "match_decide", match, 0, winner="void", note="x").status_code == 403
    assert say(as_(world.carol), "match_report", match, 0, winner="0").status_code == 403
    assert say(as_(world.stranger), "match_report", match, 0, winner="0").status_code == 404
    assert state_of(match) == "assigned"


def test_a_moderator_who_plays_in_it_sees_no_decision(world: World, as_: SignedIn) -> None:
    match = world.match(world.maud, world.bob)
    say(as_(world.maud), "match_report", match, 0, winner="0")
    say(as_(world.bob), "match_dispute", match, 1, note="No.")

    page = as_(world.maud).get(url("match", match)).content.decode()

    assert "Your decision" not in page
    assert say(as_(world.maud), "match_decide", match, 2, winner="0", note="Me.").status_code == 403


def test_a_match_of_another_club_is_not_found(world: World, as_: SignedIn) -> None:
    from ladder.services import clubs

    match = world.match(world.alice, world.bob)
    clubs.create_club(name="Go Club", slug="go", time_zone="UTC", owner=world.carol, now=world.now)
    carol = as_(world.carol)

    for name in ("match", "match_card"):
        assert carol.get(reverse(name, args=["go", match.pk])).status_code == 404
    for name in ("match_confirm", "match_decide", "match_withdraw"):
        assert carol.post(reverse(name, args=["go", match.pk]), {"revision": 0}).status_code == 404
    assert carol.get(reverse("match", args=["go", uuid4()])).status_code == 404


def test_an_unchanged_card_is_not_sent_again(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    alice = as_(world.alice)
    version = alice.get(url("match", match)).context["page"].version

    assert alice.get(url("match_card", match), {"v": version}, headers=SWAP).status_code == 204
    say(as_(world.bob), "match_report", match, 0, winner="1")
    assert alice.get(url("match_card", match), {"v": version}, headers=SWAP).status_code == 200


def test_broken_forms_are_answered_with_400(world: World, as_: SignedIn) -> None:
    match = world.match(world.alice, world.bob)
    alice = as_(world.alice)

    for name in ("match_report", "match_confirm", "match_dispute", "match_withdraw", "match_cancel"):
        assert alice.post(url(name, match), {"revision": "zero"}).status_code == 400
    assert as_(world.maud).post(url("match_decide", match), {}).status_code == 400
    assert alice.get(url("match_report", match)).status_code == 405


def test_the_list_names_outcome_points_and_whose_turn_it_is(world: World, as_: SignedIn) -> None:
    for _round in range(6):
        play(world, world.alice, world.bob)
        drain_outbox(world.now)
    match = world.match(world.alice, world.bob)
    say(as_(world.alice), "match_report", match, 0, winner="0")

    mine = as_(world.bob).get(reverse("matches", args=["chess"])).content.decode()

    assert "your turn" in mine
    assert "Lost" in mine
    assert "points" in mine


def test_lists_take_the_same_queries_however_long(world: World, as_: SignedIn) -> None:
    alice, page = as_(world.alice), reverse("matches", args=["chess"])
    alice.get(page)  # the session notes the club
    for _more in range(2):
        for _round in range(8):
            play(world, world.alice, world.bob)

        with assert_queries(8, "session, player, membership, matches with teams, participants, players; points"):
            alice.get(page)
