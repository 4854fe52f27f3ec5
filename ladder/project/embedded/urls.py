"""URLs of the embedded servers, in the form that the settings read from the environment."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from ladder.project.embedded.layout import POSTGRES_DATABASE, POSTGRES_PORT, POSTGRES_USER, Layout

BROKER_OFFSET = 3
NOT_MADE_YET = "not-made-yet"


class Urls(NamedTuple):
    """Where PostgreSQL and Valkey of one instance answer (or will, once they run)."""

    database_url: str
    redis_url: str


def urls_for(root: Path | str, instance: str = "main") -> Urls:
    """The URLs of the instance, whether or not it runs; starts and writes nothing.

    Before the first start there is no password yet; the URL then carries a word that opens nothing.
    """
    layout = Layout.of(root, instance)
    try:
        password = layout.password_file.read_text().strip()
    except OSError:
        password = NOT_MADE_YET
    return Urls(database_url=database_url(layout, password), redis_url=redis_url(layout))


def database_url(layout: Layout, password: str, database: str = POSTGRES_DATABASE) -> str:
    """A URL for dj-database-url; the port is spelled out so that PGPORT of the caller's shell changes nothing."""
    host = quote(str(layout.sockets), safe="")
    return f"postgres://{POSTGRES_USER}:{quote(password, safe='')}@{host}:{POSTGRES_PORT}/{database}"


def redis_url(layout: Layout, database: int = 0) -> str:
    """A URL for redis-py."""
    return f"unix://{quote(str(layout.valkey_socket))}?db={database}"


def celery_broker_url(redis_url: str) -> str:
    """The broker on the same server, three databases further on, so that its keys stay apart from ours.

    `unix:///path?db=N` becomes `redis+socket:///path?virtual_host=N+3`; `redis://host/N` becomes `redis://host/N+3`.
    """
    parts = urlsplit(redis_url)
    if parts.scheme == "unix":
        number = int(parse_qs(parts.query).get("db", ["0"])[0])
        login = f"{parts.netloc}" if "@" in parts.netloc else ""
        return f"redis+socket://{login}{parts.path}?virtual_host={number + BROKER_OFFSET}"
    number = int(parts.path.strip("/") or 0)
    return parts._replace(path=f"/{number + BROKER_OFFSET}").geturl()
