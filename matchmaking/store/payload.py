"""A waiting ticket as bytes.

Little endian: sequence (u64), join time (f64), least end of the search (f64), members (u16), avoided players (u16),
four bytes unused; then per member player id (16 bytes), rating (f64), deviation (f64); then per avoided player id
(16 bytes), until (f64). The scripts put the sequence in front and read the members (scripts/prelude.lua).
A single player who avoids nobody takes 64 bytes.
"""

import struct

from matchmaking.core.types import Seeker, WaitingTicket

_SEQUENCE = struct.Struct("<Q")
_HEADER = struct.Struct("<QddHH4x")
_BODY = struct.Struct("<ddHH4x")
_MEMBER = struct.Struct("<16sdd")
_AVOIDED = struct.Struct("<16sd")


class PayloadProblem(ValueError):
    """Bytes that are no ticket."""


def pack_body(ticket: WaitingTicket) -> bytes:
    """The ticket without its sequence, which the store gives. Ids are 32 hexadecimal digits."""
    parts = [_BODY.pack(ticket.joined_at, ticket.search_until, len(ticket.members), len(ticket.avoid))]
    parts += [_MEMBER.pack(bytes.fromhex(one.player), one.rating, one.deviation) for one in ticket.members]
    parts += [_AVOIDED.pack(bytes.fromhex(player), until) for player, until in ticket.avoid.items()]
    return b"".join(parts)


def unpack(ticket_id: bytes, payload: bytes) -> WaitingTicket:
    """The ticket of these bytes; raises PayloadProblem where they are none."""
    try:
        sequence, joined_at, search_until, members, avoided = _HEADER.unpack_from(payload)
        seekers = tuple(
            Seeker(player.hex(), rating, deviation)
            for player, rating, deviation in (
                _MEMBER.unpack_from(payload, _HEADER.size + index * _MEMBER.size) for index in range(members)
            )
        )
        start = _HEADER.size + members * _MEMBER.size
        if len(payload) != start + avoided * _AVOIDED.size:
            raise PayloadProblem("the length does not fit the counts")
        avoid = {player.hex(): until for player, until in _AVOIDED.iter_unpack(payload[start:])} if avoided else {}
    except struct.error as error:
        raise PayloadProblem(str(error)) from error
    return WaitingTicket(ticket_id.hex(), seekers, joined_at, sequence, search_until, avoid)


def with_sequence(sequence: int, body: bytes) -> bytes:
    """The whole payload, as the scripts put it together."""
    return _SEQUENCE.pack(sequence) + body
