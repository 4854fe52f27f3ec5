"""One Valkey subscription per process, fanned out to every open stream of it."""

import asyncio
import json
import logging
from collections.abc import Iterable
from contextlib import suppress

import redis.asyncio
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

SYNC = "sync"
ALIVE_CHECK_SECONDS = 10
RECONNECT_SECONDS = (0.2, 0.5, 1.0, 2.0)


class Listener:
    """One stream's mailbox. It holds each topic once, however often it was told, so it cannot grow."""

    __slots__ = ("_topics", "_woken", "channels")

    def __init__(self, channels: frozenset[str]) -> None:
        self.channels = channels
        self._topics: dict[str, None] = {}
        self._woken = asyncio.Event()

    def put(self, topic: str) -> None:
        """Add a topic; the first one wakes the stream."""
        self._topics[topic] = None
        self._woken.set()

    async def take(self, timeout: float) -> list[str]:
        """The topics told since the last call, in order; an empty list after `timeout` seconds of silence."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), timeout)
        topics = list(self._topics)
        self._topics.clear()
        self._woken.clear()
        return topics


class Hub:
    """Keeps the subscription alive for as long as anybody listens; every new connection re-syncs everybody."""

    def __init__(self, url: str, home_channel: str) -> None:
        self._client = redis.asyncio.Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            health_check_interval=ALIVE_CHECK_SECONDS,
            socket_connect_timeout=2,
        )
        # A subscription without channels cannot be read; this one is never written to.
        self._home = home_channel
        self._listeners: dict[str, set[Listener]] = {}
        self._pubsub: PubSub | None = None
        self._heard: set[str] = set()  # what the present subscription holds
        self._adjusting = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None

    async def join(self, channels: Iterable[str]) -> Listener:
        """A mailbox that hears these channels from now on; its first topic is the re-sync."""
        listener = Listener(frozenset(channels))
        for channel in listener.channels:
            self._listeners.setdefault(channel, set()).add(listener)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read_for_ever())
        else:
            await self._adjust()
        listener.put(SYNC)
        return listener

    async def leave(self, listener: Listener) -> None:
        """Forget the mailbox; channels that nobody hears any more are given up."""
        for channel in listener.channels:
            group = self._listeners.get(channel, set())
            group.discard(listener)
            if not group:
                self._listeners.pop(channel, None)
        await self._adjust()

    async def _adjust(self) -> None:
        """Make the subscription what the listeners want; one at a time, so that orders cannot overtake each other."""
        async with self._adjusting:
            wanted = {self._home, *self._listeners}
            fresh, idle = wanted - self._heard, self._heard - wanted
            if self._pubsub is None:
                return
            with suppress(RedisError, OSError):  # the reader notices too, and begins anew
                if fresh:
                    await self._pubsub.subscribe(*fresh)
                if idle:
                    await self._pubsub.unsubscribe(*idle)
                self._heard = wanted

    async def _read_for_ever(self) -> None:
        failures = 0
        while self._listeners:
            try:
                await self._begin()
                failures = 0
                self._tell_all(SYNC)
                await self._read()
            except (RedisError, OSError) as error:
                logger.warning("live messages interrupted: %s", error)
            finally:
                await self._drop()
            await asyncio.sleep(RECONNECT_SECONDS[min(failures, len(RECONNECT_SECONDS) - 1)])
            failures += 1

    async def _begin(self) -> None:
        async with self._adjusting:
            self._pubsub = self._client.pubsub(ignore_subscribe_messages=True)
            wanted = {self._home, *self._listeners}
            await self._pubsub.subscribe(*wanted)
            self._heard = wanted

    async def _read(self) -> None:
        pubsub = self._pubsub
        while self._listeners and pubsub is not None:
            message = await pubsub.get_message(timeout=ALIVE_CHECK_SECONDS)
            if message is None or message["type"] != "message":
                continue
            topic = _topic_of(message["data"])
            if topic is None:
                logger.warning("a live message was not one of ours: %r", message["data"][:80])
                continue
            for listener in self._listeners.get(message["channel"].decode(), ()):
                listener.put(topic)

    def _tell_all(self, topic: str) -> None:
        for group in self._listeners.values():
            for listener in group:
                listener.put(topic)

    async def _drop(self) -> None:
        pubsub, self._pubsub, self._heard = self._pubsub, None, set()
        if pubsub is not None:
            with suppress(RedisError, OSError):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves it unannotated


def _topic_of(data: bytes) -> str | None:
    """The topic of a message; None for one that cannot be read."""
    try:
        topic = json.loads(data)["topic"]
    except (ValueError, KeyError, TypeError):
        return None
    return topic if isinstance(topic, str) else None
