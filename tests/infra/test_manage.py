"""manage.py as the README says it: called by whatever Python the machine has, in the environment of the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.workspace import ROOT


def system_python() -> Path:
    """The Python from which the environment of these tests was made: a newcomer's own."""
    return Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def manage(folder: Path) -> subprocess.CompletedProcess[str]:
    """`manage.py version` by the machine's Python, which has no packages of its own."""
    return subprocess.run(
        [system_python(), "-S", folder / "manage.py", "version"],
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout, at a path with a space in it, without an environment yet."""
    made = tmp_path / "my ladder"
    made.mkdir()
    shutil.copy(ROOT / "manage.py", made)
    return made


def test_it_runs_in_the_environment_that_setup_made(folder: Path) -> None:
    own = folder / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text('#!/bin/sh\nprintf "%s\\n" "own environment" "$@"\n')
    own.chmod(0o755)

    done = manage(folder)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["own environment", str(folder / "manage.py"), "version"]


def test_without_an_environment_it_says_what_makes_one(folder: Path) -> None:
    done = manage(folder)

    assert done.returncode == 1
    assert "bin/setup" in done.stderr
    assert "Traceback" not in done.stderr
