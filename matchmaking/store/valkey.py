"""The hot pool in Valkey. It decides nothing for good: PostgreSQL does, and this may be emptied at any moment.

Ids go in and out as 32 hexadecimal digits. Everything that moves a ticket is one Lua script, which does all or nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, cast

import redis
from redis.commands.core import Script

from matchmaking.core.types import WaitingTicket
from matchmaking.store.keys import Pool, PoolKeys, clock_key, keys_of
from matchmaking.store.payload import PayloadProblem, pack_body, unpack

RESERVATION = timedelta(seconds=30)
LEASE = timedelta(seconds=2)
LEAST_BETWEEN_TICKS = timedelta(milliseconds=500)

_SCRIPTS = Path(__file__).parent / "scripts"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a script said: "ok", or the first conflict and the ticket it met."""

    said: str
    ticket: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything was done; otherwise nothing was."""
        return self.said == "ok"


@dataclass(frozen=True, slots=True)
class PoolContents:
    """All that searches. damaged: ticket ids whose payload could not be read."""

    tickets: tuple[WaitingTicket, ...]
    damaged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A pool at one instant. searching: ticket id to its bytes. held: ticket id to the proposal that holds it."""

    searching: Mapping[str, bytes]
    held: Mapping[str, str]
    players: Mapping[str, str]


