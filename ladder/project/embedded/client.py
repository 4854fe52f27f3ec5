"""What everybody else calls: attach to the running servers of a checkout, or have them started."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.layout import Layout
from ladder.project.embedded.locks import is_locked, open_lock, started_at, try_lock, unlock, wait_shared
from ladder.project.embedded.logfiles import open_log, tail
from ladder.project.embedded.urls import urls_for

CODE = Path(__file__).resolve().parents[3]
WAIT_SECONDS = 90.0
GONE_SECONDS = 25.0


class State(TypedDict):
    """What the keeper writes; see keeper.py."""

    pid: int
    started: str | None
    ready: bool
    error: str | None
    note: str | None
    servers: dict[str, int]


@dataclass
class Servers:
    """Running servers, kept running for as long as this object is open and its process lives."""

    database_url: str
    redis_url: str
    note: str | None
    layout: Layout
    _lock: int | None

    def close(self, *, wait: bool = True) -> None:
        """Need them no longer. With `wait`, return when they are gone or when somebody else still uses them."""
        if self._lock is None:
            return
        unlock(self._lock)
        deadline = time.monotonic() + GONE_SECONDS
        while wait and is_locked(self.layout.keeper_lock) and time.monotonic() < deadline:
            if _used_by_others(self._lock):
                break
            time.sleep(0.05)
        os.close(self._lock)
        self._lock = None

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def ensure_servers(
    root: Path | str, instance: str = "main", *, say: Callable[[str], None] = lambda _line: None
) -> Servers:
    """Attach to the instance's servers, or start them; raise EmbeddedError with what to do.

    Keep the returned object: the servers stop when every holder has closed it or ended.
    """
    layout = Layout.of(root, instance)
    try:
        layout.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = open_lock(layout.users_lock)
    except OSError as error:
        raise EmbeddedError(
            f"{layout.folder} cannot be used ({error.strerror}); run as its owner, or set VAR_DIR to another folder."
        ) from error
    wait_shared(lock)  # a keeper that is just stopping holds it alone until it is gone
    try:
        state = _wait_until_ready(layout, say)
    except BaseException:
        os.close(lock)
        raise
    urls = urls_for(root, instance)
    return Servers(urls.database_url, urls.redis_url, state["note"], layout, lock)


@contextlib.contextmanager
def running_servers(root: Path | str, instance: str = "main") -> Iterator[Servers]:
    """`ensure_servers` for the length of a block."""
    with ensure_servers(root, instance) as servers:
        yield servers


def state_of(layout: Layout) -> State | None:
    """What the living keeper says; None when none lives."""
    try:
        state: State = json.loads(layout.state_file.read_text())
    except (OSError, ValueError):
        return None
    return state if started_at(state["pid"]) == state["started"] else None


def _wait_until_ready(layout: Layout, say: Callable[[str], None]) -> State:
    keeper: subprocess.Popen[bytes] | None = None
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        state = state_of(layout)
        if state and state["ready"]:
            return state
        if keeper is None and not is_locked(layout.keeper_lock):
            say("starting the embedded PostgreSQL and Valkey")
            keeper = _start_keeper(layout)
        elif keeper is not None and keeper.poll() is not None:
            if keeper.returncode != 0:
                raise EmbeddedError(_reason(layout, keeper.pid))
            keeper = None
        time.sleep(0.01)
    raise EmbeddedError(f"The embedded servers were not ready after {WAIT_SECONDS:.0f} s; see {layout.logs}.")


def _start_keeper(layout: Layout) -> subprocess.Popen[bytes]:
    """In a session of its own: Ctrl-C and a closed terminal reach us, and it follows when we are gone."""
    with open_log(layout, "keeper") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "ladder.project.embedded.keeper", str(layout.folder), layout.instance],
            cwd=CODE,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _reason(layout: Layout, pid: int) -> str:
    try:
        state: State = json.loads(layout.state_file.read_text())
        error = state["error"] if state["pid"] == pid else None
    except (OSError, ValueError):
        error = None
    return str(error or f"The keeper of the embedded servers ended: {tail(layout, 'keeper')}")


def _used_by_others(lock: int) -> bool:
    """Whether another client holds the lock shared. A keeper that has it alone is stopping: not a user."""
    if not try_lock(lock, shared=True):
        return False
    alone = try_lock(lock)
    unlock(lock)
    return not alone
