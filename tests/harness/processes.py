"""Watching processes: which ones belong to a folder, and waiting for something to become true."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def processes_of(folder: Path) -> dict[int, str]:
    """Living processes (zombies are none) that name the folder on their command line or work in it: pid to command."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            works_in = os.readlink(entry / "cwd")
        except OSError:
            continue
        if command and (str(folder) in command or works_in == str(folder)):
            found[int(entry.name)] = command
    return found


def eventually(look: Callable[[], Found], what: str, *, seconds: float = 15.0) -> Found:
    """Look until the answer is a true one, and return it."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)
