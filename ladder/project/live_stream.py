"""GET /live/: Server-Sent Events, served before Django so that an open stream holds no thread and no connection.

Events: `sync` (re-read everything: on connect and whenever messages may have been missed), `topic` (data:
{"topic": "play"}), `beat` (every 15 s). Who may hear what is decided once, at the start; a stream lives a quarter
of an hour and the browser comes back by itself, so that a closed session or an ended membership is noticed.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connections
from django.http import HttpRequest

from ladder.core.permissions import Capability
from ladder.live import club_channel, player_channel
from ladder.models import Player
from ladder.project.live_hub import SYNC, Hub
from ladder.selectors.access import access_by_slug
from ratings.errors import NotFound

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

PATH = "/live/"
BEAT_SECONDS = 15.0
RETRY_MS = 2_000
LIFE_SECONDS = (780.0, 1020.0)
CLUBS_MOST = 20
PER_PLAYER_MOST = 24
BEAT = b"event: beat\ndata: {}\n\n"
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class LiveStream:
    """Serves the stream itself and hands every other request to the application behind it."""

    def __init__(self, behind: App) -> None:
        self._behind = behind
        self._hub: Hub | None = None
        self._open: Counter[str] = Counter()
        # Few and fixed: when a thousand browsers come back at once they wait for each other, not for the database.
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="live")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._behind(scope, receive, send)
        elif scope["method"] != "GET":
            await _answer(send, 405, "Only GET is possible here.")
        elif self._open.total() >= settings.LIVE_STREAMS_MOST:
            await _answer(send, 503, "Too many open pages; this one asks again by itself.")
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        clubs = parse_qs(scope["query_string"].decode("latin-1")).get("club", [])[:CLUBS_MOST]
        session_key = _session_key(scope)
        found = None
        if session_key:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._threads, identify, session_key, clubs)
        if found is None:
            await _answer(send, 401, "Please sign in.")
            return
        player, channels = found
        if self._open[player] >= PER_PLAYER_MOST:
            await _answer(send, 503, "You have too many pages open; this one asks again by itself.")
            return
        self._open[player] += 1
        try:
            await self._stream(channels, receive, send)
        finally:
            self._open[player] -= 1
            if not self._open[player]:
                del self._open[player]

    async def _stream(self, channels: list[str], receive: Receive, send: Send) -> None:
        if self._hub is None:
            self._hub = Hub(settings.REDIS_URL, f"{settings.STORE_PREFIX}:live:home")
        listener = await self._hub.join(channels)
        gone = asyncio.create_task(_until_gone(receive))
        sending = asyncio.create_task(_send_events(listener.take, send))
        try:
            await asyncio.wait(
                {gone, sending}, timeout=random.uniform(*LIFE_SECONDS), return_when=asyncio.FIRST_COMPLETED
            )
            if not sending.done() and not gone.done():
                await _stop(sending)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await _stop(gone)
            await _stop(sending)
            await self._hub.leave(listener)


def identify(session_key: str, clubs: list[str]) -> tuple[str, list[str]] | None:
    """The player of a session and the channels they may hear; None when nobody is signed in. Runs in a thread."""
    try:
        request = HttpRequest()
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
        player = get_user(request)
        if not isinstance(player, Player):
            return None
        channels = [player_channel(player.pk)]
        for slug in clubs:
            channels += _club_channels(slug, player)
        return str(player.pk), channels
    finally:
        connections.close_all()


def _club_channels(slug: str, player: Player) -> list[str]:
    try:
        access = access_by_slug(slug, player)
    except NotFound:
        return []
    return [club_channel(access.club.pk)] if access.may(Capability.SEE_CLUB) else []


async def _send_events(take: Callable[[float], Awaitable[list[str]]], send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    body = f"retry: {RETRY_MS}\n\n".encode()
    while True:
        await send({"type": "http.response.body", "body": body, "more_body": True})
        topics = await take(BEAT_SECONDS)
        body = b"".join(map(_event, topics)) or BEAT


def _event(topic: str) -> bytes:
    if topic == SYNC:
        return b"event: sync\ndata: {}\n\n"
    return f"event: topic\ndata: {json.dumps({'topic': topic})}\n\n".encode()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stop(task: "asyncio.Task[None]") -> None:
    """Cancel and wait; what a broken connection raised inside is its own end and nobody's error."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _answer(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if status == 503:
        headers.append((b"retry-after", b"10"))
    if status == 405:
        headers.append((b"allow", b"GET"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _session_key(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookies = SimpleCookie(value.decode("latin-1"))
            except CookieError:
                continue
            if settings.SESSION_COOKIE_NAME in cookies:
                return cookies[settings.SESSION_COOKIE_NAME].value
    return ""
