"""Every test runs on a real PostgreSQL and a real Valkey, with a database and a key prefix of its own process.

The environment for the settings is made before Django loads, so the settings module is named here and not in
pyproject.toml; see tests/harness/workspace.py.
"""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.harness import scheduling, workspace
from tests.harness.fixtures import FAILED, browser, end_live_app, live_app, live_db, page, people, phone_page, shoot
from tests.harness.store import wipe_store

__all__ = ["browser", "live_app", "live_db", "page", "people", "phone_page", "shoot"]


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Started in the background, a suite inherits an ignored Ctrl-C; programs whose Ctrl-C is tested must not.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    workspace.open_workspace(config)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    workspace.close_workspace()  # before xdist hears of it: it ends its workers at once


def pytest_unconfigure(config: pytest.Config) -> None:
    workspace.close_workspace()


@pytest.fixture(scope="session")
def django_db_setup() -> None:
    """The database exists already: a copy of the migrated template, made before Django loaded."""


@pytest.fixture(autouse=True)
def _empty_store(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test leaves in Valkey is gone before the next one; tests that never went there pay nothing."""
    yield
    if {"db", "transactional_db"} & set(request.fixturenames):
        wipe_store()


def pytest_itemcollected(item: pytest.Item) -> None:
    scheduling.check_item(item)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The live tests first: they take longest."""
    items.sort(key=lambda item: not scheduling.is_live(item.nodeid))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if not scheduling.is_live(item.nodeid):
        end_live_app()  # live tests come first in every process, so nobody needs it any more


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> scheduling.Scheduling | None:
    return scheduling.make_scheduler(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the fixtures whether the test failed, for a last screenshot."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report
