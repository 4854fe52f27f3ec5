"""Time-ordered identifiers, made here because neither PostgreSQL 15 nor Python 3.11 can make them."""

import uuid

_MAX_UNIX_MS = (1 << 48) - 1
_RANDOM_BYTES = 10


def uuid7(unix_ms: int, random_bytes: bytes) -> uuid.UUID:
    """Build a UUID version 7 (RFC 9562, section 5.7).

    `unix_ms` is milliseconds since 1970 (48 bits); `random_bytes` are at least 10 bytes from a good
    random source, of which 74 bits are used. Identifiers sort by time first.
    Raises ValueError when the time does not fit or there is too little randomness.
    """
    if not 0 <= unix_ms <= _MAX_UNIX_MS:
        raise ValueError(f"unix_ms must be between 0 and {_MAX_UNIX_MS}, got {unix_ms}")
    if len(random_bytes) < _RANDOM_BYTES:
        raise ValueError(f"uuid7 needs {_RANDOM_BYTES} random bytes, got {len(random_bytes)}")
    rand_a = int.from_bytes(random_bytes[:2], "big") & 0x0FFF
    rand_b = int.from_bytes(random_bytes[2:_RANDOM_BYTES], "big") & ((1 << 62) - 1)
    return uuid.UUID(int=(unix_ms << 80) | (0x7 << 76) | (rand_a << 64) | (0b10 << 62) | rand_b)
