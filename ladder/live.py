"""Tells open pages that something changed. A message names a topic and nothing else: the page re-reads the truth."""

import json
import logging
from collections.abc import Iterable, Sequence
from functools import cache
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)


@cache
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def player_channel(player_id: UUID | str) -> str:
    """The channel of one person's pages."""
    return f"{settings.STORE_PREFIX}:live:player:{player_id}"


def club_channel(club_id: UUID | str) -> str:
    """The channel of everybody who has a page of the club open."""
    return f"{settings.STORE_PREFIX}:live:club:{club_id}"


def tell_after_commit(*topics: str, players: Iterable[UUID] = (), club: UUID | None = None) -> None:
    """Send the topics to these pages once the present transaction is committed; a lost message costs only time."""
    channels = [player_channel(player) for player in players]
    if club is not None:
        channels.append(club_channel(club))
    transaction.on_commit(lambda: _send(topics, channels), robust=True)


def _send(topics: Sequence[str], channels: Sequence[str]) -> None:
    try:
        pipeline = _client(settings.REDIS_URL).pipeline(transaction=False)
        for topic in topics:
            message = json.dumps({"topic": topic})
            for channel in channels:
                pipeline.publish(channel, message)
        pipeline.execute()
    except redis.RedisError as error:
        logger.warning("live message %s not sent: %s", ", ".join(topics), error)
