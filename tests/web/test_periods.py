"""What people read while their results wait for the end of a rating period."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import Match
from ladder.selectors.match_words import club_day
from tests.ladder.periods import close_after, end_of, played, rate_by
from tests.ladder.world import World

if TYPE_CHECKING:
    from ladder.models import Player

pytestmark = pytest.mark.service
SignedIn = Callable[["Player"], Client]


@pytest.fixture
def waiting(world: World) -> Match:
    """A match of alice and bob that counts at the end of the month."""
    rate_by(world, "month")
    return played(world, (world.alice, world.bob))[0]


def day_of(match: Match) -> str:
    return club_day(end_of(match), "Europe/Berlin")


def page(client: Client, name: str, *arguments: object) -> str:
    return client.get(reverse(name, args=["chess", *arguments])).content.decode()


def test_the_page_of_a_match_says_when_it_counts_and_then_what_it_did(
    world: World, waiting: Match, as_: SignedIn
) -> None:
    before = page(as_(world.alice), "match", waiting.pk)
    for_others = page(as_(world.carol), "match", waiting.pk)
    close_after(world, waiting)
    after = page(as_(world.alice), "match", waiting.pk)

    assert f"Counts on {day_of(waiting)}, when the rating period ends." in before
    assert "Your rank moves then" in before
    assert "being worked out" not in before
    assert "The ranks move then" in for_others
    assert "Counts on" not in after
    assert "Match 1 of 5" in after


def test_a_card_that_waited_for_its_period_is_drawn_anew_when_it_is_rated(
    world: World, waiting: Match, as_: SignedIn
) -> None:
    alice, address = as_(world.alice), reverse("match_card", args=["chess", waiting.pk])
    drawn = alice.get(reverse("match", args=["chess", waiting.pk])).context["page"].version

    assert alice.get(f"{address}?v={drawn}", headers={"HX-Request": "true"}).status_code == 204
    close_after(world, waiting)

    assert alice.get(f"{address}?v={drawn}", headers={"HX-Request": "true"}).status_code == 200


def test_play_and_my_own_page_say_how_many_matches_count_and_when(world: World, waiting: Match, as_: SignedIn) -> None:
    line = f"1 match counts on {day_of(waiting)}, when the rating period ends."

    assert line in page(as_(world.alice), "play_queue", "blitz")
    assert line in as_(world.alice).get(reverse("me")).content.decode()
    assert "when the rating period ends" not in page(as_(world.carol), "play_queue", "blitz")

    close_after(world, waiting)
    assert "when the rating period ends" not in page(as_(world.alice), "play_queue", "blitz")


def test_a_newcomer_s_profile_lists_the_match_that_waits(world: World, waiting: Match, as_: SignedIn) -> None:
    html = page(as_(world.carol), "player", "alice")

    assert reverse("match", args=["chess", waiting.pk]) in html
    assert "counts" in html
    assert "not rated" not in html


def test_the_staff_see_that_nothing_is_overdue_and_what_waits(world: World, waiting: Match, as_: SignedIn) -> None:
    html = page(as_(world.maud), "audit_unrated")

    assert "None. Nothing is overdue." in html
    assert "Rated when their rating period ends" in html
    close_after(world, waiting)
    after = page(as_(world.maud), "audit_unrated")
    assert "None. Every agreed match has its rating events." in after
    assert "Rated when their rating period ends" not in after


def test_the_hidden_rating_is_in_none_of_it(world: World, waiting: Match, as_: SignedIn) -> None:
    row = waiting.forecast.entries.get(player=world.alice)  # type: ignore[attr-defined]
    alice = as_(world.alice)

    for html in (page(alice, "match", waiting.pk), page(alice, "play_queue", "blitz"), page(alice, "player", "alice")):
        assert str(row.rating) not in html
        assert str(row.deviation) not in html
