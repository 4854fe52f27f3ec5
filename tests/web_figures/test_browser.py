"""The pages of figures in a real browser: axe finds nothing, nothing overflows, on a phone and at a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.harness.pages import People
from tests.web_record.test_browser import RULES, is_too_wide, sign_in

if TYPE_CHECKING:
    from tests.ladder.world import World

pytestmark = pytest.mark.browser
PAGES = {
    "health": "/c/chess/health/",
    "health-all": "/c/chess/health/?span=all",
    "fairness": "/c/chess/health/fairness/?queue=blitz",
    "fairness-empty": "/c/chess/health/fairness/?span=month&queue=rapid",
}


@pytest.fixture
def played(live_db: None) -> World:
    """A club with two months of play behind it, committed for the live processes."""
    from tests.web_figures.stage import busy_club

    return busy_club()


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
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            shoot(page, f"figures-{name}-{'phone' if phone else 'desk'}-{scheme}")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [
                f"{name} ({scheme}): {one['id']}: {one['nodes'][0]['html'][:160]}"
                for one in Axe().run(page, options=RULES).response["violations"]
            ]

    assert found == []
