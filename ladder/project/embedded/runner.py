"""A small process runner: start in order, prefix output, restart the dead with patience, stop everything.

One thread and one loop. The process runners that exist reload or leave orphans on SIGHUP, or end everything when
one child dies; production uses systemd or compose instead of this.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ladder.project.embedded.identity import die_with_parent
from ladder.project.embedded.output import Output

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STOP_SECONDS = 8.0
STEADY_SECONDS = 20.0  # who lived that long starts with a clean record
MANY_FAILURES = 5
LONGEST_WAIT = 8.0


@dataclass(frozen=True)
class Program:
    """What to run. When a program that is not `vital` keeps dying, the others go on without it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    pass_fds: Sequence[int] = ()
    vital: bool = True


@dataclass
class Child:
    """A program and its present process."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    start_at: float | None = None
    unfinished: bytes = field(default=b"", repr=False)


class Runner:
    """Runs the programs in `folder` until a stop signal, or until a vital one cannot be kept alive."""

    def __init__(self, programs: Sequence[Program], folder: Path, output: Output) -> None:
        self.children = [Child(program) for program in programs]
        self.folder = folder
        self.output = output
        self.told_to_stop = False
        self.impatient = False
        self.failed = False
        self.selector = selectors.DefaultSelector()

    def run(self, until_ready: Callable[[], bool], when_ready: Callable[[], None]) -> int:
        """Start and look after all; calls `when_ready` once, after `until_ready` first says yes. The exit status."""
        with self._signals():
            for child in self.children:
                self._start(child)
            ready = False
            while not self.told_to_stop and not self.failed:
                if not ready and until_ready():
                    ready = True
                    when_ready()
                self._wait(0.1 if not ready else self._pause())
                self._look_after()
            self._stop_all()
        return 1 if self.failed else 0

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Signals end the wait in the loop through a socket, so none is missed between two looks.

        One that was ignored when we came (nohup) stays ignored.
        """
        ours, kernels = socket.socketpair()
        for end in (ours, kernels):
            end.setblocking(False)
        old_fd = signal.set_wakeup_fd(kernels.fileno(), warn_on_full_buffer=False)
        heeded = [sign for sign in STOP_SIGNALS if signal.getsignal(sign) is not signal.SIG_IGN]
        old = {sign: signal.signal(sign, self._on_stop) for sign in heeded}
        old[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector.register(ours, selectors.EVENT_READ)
        try:
            yield
        finally:
            self.selector.unregister(ours)
            signal.set_wakeup_fd(old_fd)
            for sign, handler in old.items():
                signal.signal(sign, handler)
            ours.close()
            kernels.close()

    def _on_stop(self, sign: int, _frame: object) -> None:
        self.impatient = self.told_to_stop and sign == signal.SIGINT
        self.told_to_stop = True

    def _start(self, child: Child) -> None:
        parent = os.getpid()
        program = child.program
        child.process = subprocess.Popen(
            program.command,
            cwd=self.folder,
            env=dict(program.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=program.pass_fds,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(signal.SIGKILL, parent),  # noqa: PLW1509 - we have one thread
        )
        child.started, child.start_at = time.monotonic(), None
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self.selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def _wait(self, seconds: float | None) -> None:
        """Until there is output, a signal, or the time is up."""
        for key, _ in self.selector.select(seconds):
            if isinstance(key.data, Child):
                self._read(key.data)
            elif isinstance(key.fileobj, socket.socket):
                with contextlib.suppress(BlockingIOError):
                    key.fileobj.recv(4096)

    def _read(self, child: Child) -> bool:
        """Pass on what the child wrote; whether there may be more at once."""
        assert child.process is not None
        assert child.process.stdout is not None
        try:
            piece = os.read(child.process.stdout.fileno(), 65536)
        except BlockingIOError:
            return False
        *lines, child.unfinished = (child.unfinished + piece).split(b"\n")
        if not piece:
            self.selector.unregister(child.process.stdout)
        for line in lines:
            self.output.line(child.program.name, line.decode(errors="replace"))
        return bool(piece)

    def _pause(self) -> float | None:
        """How long nothing is due; None for as long as nothing happens."""
        due = [child.start_at for child in self.children if child.start_at is not None]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _look_after(self) -> None:
        now = time.monotonic()
        for child in self.children:
            if child.process is not None and child.process.poll() is not None:
                self._bury(child, now)
            if child.start_at is not None and child.start_at <= now:
                self._start(child)

    def _bury(self, child: Child, now: float) -> None:
        """Take note of a death, and of what is to follow."""
        assert child.process is not None
        name, status = child.program.name, _told(child.process.returncode)
        self._clear(child)
        child.failures = 1 if now - child.started > STEADY_SECONDS else child.failures + 1
        if child.failures < MANY_FAILURES:
            wait = min(LONGEST_WAIT, 0.25 * 2**child.failures)
            child.start_at = now + wait
            self.output.say(f"{name} ended ({status}); starting it again in {wait:.1f} s")
        elif child.program.vital:
            self.failed = True
            self.output.say(
                f"{name} ended {MANY_FAILURES} times in a row ({status}); giving up. Its lines above say why."
            )
        else:
            self.output.say(f"{name} ended {MANY_FAILURES} times in a row ({status}); going on without it.")

    def _clear(self, child: Child) -> None:
        """What is left of a dead child: its last words, and processes of its own that outlived it."""
        assert child.process is not None
        assert child.process.stdout is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.process.pid, signal.SIGKILL)
        output = child.process.stdout
        while output.fileno() in self.selector.get_map() and self._read(child):
            pass
        if output.fileno() in self.selector.get_map():
            self.selector.unregister(output)
        if child.unfinished:
            self.output.line(child.program.name, child.unfinished.decode(errors="replace"))
            child.unfinished = b""
        output.close()
        child.process = None

    def _stop_all(self) -> None:
        """Ask in reverse order, wait, then use force; a second Ctrl-C uses it at once."""
        self.output.say("stopping")
        alive = [child for child in reversed(self.children) if child.process is not None]
        for child in alive:
            self._send(child, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while alive and time.monotonic() < deadline and not self.impatient:
            self._wait(0.05)
            for child in [child for child in alive if child.process is not None and child.process.poll() is not None]:
                self._clear(child)
                alive.remove(child)
        for child in alive:
            self.output.say(f"{child.program.name} did not stop by itself; ending it by force")
            self._send(child, signal.SIGKILL)
            assert child.process is not None
            child.process.wait()
            self._clear(child)

    def _send(self, child: Child, sign: signal.Signals) -> None:
        if child.process is not None and child.process.poll() is None:
            child.process.send_signal(sign)


def _told(status: int) -> str:
    return f"status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
