"""What browsers really do: many tabs, reloads, double clicks, lost streams, late answers, no scripts, keyboards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import PASSWORD, Stage
from tests.browser.steps import find_a_match, the_button
from tests.harness.live import LiveApp
from tests.harness.pages import People

if TYPE_CHECKING:
    from ladder.models import Player

pytestmark = pytest.mark.browser


@pytest.fixture
def cast(stage: Stage) -> dict[str, Player]:
    """alice and bob, members already."""
    from django.utils import timezone

    from ladder.models import Player
    from ladder.services import clubs

    made = {name: Player.objects.create_user(name, f"{name}@example.org", PASSWORD) for name in ("alice", "bob")}
    for player in made.values():
        clubs.join_club(club=stage.club, player=player, self_assessment="club", now=timezone.now())
    return made


def let_in(context: BrowserContext, player: Player, app: LiveApp) -> None:
    """Give the browser a session without the sign-in page."""
    from django.test import Client

    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": app.url}])


@pytest.fixture
def alice(people: People, cast: dict[str, Player], live_app: LiveApp, stage: Stage) -> Page:
    return _at_play(people, cast["alice"], live_app, stage)


@pytest.fixture
def bob(people: People, cast: dict[str, Player], live_app: LiveApp, stage: Stage) -> Page:
    return _at_play(people, cast["bob"], live_app, stage)


def _at_play(people: People, player: Player, app: LiveApp, stage: Stage) -> Page:
    page = people.open(phone=True)
    let_in(page.context, player, app)
    page.goto(stage.play)
    return page


def stream_of(page: Page) -> str:
    return str(page.evaluate("document.documentElement.dataset.stream || ''"))


def test_twelve_tabs_share_one_stream_and_all_follow(alice: Page, bob: Page, stage: Stage) -> None:
    tabs = [alice] + [alice.context.new_page() for _ in range(11)]
    streams: list[str] = []
    for tab in tabs:
        tab.on("request", lambda request: streams.append(request.url) if "/live/" in request.url else None)
    for tab in tabs[1:]:
        tab.goto(stage.play, wait_until="domcontentloaded")
    for tab in tabs:
        expect(tab.locator("html")).to_have_attribute("data-stream", re.compile("open|following"))

    the_button(tabs[7], "Join")
    for tab in tabs:
        expect(tab.locator("#the-button")).to_contain_text("Cancel")
    the_button(bob, "Join")
    for tab in tabs:
        expect(tab.locator("#the-button")).to_contain_text("Accept (")

    assert len(streams) <= 2  # the first tab's own was opened before anybody listened
    the_button(tabs[11], "Accept")
    expect(tabs[0].locator("#the-button")).to_contain_text("Accepted")


def test_when_the_leading_tab_closes_another_one_takes_over(alice: Page, stage: Stage, cast: dict[str, Player]) -> None:
    from matchmaking.services import queueing
    from matchmaking.store import clock

    second = alice.context.new_page()
    second.goto(stage.play)
    expect(second.locator("html")).to_have_attribute("data-stream", "following")

    alice.close()
    expect(second.locator("html")).to_have_attribute("data-stream", "open")

    queueing.join(queue=stage.queue, player=cast["alice"], now=clock())
    expect(second.locator("#the-button")).to_contain_text("Cancel", timeout=3_000)  # far sooner than by asking


def test_a_reload_during_the_check_shows_the_true_time_left(alice: Page, bob: Page) -> None:
    the_button(alice, "Join")
    the_button(bob, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Accept (")
    alice.wait_for_timeout(4_000)

    alice.reload()

    left = int(alice.locator(".ring [role=timer]").inner_text())
    assert 1 <= left <= 16
    the_button(alice, "Accept")
    expect(alice.locator("#the-button")).to_contain_text("Accepted")


def test_the_check_reaches_a_page_about_something_else(alice: Page, bob: Page, stage: Stage) -> None:
    the_button(alice, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Cancel")
    alice.goto(f"/c/{stage.club.slug}/ladder/{stage.queue.slug}/")
    expect(alice.locator("#now")).to_contain_text("waiting")

    the_button(bob, "Join")

    alice.get_by_role("link", name=re.compile("Match found: to Accept")).click()
    the_button(alice, "Accept")


def test_B23_a_double_click_on_join_joins_once_and_does_not_cancel(alice: Page, cast: dict[str, Player]) -> None:
    from matchmaking.models import Ticket

    alice.locator("#the-button").dblclick(delay=40)

    expect(alice.locator("#the-button")).to_contain_text("Cancel (waiting")
    alice.wait_for_timeout(1_000)
    expect(alice.locator("#the-button")).to_contain_text("Cancel (waiting")
    assert [ticket.state for ticket in Ticket.objects.all()] == ["searching"]


def test_B37_a_late_accept_is_told_so_and_joining_works_again(alice: Page, bob: Page, people: People) -> None:
    from datetime import timedelta

    from matchmaking.models import ReadyCheck

    the_button(alice, "Join")
    the_button(bob, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Accept (")
    alice.context.set_offline(True)  # the page goes on showing the check
    people.allow("net::ERR|htmx:(afterRequest|sendError)")
    check = ReadyCheck.objects.get()
    ReadyCheck.objects.filter(pk=check.pk).update(deadline=check.created_at - timedelta(seconds=30))
    expect(bob.locator("#the-button")).not_to_contain_text("Accept")
    alice.context.set_offline(False)

    alice.locator("#the-button").click()

    expect(alice.locator("#play-card")).not_to_contain_text("Accept (")
    expect(alice.locator("#the-button")).to_be_visible()


def test_without_a_stream_the_page_asks_and_finds_out_all_the_same(
    alice: Page, bob: Page, people: People, stage: Stage
) -> None:
    people.allow("net::ERR_FAILED|/live/")
    for page in (alice, bob):
        page.context.route("**/live/**", lambda route: route.abort())
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-stream", re.compile("broken|asking"))

    find_a_match(alice, bob)

    expect(alice.locator("#match-title")).to_have_text("Play your match")


def test_where_locks_are_missing_each_tab_has_its_own_stream(alice: Page, stage: Stage) -> None:
    alice.context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
    alice.reload()
    second = alice.context.new_page()
    second.goto(stage.play)

    for tab in (alice, second):
        expect(tab.locator("html")).to_have_attribute("data-stream", "open")


def test_without_scripts_everything_works_by_plain_forms(
    people: People, cast: dict[str, Player], live_app: LiveApp, stage: Stage
) -> None:
    pages = []
    for name in ("alice", "bob"):
        page = people.open(phone=True, java_script_enabled=False)
        let_in(page.context, cast[name], live_app)
        page.goto(stage.play)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#the-button")).to_contain_text(re.compile("Cancel|Accept"))
        pages.append(page)

    for page in pages:  # the waiting page loads itself again every few seconds
        expect(page.locator("#the-button")).to_contain_text("Accept (")
        page.locator("#the-button").click()
    for page in pages:
        expect(page.get_by_role("link", name="Report the result")).to_be_visible()


def test_the_loop_goes_by_keyboard_and_focus_stays_on_the_button(alice: Page, bob: Page) -> None:
    alice.locator("#the-button").focus()
    alice.keyboard.press("Enter")
    expect(alice.locator("#the-button")).to_contain_text("Cancel")
    expect(alice.locator("#the-button")).to_be_focused()

    the_button(bob, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Accept (")
    expect(alice.locator("#the-button")).to_be_focused()
    expect(alice.locator("#announce")).to_contain_text("seconds to accept")

    alice.wait_for_timeout(700)
    alice.keyboard.press("Enter")
    expect(alice.locator("#the-button")).to_contain_text("Accepted")
    expect(alice.locator("#the-button")).to_be_focused()


def test_the_title_flashes_and_falls_silent(alice: Page, bob: Page) -> None:
    the_button(alice, "Join")
    the_button(bob, "Join")

    expect(alice).to_have_title(re.compile(r"^\(\d+\) Match found"))
    the_button(alice, "Accept")
    expect(alice).to_have_title(re.compile("^Play"))


def test_a_session_that_ended_leads_to_the_sign_in_page(alice: Page, people: People) -> None:
    people.allow("401|403|/live/")
    alice.context.clear_cookies()

    alice.evaluate("document.querySelector('#the-button')?.click()")  # unless the page found out before the press

    expect(alice.get_by_role("heading", name="Sign in")).to_be_visible()


WHEN_JOINED_SAY_PLAY = """
() => {
  const channel = new BroadcastChannel(`ladder-live-${document.body.dataset.player}`);
  let said = false;
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (said || !detail.pathInfo.requestPath.endsWith("/join/")) return;
    said = true;
    channel.postMessage({ topic: "play" });
  });
}
"""


def test_what_is_told_while_the_new_card_is_not_wired_yet_is_told_again(people: People, alice: Page) -> None:
    people.allow("/live/")
    expect(alice.locator("html")).to_have_attribute("data-stream", re.compile("open|following"))
    alice.context.route("**/live/**", lambda route: route.abort())  # from now on this test alone tells
    alice.reload()
    expect(alice.locator("#the-button")).to_contain_text("Join")
    alice.wait_for_timeout(1000)
    alice.evaluate(WHEN_JOINED_SAY_PLAY)

    with alice.expect_request(lambda request: "/card/" in request.url, timeout=2000):
        alice.locator("#the-button").click()
