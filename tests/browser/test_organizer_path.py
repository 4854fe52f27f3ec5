"""An organizer's whole way with a rating model in a real browser, with a worker that replays and rates."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.harness.pages import People
from tests.web_record.test_browser import sign_in

if TYPE_CHECKING:
    from tests.ladder.world import World

pytestmark = pytest.mark.browser
Shoot = Callable[[Page, str], Path]


@pytest.fixture
def club(live_db: None) -> World:
    """The busy club; four eyes see a model before it is approved."""
    from ladder.models import Club
    from tests.web_figures.stage import busy_club

    world = busy_club()
    Club.objects.filter(pk=world.club.pk).update(four_eyes=True)
    return world


def shots(page: Page, shoot: Shoot, name: str) -> None:
    """The page in both colour schemes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        shoot(page, f"{name}-{scheme}")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_model_from_draft_to_the_next_match(people: People, club: World, phone: bool, shoot: Shoot) -> None:
    people.allow(r"400 \(Bad Request\).*/draft/")  # a value that cannot be
    kind = "phone" if phone else "desk"
    olga, otto = people.open(phone=phone), people.open(phone=phone)
    sign_in(olga, "olga")
    sign_in(otto, "otto")

    draft_elo(olga, club)
    shots(olga, shoot, f"path-1-drafted-{kind}")
    replay(olga)
    shots(olga, shoot, f"path-2-report-{kind}")
    olga.get_by_role("link", name="Version 2", exact=True).click()
    expect(olga.get_by_text("somebody else approves it")).to_be_visible()
    expect(olga.get_by_role("button", name="Approve it")).to_have_count(0)

    otto.goto(olga.url)
    otto.get_by_role("button", name="Approve it").click()
    expect(otto.get_by_text("Approved. It rates nothing before")).to_be_visible()

    olga.reload()
    olga.get_by_role("link", name="Put it in force").click()
    expect(olga.get_by_text("Matches formed from now on are rated by Version 2, Elo.")).to_be_visible()
    shots(olga, shoot, f"path-3-before-force-{kind}")
    olga.get_by_role("button", name="Put it in force now").click()
    expect(olga.get_by_text("The model is in force.")).to_be_visible()
    expect(olga.get_by_role("heading", name="What rates Blitz now")).to_be_visible()
    shots(olga, shoot, f"path-4-in-force-{kind}")

    the_next_match_is_rated_by_it(olga, club)


def draft_elo(page: Page, club: World) -> None:
    """By the form: a value that cannot be is told at its field, then a good one is kept."""
    page.goto("/c/chess/desk/")
    page.get_by_role("navigation", name="Desk").get_by_role("link", name="Ratings").click()
    page.get_by_role("link", name=re.compile("^Blitz")).click()
    page.get_by_role("link", name="Draft another model").click()
    page.get_by_role("link", name="Elo", exact=True).click()
    page.get_by_label("What it is for").fill("So that everybody can compute it by hand.")
    field = page.get_by_label("K", exact=True)
    field.fill("4000")
    field.evaluate("field => field.form.noValidate = true")
    page.get_by_role("button", name="Keep the draft").click()
    expect(page.get_by_text("Please give a number from 0.001 to 1000.")).to_be_visible()
    page.get_by_label("K", exact=True).fill("24")
    page.get_by_role("button", name="Keep the draft").click()
    expect(page.get_by_text("The draft is kept.")).to_be_visible()


def replay(page: Page) -> None:
    """The report comes by itself once the worker is done: nobody reloads the page."""
    page.get_by_role("button", name="Replay it").click()
    expect(page.get_by_role("heading", name="How well they predicted")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("predicted best")).to_be_visible()


def the_next_match_is_rated_by_it(page: Page, club: World) -> None:
    """A match formed now has the new model's forecast; the worker rates it, and the audit names the model."""
    from django.utils import timezone

    from ladder.models import Match
    from ladder.services import results
    from ratings.models import PlayerRating

    club.now = timezone.now()
    match = club.match(club.alice, club.bob)
    assert match.forecast.rating_model.algorithm == "elo"
    results.report(match_id=match.pk, actor=club.alice, revision=0, winner=0, scores=(11, 4), now=club.later(seconds=1))
    results.confirm(match_id=match.pk, actor=club.bob, revision=1, now=club.later(seconds=1))
    for _turn in range(300):
        page.wait_for_timeout(100)
        if Match.objects.get(pk=match.pk).rated_at is not None:
            break
    page.goto(f"/c/chess/audit/?match={match.pk}")
    expect(page.locator(".event")).to_have_count(2)
    expect(page.locator(".event").first).to_contain_text("elo v2")
    alice = PlayerRating.objects.get(player=club.alice, queue=club.queue)
    assert alice.rating_model == match.forecast.rating_model
    assert alice.deviation is None  # Elo tracks none


def test_a_search_is_left_come_back_to_and_made_a_draft(people: People, club: World, shoot: Shoot) -> None:
    page = people.open()
    sign_in(page, "olga")
    page.goto("/c/chess/desk/ratings/blitz/fit/?engine=elo")
    for box in page.locator('input[name="only"]').all():
        box.set_checked(box.get_attribute("value") == "k")
    page.get_by_label("Rounds at most").fill("3")
    page.get_by_role("button", name="Begin the search").click()
    expect(page.locator("#progress").or_(page.get_by_role("heading", name="What it found"))).to_be_visible()
    address = page.url
    page.goto("/c/chess/")
    page.goto(address)

    expect(page.get_by_role("heading", name="What it found")).to_be_visible(timeout=60_000)
    shots(page, shoot, "path-5-search")
    page.get_by_role("link", name="Make a draft of it").click()
    page.get_by_role("button", name="Keep the draft").click()

    expect(page.get_by_text("The draft is kept.")).to_be_visible()
    expect(page.get_by_text("Found by the search")).to_be_visible()


def test_a_report_works_without_scripts_and_by_keyboard(people: People, club: World) -> None:
    from tests.web_figures.stage import models_on_their_way

    stage = models_on_their_way(club)
    page = people.open(java_script_enabled=False)
    sign_in(page, "olga")
    page.goto(f"/c/chess/desk/ratings/blitz/reports/{stage.replay.pk}/")

    summary = page.get_by_text("Show as table").first
    summary.press("Enter")

    expect(page.get_by_role("table", name="Points away, by matches played")).to_be_visible()
