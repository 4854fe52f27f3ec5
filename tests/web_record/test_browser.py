"""The record in a real browser: axe finds nothing, nothing overflows, a refresh loses neither focus nor scroll."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.harness.pages import People

if TYPE_CHECKING:
    from tests.ladder.world import World

pytestmark = pytest.mark.browser
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PAGES = {
    "board": "/c/chess/ladder/blitz/",
    "board-around-me": "/c/chess/ladder/blitz/?at=me",
    "board-around-somebody": "/c/chess/ladder/blitz/?at=p00050",
    "board-division": "/c/chess/ladder/blitz/?tier=2&division=2",
    "board-day": f"/c/chess/ladder/blitz/?on={date.today() - timedelta(days=5)}",
    "board-search": "/c/chess/ladder/blitz/?q=nobody",
    "profile": "/c/chess/players/alice/",
    "profile-placement": "/c/chess/players/dave/",
    "profile-empty": "/c/chess/players/maud/",
    "seasons": "/c/chess/seasons/",
    "season": "/c/chess/seasons/spring/",
    "audit": "/c/chess/audit/?player=alice",
    "audit-bad-filter": "/c/chess/audit/?player=nobody-here",
    "audit-acts": "/c/chess/audit/acts/",
    "audit-unrated": "/c/chess/audit/unrated/",
    "desk": "/c/chess/desk/",
    "desk-members": "/c/chess/desk/members/",
    "desk-links": "/c/chess/desk/links/",
    "desk-queues": "/c/chess/desk/queues/",
    "desk-seasons": "/c/chess/desk/seasons/",
    "desk-club": "/c/chess/desk/club/",
    "desk-answers": "/c/chess/desk/club/answers/",
    "desk-newcomers": "/c/chess/desk/queues/blitz/newcomers/",
}


@pytest.fixture
def played(live_db: None) -> World:
    """A club with ranks, somebody in placement, a hundred others, committed for the live processes."""
    from tests.web_record.stage import crowd, history, past_world, play_until_ranked

    world = past_world()
    play_until_ranked(world, [world.alice, world.bob, world.carol])
    history(world, "dave>alice")
    crowd(world, 100)
    return world


def is_too_wide(page: Page) -> bool:
    """Whether the page scrolls sideways. (A phone's window.innerWidth would grow with what is too wide.)"""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def sign_in(page: Page, handle: str) -> None:
    """By the form, like a person."""
    page.goto("/accounts/login/")
    page.locator("#id_login").fill(handle)
    page.locator("#id_password").fill("pw")
    page.get_by_role("button", name="Sign in").first.click()
    page.wait_for_url(re.compile(r"/(c/|$)"))


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    people: People, played: World, phone: bool, shoot
) -> None:
    page = people.open(phone=phone)
    sign_in(page, "otto")
    found = []

    for name, path in PAGES.items():
        page.goto(path)
        if is_too_wide(page):
            found.append(f"{name} is wider than the screen")
        shoot(page, f"record-{name}-{'phone' if phone else 'desk'}")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [
                f"{name} ({scheme}): {one['id']}" for one in Axe().run(page, options=RULES).response["violations"]
            ]

    assert found == []


@pytest.fixture
def wordy(played: World) -> World:
    """That club, with the longest names there may be and a dispute with the longest note, nowhere a space in them."""
    from ladder.models import Player
    from ladder.services import results

    for player in (played.alice, played.bob):
        Player.objects.filter(pk=player.pk).update(display_name=f"{player.handle}{'W' * 55}")
    match = played.match(played.alice, played.bob)
    said = {"match_id": match.pk, "now": played.later(seconds=1)}
    results.report(actor=played.alice, winner=0, scores=None, revision=match.revision, **said)
    match.refresh_from_db()
    results.dispute(actor=played.bob, note="long" * 125, revision=match.revision, **said)
    return played


def test_words_without_a_space_make_no_page_wider_than_the_screen(people: People, wordy: World) -> None:
    from ladder.models import Match

    disputed = Match.objects.get(state=Match.State.DISPUTED)
    words = [f"/c/chess/matches/{disputed.pk}/", "/c/chess/cases/", "/c/chess/matches/?who=all", "/c/chess/"]
    page = people.open(phone=True)
    sign_in(page, "otto")
    found = []

    for path in [*words, *PAGES.values()]:
        page.goto(path)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        if is_too_wide(page):
            found.append(path)

    assert found == []


@pytest.mark.parametrize("path", [PAGES["board"], PAGES["season"]])
def test_a_phone_shows_the_points_of_the_ladder_without_scrolling_sideways(
    people: People, played: World, path: str
) -> None:
    from ladder.models import Player

    Player.objects.filter(pk=played.alice.pk).update(display_name="Wolverhampton Wanderers")
    page = people.open(phone=True)
    sign_in(page, "otto")
    page.goto(path)

    too_narrow = "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"

    expect(page.get_by_role("columnheader", name="Points")).to_have_count(1)
    assert page.locator(".scroll:has(> .standings)").evaluate_all(too_narrow) == 0


def test_a_refresh_keeps_focus_and_scroll(people: People, played: World) -> None:
    from tests.web_record.stage import play_rated

    page = people.open(phone=True)
    sign_in(page, "alice")
    page.goto("/c/chess/ladder/blitz/")
    expect(page.locator("html")).to_have_attribute("data-stream", re.compile("open|following"))
    target = page.locator("tr", has=page.locator("#to-p00040")).locator("a")
    target.focus()
    scrolled = page.evaluate("window.scrollY")
    before = page.locator("#board").get_attribute("hx-get")

    play_rated(played, played.bob, played.carol)

    expect(page.locator("#board")).not_to_have_attribute("hx-get", before or "")
    assert page.evaluate("document.activeElement.id") == "to-p00040"
    assert abs(page.evaluate("window.scrollY") - scrolled) < 60


def test_the_ladder_works_by_keyboard_and_without_scripts(people: People, played: World) -> None:
    page = people.open()
    sign_in(page, "alice")
    page.goto("/c/chess/ladder/blitz/")
    page.get_by_role("searchbox").fill("carol")
    page.keyboard.press("Enter")

    expect(page.get_by_role("link", name="carol")).to_be_visible()
    page.get_by_role("link", name="carol").press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("carol")
