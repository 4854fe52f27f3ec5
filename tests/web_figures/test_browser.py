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
    "fairness": "/c/chess/health/fairness/?queue=blitz",
    "fairness-empty": "/c/chess/health/fairness/?span=month&queue=rapid",
    "ratings": "/c/chess/desk/ratings/",
    "models": "/c/chess/desk/ratings/blitz/",
    "draft": "/c/chess/desk/ratings/blitz/draft/?engine=trueskill2",
    "replay": "/c/chess/desk/ratings/blitz/replay/",
    "fit": "/c/chess/desk/ratings/blitz/fit/?engine=elo",
    "compare": "/c/chess/desk/ratings/blitz/compare/",
}


@pytest.fixture
def played(live_db: None) -> World:
    """A club with two months of play behind it, committed for the live processes."""
    from tests.web_figures.stage import busy_club

    return busy_club()


def stored_pages(world: World) -> dict[str, str]:
    """Pages of models and reports as they are on their way: drafted, replayed, approved, found, failed, under way."""
    from tests.web_figures.stage import models_on_their_way

    stage = models_on_their_way(world)
    queue = "/c/chess/desk/ratings/blitz/"
    return {
        "model-draft": f"{queue}models/{stage.draft.pk}/",
        "model-edit": f"{queue}models/{stage.approved.pk}/edit/",
        "model-force": f"{queue}models/{stage.approved.pk}/force/",
        "report": f"{queue}reports/{stage.replay.pk}/",
        "report-fit": f"{queue}reports/{stage.fit.pk}/",
        "report-failed": f"{queue}reports/{stage.failed.pk}/",
        "report-shipped": f"{queue}reports/{stage.shipped}/",
        "compare-two": f"{queue}compare/?report={stage.replay.pk}&report={stage.other.pk}",
    }


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    people: People, played: World, phone: bool, shoot
) -> None:
    page = people.open(phone=phone)
    sign_in(page, "otto")
    found = []

    for name, path in (PAGES | stored_pages(played)).items():
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(path)
        if is_too_wide(page):
            found.append(f"{name} is wider than the screen")
        for scheme in ("light", "dark") if phone else ("light",):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            shoot(page, f"figures-{name}-{'phone' if phone else 'desk'}-{scheme}")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        if is_too_wide(page):
            found.append(f"{name} is wider than the screen when everything is open")
        answer = Axe().run(page, options=RULES).response
        found += [f"{name}: {one['id']}: {one['nodes'][0]['html'][:160]}" for one in answer["violations"]]

    assert found == []
