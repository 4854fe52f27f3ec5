"""axe finds nothing on any page of play, in light and in dark, on a phone and at a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Stage
from tests.browser.steps import sign_in, the_button
from tests.harness.pages import People

if TYPE_CHECKING:
    from ladder.models import Match

pytestmark = pytest.mark.browser
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def check(page: Page, name: str) -> list[str]:
    """What axe dislikes about the page as it is now, in both colour schemes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        answer = Axe().run(page, options=RULES).response
        assert len(answer["passes"]) > 10, "axe did not look"
        for problem in answer["violations"]:
            nodes = "; ".join(node["html"][:160] for node in problem["nodes"][:3])
            found.append(f"{name} ({scheme}): {problem['id']}: {nodes}")
    return found


def test_pages_of_a_stranger(people: People, stage: Stage) -> None:
    page = people.open(phone=True)
    found = []

    for path in ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/c/harbour/", "/nothing/"):
        people.allow("404")
        page.goto(path)
        found += check(page, path)

    assert found == []


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_pages_of_a_player(people: People, stage: Stage, phone: bool) -> None:
    played, open_match = _history(stage)
    page = people.open(phone=phone)
    sign_in(page, "alice")
    found = []

    for path in (
        "/",
        "/me/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/logout/",
        "/c/harbour/",
        "/c/harbour/matches/",
        stage.play,
        f"/c/harbour/matches/{played.pk}/",
        f"/c/harbour/matches/{open_match.pk}/",
    ):
        page.goto(path)
        found += check(page, path)

    assert found == []


def test_the_play_card_in_every_state(people: People, stage: Stage) -> None:
    from ladder.services import matches

    _played, open_match = _history(stage)
    matches.cancel(match_id=open_match.pk, reason="voided", now=open_match.formed_at)
    alice, bob = people.open(phone=True), people.open(phone=True)
    found = []
    for page, name in ((alice, "alice"), (bob, "bob")):
        sign_in(page, name)
        page.goto(stage.play)
    the_button(alice, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Cancel")
    found += check(alice, "searching")
    the_button(bob, "Join")
    expect(alice.locator("#the-button")).to_contain_text("Accept (")
    found += check(alice, "ready check")
    the_button(alice, "Accept")
    the_button(bob, "Accept")
    the_button(alice, "Report the result")
    alice.wait_for_url("**/matches/**")
    found += check(alice, "report form")

    assert found == []


def test_pages_of_a_moderator(people: People, stage: Stage) -> None:
    from django.utils import timezone

    from ladder.models import Player
    from ladder.services import results

    _played, match = _history(stage)
    alice, bob = Player.objects.get(handle="alice"), Player.objects.get(handle="bob")
    now = timezone.now()
    results.report(match_id=match.pk, actor=alice, revision=0, winner=0, scores=None, now=now)
    results.dispute(match_id=match.pk, actor=bob, revision=1, note="No.", now=now)
    page = people.open()
    sign_in(page, "maud")
    found = []

    for path in ("/c/harbour/cases/", f"/c/harbour/matches/{match.pk}/", "/me/"):
        page.goto(path)
        found += check(page, path)

    assert found == []


def _history(stage: Stage) -> tuple[Match, Match]:
    """alice and bob with a rated match behind them and one to be played."""
    from django.utils import timezone

    from ladder.models import Player, Season
    from ladder.services import clubs, matches, results
    from ladder.services.matches import Seat
    from tests.ladder.world import drain_outbox

    now = timezone.now()
    people = [Player.objects.create_user(name, f"{name}@example.org", PASSWORD) for name in ("alice", "bob")]
    for player in people:
        clubs.join_club(club=stage.club, player=player, self_assessment="club", now=now)
    season = Season.objects.get(club=stage.club)
    made = []
    for number in range(2):
        made.append(
            matches.create(
                queue=stage.queue,
                season=season,
                seats=[[Seat(player.pk)] for player in people],
                quality=1.0,
                now=timezone.now(),
                state="assigned",  # type: ignore[arg-type]
            )
        )
        if number == 0:
            first = made[0].pk
            results.report(match_id=first, actor=people[0], revision=0, winner=0, scores=(3, 1), now=timezone.now())
            results.confirm(match_id=first, actor=people[1], revision=1, now=timezone.now())
            drain_outbox(timezone.now())
    return made[0], made[1]
