"""Fixtures of the live application and its browser; imported by tests/conftest.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.plugin import DjangoDbBlocker

from tests.harness import databases, workspace
from tests.harness.live import LiveApp, start_live_app, stop_live_app
from tests.harness.pages import People, launched_browser, screenshot
from tests.harness.store import wipe_store

FAILED = pytest.StashKey[bool]()


_running: list[LiveApp] = []


@pytest.fixture(scope="session")
def live_app(django_db_setup: None) -> Iterator[LiveApp]:
    """Web, worker and beat on this process's database and prefix, started once; see `live_db` for clean data."""
    app = start_live_app(workspace.slot())
    _running.append(app)
    yield app
    end_live_app()


def end_live_app() -> None:
    """Stop it before the first test that does not use it: its worker would tick and rate what belongs to that test."""
    while _running:
        stop_live_app(_running.pop())


@pytest.fixture
def live_db(live_app: LiveApp, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Committed data that the live processes see; afterwards every table is as the migrations left it."""
    from django.db import connection

    with django_db_blocker.unblock():
        yield
        databases.empty_tables(connection)
        connection.close()
    wipe_store()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium for one module. Not for the session: its event loop would be in the way of other tests' own."""
    with launched_browser() as launched:
        yield launched


@pytest.fixture
def people(request: pytest.FixtureRequest, live_db: None, live_app: LiveApp, browser: Browser) -> Iterator[People]:
    """Any number of visitors; console errors, refused resources and server errors fail the test."""
    opened = People(browser, live_app.url)
    yield opened
    if request.node.stash.get(FAILED, False):
        for number, page in enumerate(opened.pages()):
            screenshot(page, f"failed-{request.node.name}-{number}")
    opened.close()
    assert not opened.found(), "The pages had problems:\n" + "\n".join(opened.found())


@pytest.fixture
def page(people: People) -> Page:
    """One visitor at a desk."""
    return people.open()


@pytest.fixture
def phone_page(people: People) -> Page:
    """One visitor with a phone."""
    return people.open(phone=True)


@pytest.fixture
def shoot() -> Callable[[Page, str], Path]:
    """Keep a screenshot: `shoot(page, "leaderboard-dark")`."""
    return screenshot
