"""Cursors of long lists: a place in an order, packed into an address and read back with suspicion."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from collections.abc import Sequence

Plain = str | int | None

LONGEST = 1000
"""Characters of a packed cursor that are read at all."""


def pack(values: Sequence[Plain]) -> str:
    """The values as one word that fits into an address."""
    text = json.dumps(list(values), separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unpack(word: str, shape: Sequence[type]) -> tuple[Plain, ...] | None:
    """The values back when the word is one of ours with these types (None passes for each), else None."""
    if not word or len(word) > LONGEST:
        return None
    try:
        values = json.loads(urlsafe_b64decode(word + "=" * (-len(word) % 4)))
    except (ValueError, BadBase64, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(values, list) or len(values) != len(shape):
        return None
    for value, kind in zip(values, shape, strict=True):
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            return None
        if isinstance(value, int) and abs(value) > 2**31 - 1:
            return None
    return tuple(values)
