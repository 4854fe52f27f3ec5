"""Checkouts to start and to break: a folder with a space in its name below a closed home."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.project.embedded.layout import Layout
from tests.harness.processes import eventually, processes_of
from tests.harness.workspace import ROOT

CODE = ("bin", "ladder", "matchmaking", "ratings", "templates", "static", "manage.py", "requirements.txt")
CODE_OF_TESTS = ("pyproject.toml", "requirements-dev.txt")


OF_THE_TEST_PROCESS = ("DATABASE_URL", "REDIS_URL", "TESTING", "STORE_PREFIX", "DJANGO_SETTINGS_MODULE", "VAR_DIR")


def environment() -> dict[str, str]:
    """Ours without what the test process made for itself."""
    return {name: value for name, value in os.environ.items() if name not in OF_THE_TEST_PROCESS}


@pytest.fixture(autouse=True)
def _own_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests start servers of their own; the URLs of the test process's database are none of their business."""
    for name in OF_THE_TEST_PROCESS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def closed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder that is closed to all others."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    return home


@pytest.fixture
def root(closed_home: Path) -> Iterator[Path]:
    """An empty checkout; whatever still runs in it afterwards is ended."""
    folder = closed_home / "my ladder"
    folder.mkdir()
    yield folder
    end_all(folder)


def copy_code(folder: Path) -> None:
    """The code without anything made while running."""
    for name in (*CODE, *CODE_OF_TESTS):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, folder / name)
    (folder / ".venv").symlink_to(os.path.realpath(ROOT / ".venv"))


def end_all(folder: Path) -> None:
    """No test leaves a process behind, whatever happened in it."""
    for pid in processes_of(folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    eventually(lambda: not processes_of(folder), f"processes of {folder} are gone")
    for instance in ("main", "test"):
        layout = Layout.of(folder, instance)
        shutil.rmtree(layout.sockets, ignore_errors=True)
        shutil.rmtree(layout.outside, ignore_errors=True)
