"""The ledger's arithmetic: what is hashed, how rows chain, how a change is carried to a value that moved meanwhile.

The hash of a row is SHA-256 over the previous row's hash, a line end and the row's canonical text. The canonical text
is JSON without spaces, keys sorted within each object, the two inner objects last; floats are written as `repr` does,
which names every double exactly.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from ratings.core.scales import same_scale
from ratings.core.types import Belief, Engine

DAY_SECONDS = 86_400.0


@dataclass(slots=True)
class Entry:
    """Everything of an event that is hashed, in plain values. Identifiers and times are text."""

    player: str
    queue: str
    season: str
    role: str
    seq: int
    kind: str
    match: str | None
    undoes: str | None
    rating_model: str | None
    actor: str | None
    reason: str
    rating_before: float
    rating_after: float
    deviation_before: float | None
    deviation_after: float | None
    volatility_before: float | None
    volatility_after: float | None
    position_before: int | None
    position_after: int | None
    points_delta: int | None
    created_at: str
    state_after: Mapping[str, Any]
    explanation: Mapping[str, Any]

    def canonical(self, state_after: str, explanation: str) -> str:
        """The text that is hashed, from the canonical texts of the two inner objects. Raises ValueError for NaN."""
        plain = canonical({name: getattr(self, name) for name in _PLAIN})
        return f'{plain[:-1]},"state_after":{state_after},"explanation":{explanation}}}'


_NAMES = tuple(one.name for one in fields(Entry))
_PLAIN = tuple(sorted(set(_NAMES) - {"state_after", "explanation"}))
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def digest(previous_hash: str, canonical: str) -> str:
    """The hash of a row, as 64 hexadecimal digits."""
    return hashlib.sha256(f"{previous_hash}\n{canonical}".encode()).hexdigest()


def differing_fields(entry: Entry, text: str) -> tuple[str, ...]:
    """Names of the fields in which a row and its canonical text disagree; ("canonical",) for a text not of ours.

    Numbers are compared as doubles, because jsonb writes them in its own way.
    """
    try:
        told = json.loads(text)
    except ValueError:
        return ("canonical",)
    if not isinstance(told, dict) or set(told) != set(_NAMES):
        return ("canonical",)
    return tuple(name for name in _NAMES if not _same(getattr(entry, name), told[name]))


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return float(left) == float(right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_same(value, right[key]) for key, value in left.items())
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def moment(at: datetime) -> str:
    """An aware time as text in UTC."""
    return at.astimezone(UTC).isoformat()


def stamp(at: datetime | None) -> str | None:
    """The same for a time that may be missing."""
    return None if at is None else moment(at)


def took_effect(
    kind: str, *, written: datetime, opened: datetime, last_match: datetime | None, told: Mapping[str, Any]
) -> datetime:
    """When an event counts, which is never later than it was written.

    A match counts from its completion, or from the end of its rating period; a first rating from when it was opened; a
    decay from the end of its day; anything else from when it was written. opened, last_match: of the rating after the
    event. told: its explanation.
    """
    if kind == "match":
        return min(period_end(told) or last_match or written, written)
    if kind == "decay":
        return min(datetime.fromisoformat(told["counts_from"]), written)
    return min(opened, written) if kind == "placement" else written


def period_end(explanation: Mapping[str, Any]) -> datetime | None:
    """When the rating period ended of which an explained match was a part; None for one that was rated alone."""
    told = explanation.get("period")
    return datetime.fromisoformat(told["ends_at"]) if told and told["ends_at"] else None


def idle_days(since: datetime | None, until: datetime) -> float:
    """Days without a match, never negative; unknown counts as none."""
    return 0.0 if since is None else max((until - since).total_seconds() / DAY_SECONDS, 0.0)


def carried_over(engine: Engine, own: Engine, current: Belief, formed: Belief, evidence: Belief) -> Belief:
    """A change found on one belief, applied to another.

    formed: the belief when the match was formed; evidence: the same after the result, both on the scale of `engine`,
    which the match was formed with; current: what is believed now, on the scale of `own`, as is the outcome.
    The rating's difference is added (in points of the club scale where the scales differ), deviation and volatility
    change by the same ratio (where both engines track them), within the bounds of `own`.
    Where nothing landed in between the outcome is `evidence`, to the last bit.
    """
    if not same_scale(engine, own):
        return own.from_club(_changed(own.to_club(current), engine.to_club(formed), engine.to_club(evidence)))
    return evidence if current == formed else own.initial(_changed(current, formed, evidence))


def _changed(current: Belief, formed: Belief, evidence: Belief) -> Belief:
    """All three on one scale."""
    return Belief(
        current.rating + (evidence.rating - formed.rating),
        _scaled(current.deviation, formed.deviation, evidence.deviation),
        _scaled(current.volatility, formed.volatility, evidence.volatility),
    )


def _scaled(current: float | None, formed: float | None, evidence: float | None) -> float | None:
    if current is None or formed is None or evidence is None:
        return current
    return evidence if current == formed else current * (evidence / formed)
