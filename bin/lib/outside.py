"""The tests marked `service`, once more on an outside PostgreSQL and Redis when the machine offers them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import redis

ROOT = Path(sys.argv[1])
POSTGRES_URLS = ("postgres://postgres@127.0.0.1:5432/postgres", "postgres://postgres:postgres@127.0.0.1:5432/postgres")
REDIS_URL = "redis://127.0.0.1:6379/0"
OLDEST_POSTGRES, OLDEST_REDIS = 150000, 7
NO_TESTS = 5  # pytest's status when a selection is empty


def main() -> int:
    """Find, say what was found, run."""
    database_url, redis_url = outside_postgres(), outside_redis()
    if database_url is None or redis_url is None:
        say("no second pass on outside servers: this machine does not offer both, see above")
        return 0
    start = time.monotonic()
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "pytest", "-m", "service", "-n", "2", "-q"]
    status = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"DATABASE_URL": database_url, "REDIS_URL": redis_url},
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    if status == NO_TESTS:
        say("no test is marked 'service' yet")
        return 0
    say(f"second pass: {'ok' if status == 0 else 'FAILED'}, {time.monotonic() - start:.1f} s")
    return status


def outside_postgres() -> str | None:
    """A server where we may create databases, as named by DATABASE_URL or at the usual place."""
    given = os.environ.get("DATABASE_URL")
    for url in [given] if given else POSTGRES_URLS:
        try:
            with psycopg.connect(url, connect_timeout=3) as connection:
                version = connection.info.server_version
                row = connection.execute("SELECT rolcreatedb FROM pg_roles WHERE rolname = current_user").fetchone()
        except psycopg.Error as error:
            say(f"PostgreSQL at {without_password(url)}: {str(error).strip().splitlines()[0]}")
            continue
        if version < OLDEST_POSTGRES or row != (True,):
            say(f"PostgreSQL at {without_password(url)} is no use: {version // 10000}, may create databases: {row}")
            continue
        say(f"PostgreSQL {version // 10000} at {without_password(url)}")
        return url
    return None


def outside_redis() -> str | None:
    """A server of a version that we support, as named by REDIS_URL or at the usual place."""
    url = os.environ.get("REDIS_URL") or REDIS_URL
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            version = str(client.info("server")["redis_version"])
    except redis.RedisError as error:
        say(f"Redis at {without_password(url)}: {error}")
        return None
    if int(version.split(".", maxsplit=1)[0]) < OLDEST_REDIS:
        say(f"Redis at {without_password(url)} is {version}; {OLDEST_REDIS} or newer is needed")
        return None
    say(f"Redis {version} at {without_password(url)}")
    return url


def without_password(url: str) -> str:
    """For the log."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def say(line: str) -> None:
    """Announce."""
    print(f"outside: {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
