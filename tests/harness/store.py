"""Valkey between tests: keys of this process's prefix, and no others."""

from __future__ import annotations

import functools

import redis
from django.conf import settings

KEPT = b":celery:_kombu.binding."  # a living worker declared its queues once and relies on them


@functools.cache
def store() -> redis.Redis:
    """A client on the tests' Valkey."""
    return redis.Redis.from_url(settings.REDIS_URL)


def wipe_store() -> None:
    """Delete every key that starts with our prefix."""
    for client in (store(), _broker()):
        _delete(client, settings.STORE_PREFIX)


def forget_cached() -> None:
    """Empty our part of Django's cache. Its own clear() empties the whole server, other test processes' data too."""
    _delete(store(), f"{settings.STORE_PREFIX}:cache:")


def _delete(client: redis.Redis, prefix: str) -> None:
    keys = [key for key in client.scan_iter(f"{prefix}*", count=1000) if KEPT not in key]
    if keys:
        client.delete(*keys)


@functools.cache
def _broker() -> redis.Redis:
    url = settings.CELERY_BROKER_URL
    if url.startswith("redis+socket://"):
        url = url.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")
    return redis.Redis.from_url(url)
