"""The process runner: prefixes, restarts, gives up, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.processes import eventually, processes_of
from tests.harness.workspace import ROOT

RUN = """
import os, sys
from pathlib import Path
from ladder.project.embedded.output import Output
from ladder.project.embedded.runner import Program, Runner
folder = Path(sys.argv[1])
programs = [
    Program(name, [sys.executable, "-u", "-c", code, str(folder)], os.environ, vital=name != "optional")
    for name, code in zip(sys.argv[2::2], sys.argv[3::2])
]
output = Output(folder / "serve.log")
sys.exit(Runner(programs, folder, output).run(lambda: True, lambda: output.say("ready")))
"""
STAY = "import time; print('here'); time.sleep(600)"
WITH_CHILD = "import subprocess; subprocess.run(['/bin/sleep', '600'])"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here'); time.sleep(600)"
BROKEN = "print('no configuration'); raise SystemExit(3)"


class Running:
    """A runner in a process of its own."""

    def __init__(self, folder: Path, *programs: str, ignore_hup: bool = False) -> None:
        self.folder = folder
        command = [sys.executable, "-c", RUN, str(folder), *programs]
        self.process = subprocess.Popen(
            ["nohup", *command] if ignore_hup else command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def log(self) -> str:
        path = self.folder / "serve.log"
        return path.read_text() if path.exists() else ""

    def wait_for(self, text: str, times: int = 1) -> None:
        eventually(lambda: self.log().count(text) >= times, f"{text!r} in the log:\n{self.log()}")

    def children(self) -> dict[int, str]:
        return {pid: line for pid, line in processes_of(self.folder).items() if pid != self.process.pid}


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Running]]:
    running: list[Running] = []
    yield running
    for each in running:
        each.process.kill()
        each.process.wait()
        eventually(lambda folder=each.folder: not processes_of(folder), "all processes are gone")


def run(started: list[Running], folder: Path, *programs: str, ignore_hup: bool = False) -> Running:
    started.append(Running(folder, *programs, ignore_hup=ignore_hup))
    return started[-1]


def test_lines_carry_the_name_of_their_process(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "web", STAY, "worker", STAY)

    runner.wait_for("web       | here")
    runner.wait_for("worker    | here")
    runner.wait_for("serve     | ready")


@pytest.mark.parametrize("sign", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_closed_terminal_ctrl_c_and_a_plain_kill_stop_everything(
    started: list[Running], tmp_path: Path, sign: signal.Signals
) -> None:
    runner = run(started, tmp_path, "web", STAY, "worker", WITH_CHILD)
    runner.wait_for("here")
    eventually(lambda: len(runner.children()) == 3, "both programs and the child of one run")

    runner.process.send_signal(sign)

    assert runner.process.wait(10) == 0
    assert processes_of(tmp_path) == {}


def test_a_runner_that_is_killed_takes_its_programs_along(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "web", STAY, "worker", STUBBORN)
    runner.wait_for("here", times=2)

    runner.process.kill()

    eventually(lambda: not runner.children(), "the programs are gone")


def test_a_second_ctrl_c_does_not_wait_for_the_stubborn(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "worker", STUBBORN)
    runner.wait_for("here")
    runner.process.send_signal(signal.SIGINT)
    runner.wait_for("stopping")

    runner.process.send_signal(signal.SIGINT)

    assert runner.process.wait(4) == 0
    assert "worker did not stop by itself" in runner.log()


def test_a_hangup_ignored_from_outside_stays_ignored(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "web", STAY, ignore_hup=True)
    runner.wait_for("here")

    runner.process.send_signal(signal.SIGHUP)
    os.kill(next(iter(runner.children())), signal.SIGKILL)

    runner.wait_for("starting it again")
    assert runner.process.poll() is None


def test_a_dead_program_is_started_again(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "web", STAY)
    runner.wait_for("here")
    (first,) = runner.children()

    os.kill(first, signal.SIGKILL)

    runner.wait_for("web ended (killed by SIGKILL); starting it again")
    runner.wait_for("here", times=2)
    assert first not in runner.children()


def test_what_a_dead_program_left_running_is_ended(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "worker", WITH_CHILD)
    before = eventually(lambda: runner.children() if len(runner.children()) == 2 else None, "it has a child")
    (program,) = [pid for pid, line in before.items() if "subprocess.run" in line]
    (orphan,) = set(before) - {program}

    os.kill(program, signal.SIGKILL)

    eventually(lambda: orphan not in runner.children(), "the orphan is gone")


def test_a_program_that_keeps_dying_ends_everything_loudly(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "web", BROKEN, "worker", STAY)

    assert runner.process.wait(30) == 1
    assert "web       | no configuration" in runner.log()
    assert "web ended 5 times in a row (status 3); giving up" in runner.log()
    assert processes_of(tmp_path) == {}


def test_without_a_program_that_is_not_vital_the_others_go_on(started: list[Running], tmp_path: Path) -> None:
    runner = run(started, tmp_path, "optional", BROKEN, "web", STAY)

    runner.wait_for("optional ended 5 times in a row (status 3); going on without it")
    assert len(runner.children()) == 1
    assert runner.process.poll() is None
