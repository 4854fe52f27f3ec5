"""A worker for reports as a process of its own, on this test process's database and broker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ladder.project.embedded.identity import die_with_parent
from tests.harness.workspace import ROOT

COMMAND = ["-m", "celery", "--quiet", "-A", "ladder.project.celery", "worker", "--queues", "reports"]


class Worker:
    """A running worker."""

    def __init__(self) -> None:
        parent = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", *COMMAND, "--pool", "solo", "--loglevel", "warning"],
            cwd=ROOT,
            env=os.environ | {"LADDER_PROCESS": "worker"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(signal.SIGKILL, parent),  # noqa: PLW1509 - nothing but a system call
        )

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        self.process.kill()
        self.process.wait()


@contextmanager
def worker() -> Iterator[Worker]:
    """A worker for the length of a block."""
    started = Worker()
    try:
        yield started
    finally:
        started.kill()
