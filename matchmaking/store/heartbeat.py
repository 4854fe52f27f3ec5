"""When the worker last ticked, for whoever watches the installation."""

from datetime import UTC, datetime
from functools import cache

import redis
from django.conf import settings


@cache
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def _key() -> str:
    return f"{settings.STORE_PREFIX}:heartbeat"


def note_tick(*, now: datetime) -> None:
    """A worker has just begun a tick; the note outlives it by an hour."""
    _client(settings.REDIS_URL).set(_key(), now.timestamp(), ex=3600)


def last_tick() -> datetime | None:
    """When that was; None where none is known. Raises redis.RedisError when the store does not answer."""
    noted = _client(settings.REDIS_URL).get(_key())
    return datetime.fromtimestamp(float(noted), UTC) if isinstance(noted, bytes) else None
