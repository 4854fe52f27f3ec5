"""What one test process owns: servers kept alive, a slot number, a database, a key prefix.

The `test` instance of the embedded servers is apart from the one that bin/serve uses. Slots are lock files, so two
test runs in one checkout share the servers and never a database; a killed run frees its slot at once.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ladder.project import embedded
from ladder.project.embedded.layout import Layout, var_dir
from ladder.project.embedded.locks import open_lock, try_lock
from tests.harness import databases

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "ladder.project.settings"
SLOTS = 64


@dataclass
class Workspace:
    """One process's share; `database` is None in the controller of a parallel run, which runs no test itself."""

    servers: embedded.Servers | None
    slot: int | None = None
    slot_lock: int | None = None
    server_url: str = ""
    template: str = ""
    database: str | None = None


_workspace: Workspace | None = None


def open_workspace(config: pytest.Config) -> None:
    """Make the workspace of this process and load Django on it."""
    global _workspace  # noqa: PLW0603 - one per process, opened and closed by pytest's two hooks
    _refuse_loaded_settings()
    server_url, redis_url, servers = _servers()
    _workspace = Workspace(servers=servers, server_url=server_url)
    template = _workspace.template = databases.ensure_template(server_url, ROOT)
    if _is_controller(config):
        return
    slot, lock = _take_slot()
    key = Layout.of(ROOT, "test").key
    database = f"ladder_test_{key}_{slot}"
    databases.copy_template(server_url, template, database)
    _workspace.slot, _workspace.slot_lock, _workspace.database = slot, lock, database
    os.environ.update(
        DATABASE_URL=databases.with_name(server_url, database),
        REDIS_URL=redis_url,
        STORE_PREFIX=f"test-{key}-{slot:03d}",
        TESTING="1",
        DJANGO_SETTINGS_MODULE=SETTINGS,
    )
    import django

    django.setup()


def close_workspace() -> None:
    """Drop the database, free the slot, need the servers no longer."""
    global _workspace  # noqa: PLW0603 - see open_workspace
    if _workspace is None:
        return
    if _workspace.database is not None:
        databases.drop(_workspace.server_url, _workspace.database)
    if _workspace.servers is None and "PYTEST_XDIST_WORKER" not in os.environ:
        databases.drop_unused(_workspace.server_url, _workspace.template)  # an outside server is left as it was
    if _workspace.slot_lock is not None:
        os.close(_workspace.slot_lock)
    if _workspace.servers is not None:
        _workspace.servers.close(wait=False)
    _workspace = None


def slot() -> int:
    """This process's number among all test processes of the checkout that are alive."""
    assert _workspace is not None
    assert _workspace.slot is not None
    return _workspace.slot


def _servers() -> tuple[str, str, embedded.Servers | None]:
    """The servers that the environment names, or the embedded ones of the `test` instance."""
    database_url, redis_url = os.environ.get("DATABASE_URL"), os.environ.get("REDIS_URL")
    if database_url and redis_url:
        return database_url, redis_url, None
    try:
        servers = embedded.ensure_servers(ROOT, "test")
    except embedded.EmbeddedError as error:
        raise pytest.UsageError(str(error)) from error
    return database_url or servers.database_url, redis_url or servers.redis_url, servers


def _is_controller(config: pytest.Config) -> bool:
    """Whether this process only hands tests to xdist workers."""
    return "PYTEST_XDIST_WORKER" not in os.environ and bool(
        config.getoption("numprocesses", 0) or config.getoption("tx", None)
    )


def _take_slot() -> tuple[int, int]:
    folder = var_dir(ROOT) / "test-slots"
    folder.mkdir(parents=True, exist_ok=True)
    for slot in range(SLOTS):
        lock = open_lock(folder / str(slot))
        if try_lock(lock):
            return slot, lock
        os.close(lock)
    raise pytest.UsageError(f"All {SLOTS} test slots of {folder} are taken; are that many test runs alive?")


def _refuse_loaded_settings() -> None:
    configuration = sys.modules.get("django.conf")
    if configuration is not None and configuration.settings.configured:
        raise pytest.UsageError("Django was loaded before the tests had their database: unset DJANGO_SETTINGS_MODULE.")
