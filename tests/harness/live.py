"""The application as it runs for people: web, worker and beat as processes of their own on this test process's data."""

from __future__ import annotations

import email
import email.message
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from ladder.project.embedded.identity import die_with_parent
from ladder.project.embedded.layout import var_dir
from tests.harness.workspace import ROOT

READY_SECONDS = 60.0
STOP_SECONDS = 6.0
WORKER = ["worker", "--queues", "celery,reports", "--pool", "threads", "--concurrency", "2", "--loglevel", "warning"]
MAIL_END = "-" * 79


@dataclass
class LiveApp:
    """Running processes by name, the address of the pages, and where the processes' lines go."""

    url: str
    logs: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def log(self, name: str) -> str:
        """What a process (web, worker, beat) has written so far."""
        return (self.logs / f"{name}.log").read_text(errors="replace")

    def mails(self) -> list[email.message.Message]:
        """E-mails that the processes sent, oldest first; the console backend prints them."""
        printed = [part for name in self.processes for part in self.log(name).split(MAIL_END)]
        return [
            email.message_from_string(part[part.index("Content-Type:") :].strip())
            for part in printed
            if "Content-Type:" in part and "Subject:" in part
        ]

    def kill(self, name: str) -> None:
        """SIGKILL one process, as a crash would."""
        process = self.processes[name]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def restart(self, name: str) -> None:
        """Start a killed process again."""
        self.processes[name] = _start(name, self._commands[name], self.logs, self._environment, self._listener)

    _commands: dict[str, list[str]] = field(default_factory=dict)
    _environment: dict[str, str] = field(default_factory=dict)
    _listener: socket.socket = field(default_factory=socket.socket)


def start_live_app(slot: int) -> LiveApp:
    """Start all three and return once the first page answers."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    logs = var_dir(ROOT) / "test-logs" / str(slot)
    logs.mkdir(parents=True, exist_ok=True)
    celery = ["-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "ladder.project.celery"]
    app = LiveApp(
        url,
        logs,
        _listener=listener,
        _environment=os.environ | {"SITE_URL": url, "PYTHONUNBUFFERED": "1"},
        _commands={
            "web": ["-m", "ladder.project.embedded.web", str(listener.fileno())],
            "worker": [*celery, *WORKER],
            "beat": [*celery, "beat", "--scheduler", "celery.beat.Scheduler", "--loglevel", "warning"],
        },
    )
    for name in app._commands:
        (logs / f"{name}.log").unlink(missing_ok=True)
        app.restart(name)
    _wait_for_page(app)
    return app


def stop_live_app(app: LiveApp) -> None:
    """Stop all; by force after a while."""
    for process in app.processes.values():
        process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for process in app.processes.values():
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    app._listener.close()


def _start(
    name: str, command: list[str], logs: Path, environment: dict[str, str], listener: socket.socket
) -> subprocess.Popen[bytes]:
    parent = os.getpid()
    with (logs / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment | {"LADDER_PROCESS": "web" if name == "web" else "worker"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[listener.fileno()] if name == "web" else [],
            preexec_fn=lambda: die_with_parent(signal.SIGKILL, parent),  # noqa: PLW1509 - nothing but a system call
        )


def _wait_for_page(app: LiveApp) -> None:
    deadline = time.monotonic() + READY_SECONDS
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < deadline:
        try:
            with opener.open(f"{app.url}/healthz", timeout=1.0):
                return
        except OSError as error:
            last = error
            time.sleep(0.05)
    stop_live_app(app)
    raise RuntimeError(f"The application did not answer: {last}\n{app.log('web')}")
