"""Log files of an instance: appended to, put aside once when big."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from ladder.project.embedded.layout import Layout

BIG = 10_000_000


def log_path(layout: Layout, name: str) -> Path:
    """Where the named server's log lies."""
    return layout.logs / f"{name}.log"


def open_log(layout: Layout, name: str) -> IO[bytes]:
    """Open for appending; a big one becomes `.old` first."""
    path = log_path(layout, name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists() and path.stat().st_size > BIG:
        path.replace(path.with_suffix(".log.old"))
    return path.open("ab")


def tail(layout: Layout, name: str, lines: int = 5) -> str:
    """The last lines, for an error message, with where to read the rest."""
    path = log_path(layout, name)
    try:
        last = path.read_text(errors="replace").strip().splitlines()[-lines:]
    except OSError:
        last = []
    return " / ".join(last) + f" (more in {path})"
