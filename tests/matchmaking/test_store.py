"""The store's scripts: each does everything or nothing and names the first conflict."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from matchmaking.core.types import Seeker, WaitingTicket
from matchmaking.store.keys import Pool, PoolKeys, keys_of
from matchmaking.store.payload import PayloadProblem, pack_body, unpack, with_sequence
from tests.harness.store import store as client
from tests.harness.store import wipe_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matchmaking.store.valkey import Store

pytestmark = pytest.mark.service

NOW = datetime(2030, 1, 1, tzinfo=UTC)
POOL = Pool(uuid4(), uuid4())


@pytest.fixture
def store() -> Iterator[Store]:
    from matchmaking.store import get_store

    yield get_store()
    wipe_store()


def ticket(*players: str, rating: float = 1500.0, joined: float = 100.0) -> WaitingTicket:
    members = players or (uuid4().hex,)
    return WaitingTicket(uuid4().hex, tuple(Seeker(player, rating, 60.0) for player in members), joined)


def ids(store: Store) -> set[str]:
    return {one.id for one in store.load(POOL).tickets}


def test_a_payload_carries_members_and_whom_to_avoid() -> None:
    one, two, other = uuid4().hex, uuid4().hex, uuid4().hex
    whole = WaitingTicket(uuid4().hex, (Seeker(one, 1500.5, 60.0), Seeker(two, 1490.0)), 7.25, 3, 9.5, {other: 12.0})

    payload = with_sequence(3, pack_body(whole))

    assert unpack(bytes.fromhex(whole.id), payload) == whole
    assert len(with_sequence(1, pack_body(ticket()))) == 64


@pytest.mark.parametrize("damage", [b"", b"short", bytes(65)])
def test_damaged_bytes_are_no_ticket(damage: bytes) -> None:
    with pytest.raises(PayloadProblem):
        unpack(b"0" * 16, damage)


def test_join_gives_places_in_line_and_is_a_no_op_the_second_time(store: Store) -> None:
    first, second = ticket(), ticket()

    said = [store.join(POOL, one).said for one in (first, second, first)]

    assert said == ["ok", "ok", "present"]
    assert {one.id: one.sequence for one in store.load(POOL).tickets} == {first.id: 1, second.id: 2}


def test_join_names_the_ticket_for_which_a_member_stands_already(store: Store) -> None:
    alice, bob = uuid4().hex, uuid4().hex
    solo = ticket(alice)
    store.join(POOL, solo)

    answer = store.join(POOL, ticket(bob, alice))

    assert (answer.said, answer.ticket) == ("taken", solo.id)
    assert store.snapshot(POOL).players == {alice: solo.id}, "nothing of the refused ticket was written"


def test_remove_frees_the_players(store: Store) -> None:
    alice = uuid4().hex
    one = ticket(alice)
    store.join(POOL, one)

    assert [store.remove(POOL, one.id).said for _ in range(2)] == ["ok", "missing"]
    assert store.join(POOL, ticket(alice)).ok


def test_remove_only_if_leaves_a_ticket_that_changed(store: Store) -> None:
    one = ticket()
    store.join(POOL, one)
    before = store.snapshot(POOL).searching[one.id]
    store.update(POOL, WaitingTicket(one.id, (Seeker(one.members[0].player, 1580.0),), one.joined_at))

    assert store.remove(POOL, one.id, only_if=before).said == "changed"
    assert ids(store) == {one.id}


def test_case_11_whoever_reserves_first_wins(store: Store) -> None:
    a, b, c = ticket(), ticket(), ticket()
    for one in (a, b, c):
        store.join(POOL, one)

    first = store.reserve(POOL, uuid4().hex, [a.id, b.id], now=NOW)
    second = store.reserve(POOL, uuid4().hex, [c.id, a.id], now=NOW)

    assert first.ok
    assert (second.said, second.ticket) == ("reserved", a.id)
    assert ids(store) == {c.id}, "the loser's other ticket goes on searching"


def test_reserve_refuses_ghosts_halves_and_doubles(store: Store) -> None:
    alice = uuid4().hex
    one, ghost = ticket(alice), ticket()
    store.join(POOL, one)

    assert store.reserve(POOL, uuid4().hex, [one.id, ghost.id], now=NOW).said == "missing"
    assert store.reserve(POOL, uuid4().hex, [one.id, one.id], now=NOW).said == "player_twice"
    assert store.reserve(POOL, uuid4().hex, [], now=NOW).said == "empty"
    client().hdel(_keys().players, bytes.fromhex(alice))
    assert store.reserve(POOL, uuid4().hex, [one.id], now=NOW).said == "half"
    assert ids(store) == {one.id}


def test_case_13_the_sweeper_returns_what_a_dead_worker_left_reserved(store: Store) -> None:
    a, b = ticket(joined=100.0), ticket(joined=105.0)
    for one in (a, b):
        store.join(POOL, one)
    before = {one.id: one for one in store.load(POOL).tickets}
    store.reserve(POOL, uuid4().hex, [a.id, b.id], now=NOW)

    assert store.sweep(POOL, now=NOW + timedelta(seconds=29)) == ()
    assert set(store.sweep(POOL, now=NOW + timedelta(seconds=30))) == {a.id, b.id}
    assert {one.id: one for one in store.load(POOL).tickets} == before, "ages and places in line are as they were"


def test_a_held_reservation_outlives_the_first_deadline(store: Store) -> None:
    one, proposal = ticket(), uuid4().hex
    store.join(POOL, one)
    store.reserve(POOL, proposal, [one.id], now=NOW)

    store.hold(POOL, proposal, until=NOW + timedelta(seconds=60))

    assert store.sweep(POOL, now=NOW + timedelta(seconds=59)) == ()


def test_release_gives_some_back_in_their_place_and_lets_others_go(store: Store) -> None:
    a, b, later = ticket(), ticket(), ticket()
    for one in (a, b, later):
        store.join(POOL, one)
    proposal = uuid4().hex
    store.reserve(POOL, proposal, [a.id, b.id], now=NOW)
    fresh = WaitingTicket(a.id, (Seeker(a.members[0].player, 1580.0),), a.joined_at, search_until=9.0)

    answer = store.release(POOL, proposal, back={a.id: fresh}, gone=[b.id])

    assert answer.ok
    back = {one.id: one for one in store.load(POOL).tickets}
    assert back.keys() == {a.id, later.id}
    assert (back[a.id].sequence, back[a.id].rating, back[a.id].search_until) == (1, 1580.0, 9.0)
    assert store.snapshot(POOL).held == {}


def test_release_after_the_store_was_emptied_puts_the_ticket_back_all_the_same(store: Store) -> None:
    one = ticket()

    assert store.release(POOL, uuid4().hex, back={one.id: None}).said == "missing"
    assert store.release(POOL, uuid4().hex, back={one.id: one}).ok
    assert ids(store) == {one.id}


def test_release_does_not_touch_what_another_proposal_holds(store: Store) -> None:
    a, b = ticket(), ticket()
    for one in (a, b):
        store.join(POOL, one)
    store.reserve(POOL, uuid4().hex, [a.id, b.id], now=NOW)

    answer = store.release(POOL, uuid4().hex, back={a.id: None, b.id: None})

    assert (answer.said, answer.ticket) == ("reserved", a.id)
    assert ids(store) == set()


def test_assign_lets_all_go_once(store: Store) -> None:
    alice, proposal = uuid4().hex, uuid4().hex
    one = ticket(alice)
    store.join(POOL, one)
    store.reserve(POOL, proposal, [one.id], now=NOW)

    assert store.assign(POOL, uuid4().hex, [one.id]).said == "reserved"
    assert [store.assign(POOL, proposal, [one.id]).said for _ in range(2)] == ["ok", "ok"]
    assert store.snapshot(POOL).players == {}


def test_the_clock_never_steps_back(store: Store) -> None:
    from django.conf import settings

    from matchmaking.store.keys import clock_key

    ahead = store.now() + timedelta(hours=1)
    client().set(clock_key(settings.STORE_PREFIX), int(ahead.timestamp() * 1_000_000))

    times = [store.now() for _ in range(3)]

    assert times == sorted(times)
    assert abs(times[0] - ahead) < timedelta(milliseconds=1)


def test_case_67_a_pool_is_ticked_by_one_worker_and_not_twice_within_half_a_second(store: Store) -> None:
    def begin(token: str, seconds: float) -> str:
        return store.begin_tick(POOL, token, now=NOW + timedelta(seconds=seconds))

    assert [begin("one", 0.0), begin("two", 1.0)] == ["emptied", "busy"]
    store.end_tick(POOL, "two")
    assert begin("two", 1.0) == "busy", "nobody ends another's lease"
    store.end_tick(POOL, "one")
    store.mark_known(POOL)
    assert [begin("two", 0.4), begin("two", 0.5)] == ["too_soon", "ok"]


def test_tidy_removes_players_who_stand_for_nothing(store: Store) -> None:
    alice, bob = uuid4().hex, uuid4().hex
    store.join(POOL, ticket(alice))
    client().hset(_keys().players, bytes.fromhex(bob), bytes.fromhex(uuid4().hex))

    assert store.tidy([POOL], store.snapshot(POOL).players) == 1
    assert store.snapshot(POOL).players.keys() == {alice}


def test_all_keys_of_a_club_share_a_hash_tag_and_start_with_the_prefix() -> None:
    from django.conf import settings

    names = [getattr(_keys(), field) for field in _keys().__dataclass_fields__]

    assert {name[name.index("{") : name.index("}") + 1] for name in names} == {f"{{{POOL.club_id.hex}}}"}
    assert all(name.startswith(f"{settings.STORE_PREFIX}:") for name in names)


def _keys() -> PoolKeys:
    from django.conf import settings

    return keys_of(settings.STORE_PREFIX, POOL)
