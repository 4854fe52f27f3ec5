"""bin/serve as a person uses it: in a checkout of its own, with a space in its path, below a closed home."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.processes import eventually, processes_of
from tests.infra.conftest import copy_code, end_all, environment

SECONDS = 90.0
READY = re.compile(r"ready: (http://\S+)")


class Serving:
    """One bin/serve, with what it has printed."""

    def __init__(self, checkout: Path, *arguments: str) -> None:
        self.checkout = checkout
        self.out = checkout.parent / f"{checkout.name}.out"
        self.started = time.monotonic()
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [checkout / "bin" / "serve", *arguments],
                cwd="/",
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    def printed(self) -> str:
        return self.out.read_text(errors="replace")

    def url(self) -> str:
        """The address, once it is printed."""

        def ready_or_ended() -> bool:
            return bool(READY.search(self.printed())) or self.process.poll() is not None

        eventually(ready_or_ended, "bin/serve is ready", seconds=SECONDS)
        found = READY.search(self.printed())
        assert found, self.printed()
        return found[1]

    def wait_for(self, text: str) -> None:
        eventually(lambda: text in self.printed(), text, seconds=SECONDS)

    def stop(self, sign: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(sign)
        return self.process.wait(30)


def page(url: str) -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{url}/healthz", timeout=SECONDS) as answer:
        return int(answer.status)


def pid_of(checkout: Path, part: str) -> int:
    return next(pid for pid, line in sorted(processes_of(checkout).items()) if part in line)


def gone(checkout: Path) -> None:
    eventually(lambda: not processes_of(checkout), "everything is gone", seconds=SECONDS)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Closed to others."""
    folder = tmp_path_factory.mktemp("home")
    folder.chmod(0o700)
    return folder


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[Serving]:
    """One that runs through all tests that leave it running."""
    folder = home / "my ladder"
    folder.mkdir()
    copy_code(folder)
    running = Serving(folder)
    running.url()
    yield running
    running.process.kill()
    running.process.wait()
    gone(folder)
    end_all(folder)


@pytest.fixture(scope="module")
def used(home: Path) -> Iterator[Path]:
    """A second checkout, which tests start and stop."""
    folder = home / "my other ladder"
    folder.mkdir()
    copy_code(folder)
    yield folder
    end_all(folder)


def test_two_checkouts_run_at_once_and_ctrl_c_stops_one(serving: Serving, used: Path) -> None:
    other = Serving(used)
    assert other.url() != serving.url()
    assert page(other.url()) == page(serving.url()) == 200
    assert "is in use; taking" in other.printed()

    assert other.stop(signal.SIGINT) == 0

    assert "serve     | stopped" in other.printed()
    assert processes_of(used) == {}
    assert used.parent.stat().st_mode & 0o777 == 0o700
    assert page(serving.url()) == 200


def test_it_starts_again_after_everything_was_killed_and_a_closed_terminal_stops_it(used: Path) -> None:
    killed = Serving(used)
    killed.url()
    for pid in processes_of(used):
        os.kill(pid, signal.SIGKILL)
    killed.process.wait()
    gone(used)

    again = Serving(used)

    assert page(again.url()) == 200
    assert again.stop(signal.SIGHUP) == 0
    assert processes_of(used) == {}


def test_the_runner_killed_alone_leaves_nothing(used: Path) -> None:
    running = Serving(used)
    running.url()

    running.process.kill()
    running.process.wait()

    gone(used)


def test_a_second_one_says_where_the_first_one_answers(serving: Serving) -> None:
    second = run([serving.checkout / "bin" / "serve"])

    assert second.returncode == 1
    assert f"served already, at {serving.url()} (process {serving.process.pid})" in second.stderr
    assert page(serving.url()) == 200


def test_commands_attach_to_the_running_servers(serving: Serving) -> None:
    python = serving.checkout / ".venv" / "bin" / "python"

    done = run([python, serving.checkout / "manage.py", "migrate", "--check"])

    assert done.returncode == 0, done.stderr
    assert page(serving.url()) == 200


def test_a_killed_web_process_comes_back_on_the_same_address(serving: Serving) -> None:
    os.kill(pid_of(serving.checkout, "embedded.web"), signal.SIGKILL)

    serving.wait_for("web ended (killed by SIGKILL); starting it again")

    assert page(serving.url()) == 200


def test_a_taken_port_is_named_with_what_to_do(used: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run([used / "bin" / "serve", "--port", str(port)])

    assert done.returncode == 1
    assert (
        done.stderr == f"serve: Port {port} is in use by another program; stop it, or choose another port: --port N.\n"
    )
    assert processes_of(used) == {}


def run(command: list[Path | str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd="/", env=environment(), capture_output=True, text=True, timeout=SECONDS, check=False
    )
