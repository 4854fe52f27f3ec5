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
from tests.infra.conftest import copy_code, end_all

SECONDS = 60.0
READY = re.compile(r"ready: (http://\S+)")


class Serving:
    """One bin/serve, with what it has printed."""

    def __init__(self, checkout: Path, *arguments: str) -> None:
        self.checkout = checkout
        self.out = checkout.parent / "serve.out"
        self.started = time.monotonic()
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [checkout / "bin" / "serve", *arguments],
                cwd="/",
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
    with opener.open(f"{url}/healthz", timeout=5) as answer:
        return int(answer.status)


def pid_of(checkout: Path, part: str) -> int:
    return next(pid for pid, line in sorted(processes_of(checkout).items()) if part in line)


@pytest.fixture(scope="module")
def used_checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout where bin/serve has run before: the tests of this module start it again and again."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    folder = home / "my ladder"
    folder.mkdir()
    copy_code(folder)
    yield folder
    end_all(folder)


@pytest.fixture
def serving(used_checkout: Path) -> Iterator[Serving]:
    running = Serving(used_checkout)
    running.url()
    yield running
    running.process.kill()
    running.process.wait()
    eventually(lambda: not processes_of(used_checkout), "everything is gone", seconds=SECONDS)


def test_ctrl_c_leaves_no_process_and_no_permission_changed(serving: Serving, used_checkout: Path) -> None:
    assert page(serving.url()) == 200

    status = serving.stop()

    assert status == 0
    assert "serve     | stopped" in serving.printed()
    assert processes_of(used_checkout) == {}
    assert used_checkout.parent.stat().st_mode & 0o777 == 0o700


def test_a_closed_terminal_stops_everything(serving: Serving, used_checkout: Path) -> None:
    assert serving.stop(signal.SIGHUP) == 0
    assert processes_of(used_checkout) == {}


def test_it_starts_again_after_everything_was_killed(serving: Serving, used_checkout: Path) -> None:
    for pid in processes_of(used_checkout):
        os.kill(pid, signal.SIGKILL)
    serving.process.wait()
    eventually(lambda: not processes_of(used_checkout), "all are dead")

    again = Serving(used_checkout)

    assert page(again.url()) == 200
    assert again.stop() == 0


def test_a_second_one_says_where_the_first_one_answers(serving: Serving, used_checkout: Path) -> None:
    second = subprocess.run(
        [used_checkout / "bin" / "serve"], capture_output=True, text=True, timeout=SECONDS, check=False
    )

    assert second.returncode == 1
    assert f"served already, at {serving.url()} (process {serving.process.pid})" in second.stderr
    assert page(serving.url()) == 200


def test_commands_attach_to_the_running_servers(serving: Serving, used_checkout: Path) -> None:
    python = used_checkout / ".venv" / "bin" / "python"
    command = [python, "manage.py", "migrate", "--check"]

    done = subprocess.run(command, cwd=used_checkout, capture_output=True, text=True, timeout=SECONDS, check=False)

    assert done.returncode == 0, done.stderr
    assert page(serving.url()) == 200


def test_a_killed_web_process_comes_back_on_the_same_address(serving: Serving, used_checkout: Path) -> None:
    os.kill(pid_of(used_checkout, "embedded.web"), signal.SIGKILL)

    serving.wait_for("web ended (killed by SIGKILL); starting it again")

    assert eventually(lambda: page(serving.url()), "the page") == 200


def test_a_taken_port_is_named_with_what_to_do(used_checkout: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [used_checkout / "bin" / "serve", "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    assert done.returncode == 1
    assert (
        done.stderr == f"serve: Port {port} is in use by another program; stop it, or choose another port: --port N.\n"
    )
    assert processes_of(used_checkout) == {}


def test_two_checkouts_run_at_once(serving: Serving, checkout: Path) -> None:
    other = Serving(checkout)

    assert other.url() != serving.url()
    assert page(other.url()) == page(serving.url()) == 200
    assert "is in use; taking" in other.printed()
    assert other.stop() == 0
    assert page(serving.url()) == 200