class Store:
    """The scripts of one installation, by name."""

    def __init__(self, client: "redis.Redis", prefix: str) -> None:
        self._client = client
        self._prefix = prefix
        prelude = (_SCRIPTS / "prelude.lua").read_text()
        self._scripts: dict[str, Script] = {
            path.stem: client.register_script(f"{prelude}\n{path.read_text()}")
            for path in sorted(_SCRIPTS.glob("*.lua"))
            if path.stem != "prelude"
        }

    def now(self) -> datetime:
        """The store's clock; it never steps back for us."""
        return from_micros(int(self._call("clock", [clock_key(self._prefix)], [])))

    # --- tickets

    def join(self, pool: Pool, ticket: WaitingTicket) -> Answer:
        """The ticket searches. Conflict "taken": a member stands for the ticket named; "present": it is there."""
        keys = self._keys(pool)
        return self._answer(
            "join", [keys.pool, keys.held, keys.players, keys.sequence], [_id(ticket.id), _body(ticket)]
        )

    def remove(self, pool: Pool, ticket_id: str, *, only_if: bytes = b"") -> Answer:
        """The ticket leaves. only_if: leave it unless it still searches with these bytes ("changed")."""
        keys = self._keys(pool)
        return self._answer("remove", [keys.pool, keys.held, keys.holder, keys.players], [_id(ticket_id), only_if])

    def update(self, pool: Pool, ticket: WaitingTicket) -> Answer:
        """New ratings for a ticket; its place in line stays."""
        keys = self._keys(pool)
        return self._answer("update", [keys.pool, keys.held], [_id(ticket.id), _body(ticket)])

    def load(self, pool: Pool) -> PoolContents:
        """All that searches, in one reply."""
        raw = cast("dict[bytes, bytes]", self._client.hgetall(self._keys(pool).pool))
        tickets, damaged = [], []
        for ticket_id, payload in raw.items():
            try:
                tickets.append(unpack(ticket_id, payload))
            except PayloadProblem:
                damaged.append(ticket_id.hex())
        return PoolContents(tuple(tickets), tuple(damaged))

    # --- proposals

    def reserve(self, pool: Pool, proposal: str, tickets: Sequence[str], *, now: datetime) -> Answer:
        """Set the tickets aside until the deadline. Conflicts: reserved, missing, half, player_twice, empty."""
        return self._answer(
            "reserve",
            self._proposal_keys(pool),
            [_id(proposal), _seconds(now + RESERVATION), *map(_id, tickets)],
        )

    def hold(self, pool: Pool, proposal: str, *, until: datetime) -> None:
        """A ready check stands behind the reservation now: it lasts until then."""
        self._client.zadd(self._keys(pool).deadlines, {_id(proposal): until.timestamp()}, xx=True)

    def release(
        self, pool: Pool, proposal: str, *, back: Mapping[str, WaitingTicket | None], gone: Iterable[str] = ()
    ) -> Answer:
        """The proposal ends. back: tickets that search again, with fresh contents (None: as they were). gone: leave.

        Conflicts: "reserved" by another proposal, "taken" (a member stands for another ticket), "missing".
        """
        arguments: list[Any] = [_id(proposal), len(back)]
        for ticket_id, ticket in back.items():
            arguments += [_id(ticket_id), b"" if ticket is None else _body(ticket)]
        keys = [*self._proposal_keys(pool), self._keys(pool).sequence]
        return self._answer("release", keys, [*arguments, *map(_id, gone)])

    def assign(self, pool: Pool, proposal: str, tickets: Iterable[str]) -> Answer:
        """The proposal became a match: its tickets leave."""
        return self._answer("assign", self._proposal_keys(pool), [_id(proposal), *map(_id, tickets)])

    def sweep(self, pool: Pool, *, now: datetime) -> tuple[str, ...]:
        """Return what dead workers left reserved; the tickets that search again."""
        keys = self._keys(pool)
        names = [keys.pool, keys.held, keys.holder, keys.deadlines, keys.contents]
        return tuple(ticket.hex() for ticket in self._call("sweep", names, [_seconds(now)]))

    # --- the tick

    def begin_tick(self, pool: Pool, token: str, *, now: datetime) -> str:
        """ "ok" or "emptied" (the pool must be rebuilt first) with the lease; "busy" or "too_soon" without it."""
        keys = self._keys(pool)
        names = [keys.lease, keys.last_tick, keys.known]
        arguments = [token, _micros(now), LEAST_BETWEEN_TICKS // timedelta(microseconds=1), LEASE.seconds * 1000]
        return self._answer("begin_tick", names, arguments).said

    def end_tick(self, pool: Pool, token: str) -> None:
        """Give the lease back."""
        self._call("end_tick", [self._keys(pool).lease], [token])

    def count(self, pool: Pool, **figures: int) -> None:
        """Add to the pool's counters."""
        if figures:
            with self._client.pipeline(transaction=False) as pipeline:
                for name, number in figures.items():
                    pipeline.hincrby(self._keys(pool).figures, name, number)
                pipeline.execute()

    def figures(self, pool: Pool) -> dict[str, int]:
        """The pool's counters."""
        raw = cast("dict[bytes, bytes]", self._client.hgetall(self._keys(pool).figures))
        return {name.decode(): int(value) for name, value in raw.items()}

    def note_failure(self, pool: Pool, tickets: Iterable[str]) -> dict[str, int]:
        """Forming a match of these failed once more; how often it has failed for each in the last hour."""
        key = self._keys(pool).failures
        counts = {ticket: int(self._client.hincrby(key, ticket, 1)) for ticket in tickets}
        self._client.expire(key, 3600)
        return counts

    # --- recovery

    def snapshot(self, pool: Pool) -> Snapshot:
        """The pool and the club's players at one instant."""
        keys = self._keys(pool)
        with self._client.pipeline(transaction=True) as pipeline:
            for key in (keys.pool, keys.holder, keys.players):
                pipeline.hgetall(key)
            searching, held, players = cast("list[dict[bytes, bytes]]", pipeline.execute())
        return Snapshot(
            searching={ticket.hex(): payload for ticket, payload in searching.items()},
            held={ticket.hex(): proposal.hex() for ticket, proposal in held.items()},
            players={player.hex(): ticket.hex() for player, ticket in players.items()},
        )

    def mark_known(self, pool: Pool) -> None:
        """The pool holds everything that PostgreSQL does."""
        self._client.set(self._keys(pool).known, b"1")

    def is_known(self, pool: Pool) -> bool:
        """Whether the pool was filled since Valkey was last emptied."""
        return bool(self._client.exists(self._keys(pool).known))

    def tidy(self, pools: Sequence[Pool], players: Mapping[str, str]) -> int:
        """Remove those of these player -> ticket pairs whose ticket is in none of the club's pools; how many."""
        if not pools or not players:
            return 0
        places = [name for pool in pools for name in (self._keys(pool).pool, self._keys(pool).held)]
        pairs = [_id(one) for pair in players.items() for one in pair]
        return int(self._call("tidy", [self._keys(pools[0]).players, *places], pairs))

    # ---

    def _keys(self, pool: Pool) -> PoolKeys:
        return keys_of(self._prefix, pool)

    def _proposal_keys(self, pool: Pool) -> list[str]:
        keys = self._keys(pool)
        return [keys.pool, keys.held, keys.holder, keys.players, keys.deadlines, keys.contents]

    def _call(self, name: str, keys: list[str], arguments: list[Any]) -> Any:
        return self._scripts[name](keys=keys, args=arguments)

    def _answer(self, name: str, keys: list[str], arguments: list[Any]) -> Answer:
        said, *ticket = self._call(name, keys, arguments)
        return Answer(said.decode(), ticket[0].hex() if ticket else "")


@cache
def store_at(url: str, prefix: str) -> Store:
    """The store of this address and prefix; connections are made when first used and shared by threads."""
    return Store(redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=2), prefix)


def from_micros(micros: int) -> datetime:
    """The time so many microseconds after the epoch, exactly."""
    return _EPOCH + timedelta(microseconds=micros)


def _micros(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)


def _seconds(time: datetime) -> str:
    return repr(time.timestamp())


def _id(value: str) -> bytes:
    return bytes.fromhex(value)


_body = pack_body
