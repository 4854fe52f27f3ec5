"""The whole loop as people meet it: two players and a moderator, on phones, from sign-up to a decided dispute."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Stage
from tests.browser.steps import button, find_a_match, join_club, report, sign_in, sign_up, the_button
from tests.harness.pages import People

pytestmark = pytest.mark.browser

Shoot = Callable[[Page, str], Path]


class Album:
    """Keeps each page in light and dark, as on a screen tall enough for the whole of it."""

    def __init__(self, shoot: Shoot) -> None:
        self._shoot = shoot

    def keep(self, page: Page, name: str) -> None:
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": 390, "height": max(844, height)})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self._shoot(page, f"{name}-{scheme}")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 390, "height": 844})


@pytest.fixture
def album(shoot: Shoot) -> Album:
    return Album(shoot)


def test_two_players_and_a_moderator_from_sign_up_to_a_decided_dispute(
    people: People, stage: Stage, album: Album
) -> None:
    alice, bob, maud = (people.open(phone=True) for _ in range(3))

    _come_in(alice, bob, stage, album)
    _play_and_confirm(alice, bob, stage, album)
    _disagree_and_decide(alice, bob, maud, stage, album)
    _look_around(alice, maud, stage, album)


def _come_in(alice: Page, bob: Page, stage: Stage, album: Album) -> None:
    alice.goto("/")
    album.keep(alice, "landing")
    alice.goto("/accounts/signup/")
    album.keep(alice, "sign-up")
    sign_up(alice, "alice")
    alice.get_by_role("link", name="Harbour Table Tennis").first.click()
    album.keep(alice, "club-from-outside")
    alice.get_by_role("link", name="Become a member").click()
    album.keep(alice, "club-join")
    join_club(alice)
    expect(alice.get_by_text("Welcome to Harbour Table Tennis")).to_be_visible()
    album.keep(alice, "play")

    sign_up(bob, "bob", start=stage.invitation)  # the link asks for an account first and then goes on
    join_club(bob)
    expect(bob).to_have_url(re.compile(stage.play))


def _play_and_confirm(alice: Page, bob: Page, stage: Stage, album: Album) -> None:
    the_button(alice, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Cancel (waiting 0:0")
    album.keep(alice, "play-searching")
    the_button(bob, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Accept")
    album.keep(alice, "play-match-found")
    the_button(alice, "Accept")
    expect(alice.locator("#the-button")).to_contain_text("Accepted")
    album.keep(alice, "play-accepted")
    the_button(bob, "Accept")
    the_button(alice, "Report the result")
    album.keep(alice, "match-report")
    report(alice, "I won", (3, 1))
    album.keep(alice, "match-waiting")

    the_button(bob, "Look and confirm")  # his Play page knows already
    expect(bob.locator("#match-card")).to_contain_text("alice won, 3 : 1")
    album.keep(bob, "match-confirm")
    the_button(bob, "Confirm")

    expect(alice.locator("#match-title")).to_have_text("Won 3 : 1")  # by itself, through the stream
    expect(alice.locator("section.mine")).to_contain_text("Match 1 of")
    expect(bob.locator("#match-title")).to_have_text("Lost 1 : 3")
    album.keep(alice, "match-won")
    the_button(alice, "Play again")
    bob.goto(stage.play)


def _disagree_and_decide(alice: Page, bob: Page, maud: Page, stage: Stage, album: Album) -> None:
    sign_in(maud, "maud")
    maud.goto(f"/c/{stage.club.slug}/cases/")
    expect(maud.get_by_text("Nothing to decide")).to_be_visible()

    find_a_match(alice, bob)
    report(alice, "I won")
    bob.locator("#dispute").click()
    bob.get_by_label("What happened?").fill("It was me: 3 to 2, ask the table next to us.")
    button(bob, "Send to a moderator")
    expect(bob.locator("#match-title")).to_have_text("Disputed")
    album.keep(bob, "match-disputed")

    expect(maud.get_by_role("link", name="Decide")).to_be_visible()  # the list grew by itself
    album.keep(maud, "cases")
    maud.get_by_role("link", name="Decide").click()
    maud.locator("#match-card").get_by_text("bob won", exact=True).click()
    maud.get_by_label("Why?").fill("The next table saw it.")
    album.keep(maud, "case-decide")
    maud.locator("#decide").click()
    expect(maud.locator("#match-title")).to_have_text("bob won")

    expect(bob.locator("#match-title")).to_have_text("Won")
    expect(bob.locator("section.mine")).to_contain_text("Match 2 of")
    expect(alice.locator("#match-card")).to_contain_text("The next table saw it.")


def _look_around(alice: Page, maud: Page, stage: Stage, album: Album) -> None:
    slug = stage.club.slug
    for path, name in [
        (f"/c/{slug}/", "club"),
        (f"/c/{slug}/matches/", "matches"),
        (f"/c/{slug}/ladder/singles/", "ladder"),
        (f"/c/{slug}/players/alice/", "profile"),
        (f"/c/{slug}/seasons/spring/", "season"),
        ("/me/", "me"),
    ]:
        alice.goto(path)
        album.keep(alice, name)
    maud.goto(f"/c/{slug}/audit/")
    album.keep(maud, "audit")
