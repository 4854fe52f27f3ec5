"""bin/setup, on a lock file without packages: what it redoes, what it trusts, what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.workspace import ROOT

NOTHING = "# no packages\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with the scripts, lock files that pin nothing, and an environment made once."""
    folder = tmp_path_factory.mktemp("home") / "my ladder"
    shutil.copytree(ROOT / "bin", folder / "bin")
    write_locks(folder, NOTHING)
    first = setup(folder)
    assert first.returncode == 0, first.stderr
    assert "making .venv" in first.stdout
    return folder


@pytest.fixture
def bare(made: Path) -> Path:
    """That checkout with nothing left to do."""
    write_locks(made, NOTHING)
    assert setup(made).returncode == 0
    return made


def write_locks(folder: Path, text: str) -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        (folder / name).write_text(text)


def setup(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [folder / "bin" / "setup", *arguments],
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": str(folder.parent)} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_second_time_there_is_nothing_to_do_until_a_lock_file_changes(bare: Path) -> None:
    assert setup(bare).stdout == ""

    (bare / "requirements.txt").write_text("# other packages\n")

    again = setup(bare)
    assert "installing the packages of requirements.txt" in again.stdout
    assert "making .venv" not in again.stdout


def test_the_development_set_covers_the_base_set(bare: Path) -> None:
    write_locks(bare, "# yet other packages\n")

    assert "requirements-dev.txt" in setup(bare, "--dev").stdout

    assert setup(bare).stdout == ""


def test_an_environment_that_was_moved_or_not_finished_is_made_anew(bare: Path) -> None:
    stamp = bare / ".venv" / "setup-stamp.json"
    stamp.write_text(stamp.read_text().replace(str(bare), "/somewhere/else"))
    (bare / ".venv" / "left").touch()

    again = setup(bare)

    assert "removing the old or unfinished .venv" in again.stdout
    assert not (bare / ".venv" / "left").exists()


def test_without_a_python_it_says_how_to_get_one(bare: Path, tmp_path: Path) -> None:
    for tool in ("dirname", "sh"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))

    without = setup(bare, PATH=str(tmp_path))

    assert without.returncode == 1
    assert "no Python 3.11 or newer was found" in without.stderr
    assert "PYTHON=/path/to/python3.11 bin/setup" in without.stderr


def test_a_failed_install_says_what_to_do_and_is_not_taken_for_done(bare: Path) -> None:
    digest = "0" * 64
    (bare / "requirements.txt").write_text(f"no-such-package==1 --hash=sha256:{digest}\n")

    failed = setup(bare, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0", PIP_NO_INDEX="1")

    assert failed.returncode == 1
    assert "pip could not install requirements.txt" in failed.stderr
    assert "HTTPS_PROXY or PIP_INDEX_URL" in failed.stderr
    assert not (bare / ".venv" / "setup-stamp.json").exists()
