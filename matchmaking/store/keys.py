"""Names of what the store holds. All keys of a club share a hash tag, so that one script may touch them together."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Pool:
    """The part of a queue that can match at all; so far the whole queue."""

    club_id: UUID
    queue_id: UUID


@dataclass(frozen=True, slots=True)
class PoolKeys:
    """The keys of one pool.

    pool: ticket -> payload of those that search. held: ticket -> payload of those that are reserved. holder: ticket ->
    proposal. deadlines: proposal by the time its reservation ends. contents: proposal -> its tickets. players: player
    -> ticket, over the whole club. known: stands while the pool was not emptied behind our back.
    """

    pool: str
    held: str
    holder: str
    deadlines: str
    contents: str
    sequence: str
    lease: str
    last_tick: str
    known: str
    figures: str
    failures: str
    players: str


def keys_of(prefix: str, pool: Pool) -> PoolKeys:
    """The pool's keys below the prefix of this installation."""
    club = f"{prefix}:{{{pool.club_id.hex}}}"
    queue = f"{club}:{pool.queue_id.hex}"
    return PoolKeys(
        pool=f"{queue}:pool",
        held=f"{queue}:held",
        holder=f"{queue}:holder",
        deadlines=f"{queue}:deadlines",
        contents=f"{queue}:contents",
        sequence=f"{queue}:sequence",
        lease=f"{queue}:lease",
        last_tick=f"{queue}:last-tick",
        known=f"{queue}:known",
        figures=f"{queue}:figures",
        failures=f"{queue}:failures",
        players=f"{club}:players",
    )


def clock_key(prefix: str) -> str:
    """The highest time given out."""
    return f"{prefix}:clock"
