"""Template databases: migrated once per state of the migrations, copied for each test process in a moment."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

PACKAGES = ("ratings", "ladder", "matchmaking")
TEMPLATES_KEPT = 3
TRUNCATE_ATTEMPTS = 5
BUILD_LOCK = 5_120_042


def ensure_template(server_url: str, root: Path) -> str:
    """The name of the migrated template for the code as it is; built if there is none yet."""
    name = f"ladder_template_{_fingerprint(root)}"
    with _connect(server_url) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [BUILD_LOCK])
        if not _exists(connection, name):
            _build(connection, server_url, root, name)
            _drop_old_templates(connection, name)
    return name


def copy_template(server_url: str, template: str, name: str) -> None:
    """A fresh database from the template, in place of an older one of that name."""
    with _connect(server_url) as connection:
        _drop(connection, name)
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))


def drop(server_url: str, name: str) -> None:
    """Remove the database, whoever is still connected."""
    with _connect(server_url) as connection:
        _drop(connection, name)


def drop_unused(server_url: str, name: str) -> None:
    """Remove the database unless somebody is using it."""
    with _connect(server_url) as connection, suppress(psycopg.errors.ObjectInUse):
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def with_name(server_url: str, name: str) -> str:
    """The same server, another database."""
    return urlsplit(server_url)._replace(path=f"/{name}").geturl()


def empty_tables(connection: BaseDatabaseWrapper) -> None:
    """All tables emptied but those of Django's own book-keeping (the migrations of this project write no rows).

    Unlike Django's flush this leaves content types and permissions alone, whose ids living processes remember.
    A task that is just at work may hold locks in another order: then the database ends one of us, and it is we.
    """
    from django.db import OperationalError

    tables = ", ".join(connection.ops.quote_name(name) for name in _tables_of_tests(connection))
    for attempt in range(TRUNCATE_ATTEMPTS):
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {tables}")
            return
        except OperationalError:
            if attempt == TRUNCATE_ATTEMPTS - 1:
                raise


def _tables_of_tests(connection: BaseDatabaseWrapper) -> tuple[str, ...]:
    kept = {"django_migrations", "django_content_type", "auth_permission"}
    return tuple(name for name in connection.introspection.table_names() if name not in kept)


def _build(connection: psycopg.Connection, server_url: str, root: Path, name: str) -> None:
    """Migrate under another name and rename: a killed build is no template."""
    half = f"{name}_half"
    _drop(connection, half)
    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(half)))
    environment = os.environ | {
        "DATABASE_URL": with_name(server_url, half),
        "REDIS_URL": "redis://localhost:1/0",
        "TESTING": "1",
        "DJANGO_SETTINGS_MODULE": "ladder.project.settings",
    }
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--skip-checks", "--verbosity", "0"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise pytest.UsageError(f"The migrations failed on an empty database:\n{done.stdout}{done.stderr}")
    with _connect(with_name(server_url, half)) as made:
        _allow_truncate(made)
    connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(half), sql.Identifier(name)))


def _allow_truncate(connection: psycopg.Connection) -> None:
    """Tests empty tables by TRUNCATE, which the ledger refuses; UPDATE and DELETE stay refused in tests too."""
    truncate_bit = 32
    rows = connection.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal AND tgtype & %s <> 0",
        [truncate_bit],
    )
    for table, trigger in rows.fetchall():
        statement = sql.SQL("ALTER TABLE {} DISABLE TRIGGER {}")
        connection.execute(statement.format(sql.SQL(table), sql.Identifier(trigger)))


def _drop_old_templates(connection: psycopg.Connection, newest: str) -> None:
    """Keep a few, for switching between branches."""
    prefix = newest.rpartition("_")[0].replace("_", r"\_") + r"\_%"
    rows = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s ORDER BY oid DESC", [prefix])
    for (name,) in rows.fetchall()[TEMPLATES_KEPT:]:
        _drop(connection, name)


def _drop(connection: psycopg.Connection, name: str) -> None:
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _exists(connection: psycopg.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _fingerprint(root: Path) -> str:
    digest = hashlib.sha256()
    files = [
        path
        for package in PACKAGES
        for kind in ("migrations", "models")
        for path in (root / package / kind).rglob("*.py")
    ]
    for path in [root / "requirements.txt", *sorted(files)]:
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@contextmanager
def _connect(url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
