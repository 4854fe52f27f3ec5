"""Every test runs on a real PostgreSQL and a real Valkey, with a database and a key prefix of its own process.

The environment for the settings is made before Django loads, so the settings module is named here and not in
pyproject.toml; see tests/harness/workspace.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.harness import workspace
from tests.harness.store import wipe_store


def pytest_configure(config: pytest.Config) -> None:
    workspace.open_workspace(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    workspace.close_workspace()


@pytest.fixture(scope="session")
def django_db_setup() -> None:
    """The database exists already: a copy of the migrated template, made before Django loaded."""


@pytest.fixture(autouse=True)
def _empty_store(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test leaves in Valkey is gone before the next one; tests that never went there pay nothing."""
    yield
    if {"db", "transactional_db", "live_app"} & set(request.fixturenames):
        wipe_store()
