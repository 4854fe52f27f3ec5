"""Lines of all processes in one place: on the terminal while there is one, and in var/log/serve.log."""

from __future__ import annotations

import sys
from pathlib import Path

from ladder.project.embedded.logfiles import BIG

WIDTH = 10


class Output:
    """Writes whole lines, each with the name of its process before it."""

    def __init__(self, log: Path) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > BIG:
            log.replace(log.with_suffix(".log.old"))
        self._file = log.open("a", encoding="utf-8", errors="replace")
        self._terminal = True

    def line(self, name: str, text: str) -> None:
        """One line; a terminal that was closed is not missed."""
        line = f"{name:<{WIDTH}}| {text.rstrip()}\n"
        self._file.write(line)
        self._file.flush()
        if not self._terminal:
            return
        try:
            sys.stdout.write(line)
            sys.stdout.flush()
        except (OSError, ValueError):
            self._terminal = False

    def say(self, text: str) -> None:
        """A line of our own."""
        self.line("serve", text)
