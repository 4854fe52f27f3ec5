"""Advisory locks that the kernel drops when their holder dies, and a process's identity beyond its pid."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def open_lock(path: Path) -> int:
    """Open (make if missing) a lock file; the descriptor is not inherited by programs started later."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def try_lock(fd: int, *, shared: bool = False) -> bool:
    """Take the lock if it is free at this moment."""
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_shared(fd: int) -> None:
    """Take the lock shared, waiting for one who holds it alone."""
    fcntl.flock(fd, fcntl.LOCK_SH)


def unlock(fd: int) -> None:
    """Let go, but keep the file open."""
    fcntl.flock(fd, fcntl.LOCK_UN)


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock alone at this moment."""
    try:
        fd = open_lock(path)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(fd, shared=True)
    finally:
        os.close(fd)


def started_at(pid: int) -> str | None:
    """When the process began, in kernel ticks since boot; None when there is no such process (a zombie is none).

    Pid and start together name one process for ever; a pid alone is handed out again.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]
