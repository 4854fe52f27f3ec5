"""Make `.venv` and install the pinned packages; standard library only. Called by bin/setup.

The stamp is written last and names all that the environment was made from: lock files, Python, place. An
environment without a stamp was interrupted (or made by hand) and is made anew; one with an older lock file is
brought up to date in place.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LOCKS = {"base": "requirements.txt", "dev": "requirements-dev.txt"}


class Setup:
    """One run over the checkout at `root`."""

    def __init__(self, root: Path, *, dev: bool) -> None:
        self.root = root
        self.wanted = "dev" if dev else "base"
        self.venv = root / ".venv"
        self.stamp = self.venv / "setup-stamp.json"

    def run(self) -> None:
        """Do what is missing, and nothing when nothing is."""
        if self.is_complete():
            return
        with self.alone():
            if self.is_complete():  # another run did it while we waited
                return
            if self.read_stamp().get("made_by") != self.made_by():
                self.make_venv()
            self.install()

    def is_complete(self) -> bool:
        """Whether the stamp covers what is wanted. The development set contains the base set."""
        stamp = self.read_stamp()
        fresh = stamp.get("made_by") == self.made_by() and stamp.get(self.wanted) == self.digest(self.wanted)
        return fresh and os.access(self.venv / "bin" / "python", os.X_OK)

    def made_by(self) -> list[str]:
        """What an environment cannot outlive: its Python, and its place (its scripts hold the path).

        Not the Python that runs this: that may differ from day to day without harm.
        """
        return [os.path.realpath(self.venv / "bin" / "python"), os.path.realpath(self.venv)]

    def digest(self, kind: str) -> str:
        """The state of a lock file."""
        return hashlib.sha256((self.root / LOCKS[kind]).read_bytes()).hexdigest()

    def read_stamp(self) -> dict[str, object]:
        """The stamp, empty when there is none or it is unreadable."""
        try:
            found = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def make_venv(self) -> None:
        """An empty environment in place of whatever is there."""
        for module in ("venv", "ensurepip"):
            if importlib.util.find_spec(module) is None:
                version = f"{sys.version_info.major}.{sys.version_info.minor}"
                stop(
                    f"this Python has no {module} module. On Debian and Ubuntu: apt-get install "
                    f"python{version}-venv (or python3-venv); then run it again."
                )
        if self.venv.exists():
            say("removing the old or unfinished .venv")
            shutil.rmtree(self.venv)
        say(f"making .venv with Python {sys.version.split()[0]}")
        python = os.path.realpath(sys.executable)  # not the one inside an activated .venv, which is gone by now
        done = subprocess.run([python, "-m", "venv", str(self.venv)], check=False)
        if done.returncode != 0:
            shutil.rmtree(self.venv, ignore_errors=True)
            stop("the environment could not be made; the lines above say why (disk full? python3-venv missing?).")

    def install(self) -> None:
        """Install with hashes, then write the stamp."""
        made_of = {kind: value for kind, value in self.read_stamp().items() if kind in LOCKS}
        self.stamp.unlink(missing_ok=True)
        lock = LOCKS[self.wanted]
        say(f"installing the packages of {lock} (the first time takes a minute)")
        command = [str(self.venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
        command += ["--disable-pip-version-check", "--no-input", "-r", str(self.root / lock)]
        steered = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")
        environment = {k: v for k, v in os.environ.items() if k not in steered}
        done = subprocess.run(command, env=environment | {"PIP_USER": "0"}, check=False)
        if done.returncode != 0:
            stop(
                f"pip could not install {lock}; its lines above say why. Without a network, or behind a proxy, set "
                f"HTTPS_PROXY or PIP_INDEX_URL; then run it again."
            )
        made_of[self.wanted] = self.digest(self.wanted)
        if self.wanted == "dev":
            made_of["base"] = self.digest("base")
        half = self.stamp.with_suffix(".half")
        half.write_text(json.dumps({"made_by": self.made_by(), **made_of}))
        half.rename(self.stamp)
        say("done")

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Two commands started at once do not install into one environment; the kernel drops a dead one's lock."""
        folder = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another setup is at work in this checkout; waiting for it")
            fcntl.flock(folder, fcntl.LOCK_EX)
        try:
            yield
        finally:
            os.close(folder)


def say(line: str) -> None:
    """Announce a step."""
    print(f"setup: {line}", flush=True)


def stop(line: str) -> None:
    """End with what is wrong and what to do."""
    sys.exit(f"setup: {line}")


def main() -> None:
    """`setup.py ROOT [--dev]`."""
    parser = argparse.ArgumentParser(prog="bin/setup", description="Make .venv and install the pinned packages.")
    parser.add_argument("root", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--dev", action="store_true", help="also what the tests and checks need")
    arguments = parser.parse_args()
    try:
        Setup(arguments.root, dev=arguments.dev).run()
    except OSError as error:
        stop(f"{error}. Is the checkout yours to write, and is there space on the disk?")
    except KeyboardInterrupt:
        stop("interrupted; the next run starts the unfinished step anew.")


main()
