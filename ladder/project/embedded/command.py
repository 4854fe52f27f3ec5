"""Servers for one `manage.py` command: attached to while they run, else started for its duration."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ladder.project.embedded.client import Servers, ensure_servers
from ladder.project.embedded.errors import EmbeddedError

NEED_NONE = frozenset(
    {"help", "--help", "-h", "version", "--version", "check", "diffsettings"}
    | {"collectstatic", "findstatic", "makemessages", "compilemessages"}
)
CAN_DO_WITHOUT = frozenset({"makemigrations"})  # it compares with the database when there is one


@contextlib.contextmanager
def servers_for_command(root: Path, argv: Sequence[str]) -> Iterator[None]:
    """Servers behind the URLs that the settings fall back to where DATABASE_URL or REDIS_URL is missing."""
    servers = _servers(root, argv)
    if servers is None:
        yield
        return
    with servers:
        yield


def _servers(root: Path, argv: Sequence[str]) -> Servers | None:
    command = argv[1] if len(argv) > 1 else "help"
    asks_for_help = "--help" in argv or "-h" in argv
    if command in NEED_NONE or asks_for_help or {"DATABASE_URL", "REDIS_URL"} <= os.environ.keys():
        return None
    try:
        servers = ensure_servers(root)
    except EmbeddedError as error:
        if command in CAN_DO_WITHOUT:
            return None
        sys.exit(f"manage.py {command}: {error}")
    if servers.note:
        sys.stderr.write(f"{servers.note}\n")
    return servers
