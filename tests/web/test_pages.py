"""Landing, club, cases, health, and the pages for what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from django.urls import reverse

from matchmaking.store import clock
from matchmaking.store.heartbeat import note_tick
from tests.ladder.world import World, drain_outbox, play

if TYPE_CHECKING:
    from ladder.models import Player

SignedIn = Callable[["Player"], Client]
SWAP = {"HX-Request": "true"}


def test_the_landing_page_lists_clubs_that_want_to_be_listed(client: Client, world: World) -> None:
    assert "Chess Club" in client.get("/").content.decode()

    world.club.is_listed = False
    world.club.save()
    assert "Chess Club" not in client.get("/").content.decode()


def test_a_private_club_shows_a_stranger_its_door_and_nothing_inside(client: Client, world: World) -> None:
    play(world, world.alice, world.bob)

    page = client.get("/c/chess/").content.decode()

    assert "Become a member" in page
    assert "Blitz" not in page
    assert "alice" not in page


def test_a_public_club_shows_a_stranger_what_is_on(client: Client, world: World) -> None:
    world.club.is_public = True
    world.club.save()
    for _round in range(6):
        play(world, world.alice, world.bob)
    drain_outbox(world.now)

    page = client.get("/c/chess/").content.decode()

    assert "Top of the ladder" in page
    assert "alice" in page
    assert "Become a member" in page


def test_the_club_page_says_who_waits(world: World, as_: SignedIn) -> None:
    from matchmaking.services import queueing

    queueing.join(queue=world.queue, player=world.bob, now=clock())

    page = as_(world.alice).get("/c/chess/").content.decode()

    assert "1 player" in page


@pytest.mark.parametrize("path", ["/c/chess/", "/c/chess/cases/"])
def test_a_part_that_reads_the_same_is_not_swapped(world: World, as_: SignedIn, path: str) -> None:
    maud = as_(world.maud)
    version = re.findall(r"\?v=([0-9a-f]{16})", maud.get(path).content.decode())[0]

    assert maud.get(path, {"v": version}, headers=SWAP).status_code == 204
    assert maud.get(path, {"v": "older"}, headers=SWAP).status_code == 200


def test_the_bar_has_the_places_that_the_role_allows(world: World, as_: SignedIn) -> None:
    def places(player: Player) -> list[str]:
        return [item.key for item in as_(player).get("/c/chess/").context["frame"].items]

    assert places(world.alice) == ["play", "ladder", "matches", "me"]
    assert places(world.maud) == ["play", "ladder", "matches", "me", "cases", "audit"]
    assert places(world.olga) == ["play", "ladder", "matches", "me", "desk", "cases", "audit"]
    assert places(world.stranger) == ["home", "me"]


def test_pages_outside_of_clubs_point_back_to_the_last_one(world: World, as_: SignedIn) -> None:
    from ladder.services import clubs

    clubs.create_club(name="Go Club", slug="go", time_zone="UTC", owner=world.alice, now=clock())
    alice = as_(world.alice)

    alice.get("/c/chess/matches/")

    assert alice.get("/me/").context["frame"].club.slug == "chess"


def test_readiness_names_what_is_missing(client: Client, world: World) -> None:
    without = client.get(reverse("readyz"))
    note_tick(now=clock())
    with_tick = client.get(reverse("readyz"))

    assert without.status_code == 503
    assert "worker" in without.json()["worker"]
    assert with_tick.status_code == 200
    assert with_tick.json()["ready"] is True


def test_an_old_tick_is_not_ready(client: Client, world: World) -> None:
    from datetime import timedelta

    note_tick(now=clock() - timedelta(minutes=5))

    answer = client.get(reverse("readyz"))

    assert answer.status_code == 503
    assert "last tick 300 s ago" in answer.json()["worker"]


def test_errors_are_pages_in_words(client: Client, world: World, as_: SignedIn) -> None:
    from ladder.views.answers import bad_request

    missing = as_(world.alice).get("/nothing/")
    forbidden = as_(world.alice).get("/c/chess/cases/")
    broken = bad_request(RequestFactory().get("/"), ValueError("x"))

    assert (missing.status_code, forbidden.status_code, broken.status_code) == (404, 403, 400)
    assert "There is no such page" in missing.content.decode()
    assert "Nothing was changed" in forbidden.content.decode()
    assert "That was not understood" in broken.content.decode()


def test_a_store_that_is_away_is_a_sentence_and_not_a_broken_page(world: World) -> None:
    import redis

    from ladder.views.outages import StoreOutage

    request = RequestFactory().get("/c/chess/play/blitz/")
    request.user = world.alice
    request.session = SessionStore()
    middleware = StoreOutage(lambda _request: None)  # type: ignore[arg-type,return-value]

    answer = middleware.process_exception(request, redis.ConnectionError("away"))

    assert answer is not None
    assert answer.status_code == 503
    assert "Your place in line" in answer.content.decode()
    assert middleware.process_exception(request, ValueError("ours")) is None


def test_no_page_sets_a_policy_that_allows_inline_code(client: Client, world: World) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
