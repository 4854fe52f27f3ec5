"""The live stream, spoken to as a browser does, over real sockets."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.test import Client

from tests.harness.live import LiveApp
from tests.harness.store import store

if TYPE_CHECKING:
    from ladder.models import Player
    from tests.ladder.world import World


@pytest.fixture
def town(live_db: None) -> World:
    """The club, committed for the live processes."""
    from tests.ladder.world import build_world

    return build_world()


def cookie_of(player: Player) -> str:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return f"sessionid={client.cookies['sessionid'].value}"


class Stream:
    """An open stream; events are (name, data)."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response

    def next(self) -> tuple[str, str]:
        """The next event of any kind."""
        name = data = ""
        while True:
            line = self._response.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data = line.removeprefix("data: ")
            elif not line and name:
                return name, data

    def topic(self) -> str:
        """The data of the next topic; a stream may re-sync at any time."""
        while (event := self.next())[0] != "topic":
            pass
        return event[1]

    def settle(self, player: Player) -> None:
        """Until messages come through."""
        assert self.next()[0] == "sync"
        _await(lambda: _listeners(player) > 0)
        tell("settled", player=player.pk)
        while self.topic() != '{"topic": "settled"}':
            pass


@contextmanager
def stream(app: LiveApp, cookie: str, query: str = "", timeout: float = 20.0) -> Iterator[Stream]:
    connection = http.client.HTTPConnection(urlsplit(app.url).netloc, timeout=timeout)
    connection.request("GET", f"/live/{query}", headers={"Cookie": cookie})
    response = connection.getresponse()
    assert response.status == 200, response.read()
    assert response.headers["Content-Type"].startswith("text/event-stream")
    try:
        yield Stream(response)
    finally:
        response.close()
        connection.close()


def status(app: LiveApp, method: str = "GET", cookie: str = "") -> int:
    connection = http.client.HTTPConnection(urlsplit(app.url).netloc, timeout=10)
    connection.request(method, "/live/", headers={"Cookie": cookie} if cookie else {})
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def tell(topic: str, *, player: UUID | None = None, club: UUID | None = None) -> None:
    from django.db import transaction

    from ladder.live import tell_after_commit

    with transaction.atomic():
        tell_after_commit(topic, players=[player] if player else [], club=club)


def test_it_wants_a_session_and_a_get(live_app: LiveApp, town: World) -> None:
    assert status(live_app) == 401
    assert status(live_app, cookie="sessionid=nonsense") == 401
    assert status(live_app, "POST", cookie_of(town.alice)) == 405


def test_it_begins_with_a_re_sync_and_then_hears_ones_own_topics(live_app: LiveApp, town: World) -> None:
    with stream(live_app, cookie_of(town.alice)) as alice:
        alice.settle(town.alice)

        tell("play", player=town.bob.pk)
        tell("match", player=town.alice.pk)

        assert alice.topic() == '{"topic": "match"}'


def test_a_club_is_heard_by_those_who_may_look_inside(live_app: LiveApp, town: World) -> None:
    with (
        stream(live_app, cookie_of(town.alice), "?club=chess") as alice,
        stream(live_app, cookie_of(town.stranger), "?club=chess&club=nothing") as stranger,
    ):
        alice.settle(town.alice)
        stranger.settle(town.stranger)

        tell("board", club=town.club.pk)
        tell("rank", player=town.stranger.pk)

        assert alice.topic() == '{"topic": "board"}'
        assert stranger.topic() == '{"topic": "rank"}'


def test_invariant_8_nothing_but_topic_names_travels(live_app: LiveApp, town: World) -> None:
    with stream(live_app, cookie_of(town.alice)) as alice:
        alice.settle(town.alice)

        for strange in ("", "[]", "{", '{"topic": 7}'):
            store().publish(_channel(town.alice), strange)
        store().publish(_channel(town.alice), '{"topic": "play", "rating": 1500}')

        assert alice.topic() == '{"topic": "play"}'


def test_it_survives_a_cut_subscription_and_everybody_re_syncs(live_app: LiveApp, town: World) -> None:
    with stream(live_app, cookie_of(town.alice)) as alice:
        alice.settle(town.alice)

        store().execute_command("CLIENT", "KILL", "TYPE", "pubsub")

        assert alice.next()[0] == "sync"
        tell("play", player=town.alice.pk)
        assert alice.topic() == '{"topic": "play"}'


def test_a_gone_browser_is_forgotten_and_holds_no_database_connection(live_app: LiveApp, town: World) -> None:
    cookie = cookie_of(town.alice)
    before = _connections()

    for _visit in range(30):  # more than one person may have open at once
        with stream(live_app, cookie) as alice:
            alice.next()

    _await(lambda: _listeners(town.alice) == 0)
    assert _connections() <= before + 2


def test_one_person_may_not_open_any_number(live_app: LiveApp, town: World) -> None:
    from contextlib import ExitStack

    cookie = cookie_of(town.alice)
    with ExitStack() as opened:
        for _tab in range(24):
            opened.enter_context(stream(live_app, cookie)).next()

        assert status(live_app, cookie=cookie) == 503
        assert status(live_app, cookie=cookie_of(town.bob)) == 200


def _channel(player: Player) -> str:
    from ladder.live import player_channel

    return player_channel(player.pk)


def _listeners(player: Player) -> int:
    return int(store().pubsub_numsub(_channel(player))[0][1])


def _connections() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def _await(condition: object, seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)
