"""What people do in the browser, in short words."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD


def button(page: Page, name: str) -> None:
    """Press the button of this name."""
    page.get_by_role("button", name=name, exact=False).first.click()


def sign_up(page: Page, handle: str, *, start: str = "/accounts/signup/") -> None:
    """Make an account, from wherever the page `start` leads."""
    page.goto(start)
    page.get_by_label("E-mail").fill(f"{handle}@example.org")
    page.get_by_label("Handle").fill(handle)
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("#id_password2").fill(PASSWORD)
    button(page, "Make an account")


def sign_in(page: Page, handle: str) -> None:
    """Sign in with the usual password."""
    page.goto("/accounts/login/")
    page.locator("#id_login").fill(handle)
    page.locator("#id_password").fill(PASSWORD)
    button(page, "Sign in")
    page.wait_for_url(re.compile(r"/(c/|$)"))


def join_club(page: Page, answer: str = "I play often") -> None:
    """Answer the question at the club's door."""
    page.get_by_text(answer).click()
    button(page, "Join Harbour")


def the_button(page: Page, label: str) -> None:
    """Press the one button once it says this."""
    expect(page.locator("#the-button")).to_contain_text(label)
    page.wait_for_timeout(700)  # a press right after the button changed is taken for the old one, by design
    page.locator("#the-button").click()


def find_a_match(first: Page, second: Page) -> None:
    """Both join, both are called, both accept, both stand on the match page."""
    for page in (first, second):
        the_button(page, "Join")
        expect(page.locator("#play-title")).not_to_have_text("Ready for a game?")
    for page in (first, second):
        the_button(page, "Accept")
    for page in (first, second):
        the_button(page, "Report the result")
        page.wait_for_url(re.compile("/matches/"))


def report(page: Page, winner: str, scores: tuple[int, int] | None = None) -> None:
    """Report who won: "I won", "bob won"."""
    page.locator("#report-form").get_by_text(winner, exact=True).click()
    if scores:
        for number, score in enumerate(scores):
            page.locator("#report-form .scores input").nth(number).fill(str(score))
    the_button(page, "Report")
    expect(page.locator("#match-title")).to_have_text("Waiting for the other side")
