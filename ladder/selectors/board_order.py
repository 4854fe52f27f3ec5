"""The order of a leaderboard, and the rows of it before they are dressed.

Order: position, then wins, then who reached the position earlier, then id; people still in placement stand below,
by wins, then id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from ladder.models import Membership, Player
from ladder.selectors.ladders import Ladder
from ratings.models import PlayerRating

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIELDS = (
    "id",
    "player_id",
    "player__handle",
    "player__display_name",
    "position",
    "wins",
    "draws",
    "losses",
    "placement_left",
    "position_reached_at",
)


@dataclass(frozen=True, slots=True)
class Key:
    """A place in the order. position None: in placement."""

    position: int | None
    wins: int
    reached_at: datetime
    rating_id: UUID

    @property
    def order(self) -> tuple[bool, int, int, datetime, UUID]:
        """Smaller stands higher."""
        reached = EPOCH if self.position is None else self.reached_at
        return self.position is None, -(self.position or 0), -self.wins, reached, self.rating_id


@dataclass(frozen=True, slots=True)
class Entry:
    """Who stands at a place of the order, with the counts that are shown."""

    key: Key
    player_id: UUID
    handle: str
    name: str
    draws: int
    losses: int
    placement_left: int


def listed(ladder: Ladder) -> QuerySet[PlayerRating]:
    """Everybody with a game in this queue and season; without those who are no longer in the club while it is played.

    A closed season keeps everybody: final standings never change.
    """
    assert ladder.season is not None
    rows = everybody(ladder)
    return rows if ladder.is_final else rows.filter(*(~away for away in is_gone(ladder)))


def everybody(ladder: Ladder) -> QuerySet[PlayerRating]:
    """Everybody with a game in this queue and season, gone or not."""
    return PlayerRating.objects.filter(queue=ladder.queue, season=ladder.season, role="", games__gt=0)


def is_gone(ladder: Ladder, player: str = "player_id") -> tuple[Exists, Exists]:
    """Whether somebody left the club or was banned, and whether the account is closed; player: the path to the id."""
    ended = Membership.objects.filter(club=ladder.queue.club_id).exclude(state=Membership.State.ACTIVE)
    closed = Player.objects.filter(is_active=False)
    return Exists(ended.filter(player_id=OuterRef(player))), Exists(closed.filter(pk=OuterRef(player)))


@dataclass(frozen=True, slots=True)
class Read:
    """Rows in order, and the `mark` that the same statement read beside them (None without a row)."""

    entries: list[Entry]
    mark: Any


def stretch(rows: QuerySet[PlayerRating], *, after: Key | None, limit: int) -> Read:
    """The first rows below `after` (from the top when None), in order; one query. `rows` carry a mark."""
    read = _read(_downwards(rows, after, limit), limit)
    return Read(read.entries[:limit], read.mark)


def stretch_before(rows: QuerySet[PlayerRating], *, before: Key, limit: int) -> Read:
    """The last rows above `before`, in order; one query. `rows` carry a mark."""
    read = _read(_upwards(rows, before, limit), limit)
    return Read(read.entries[-limit:], read.mark)


def around(rows: QuerySet[PlayerRating], key: Key, *, above: int, limit: int) -> Read:
    """Up to `above` rows higher than the key, then the key's own and what follows; one query. `rows` carry a mark."""
    own = rows.filter(pk=key.rating_id).order_by()
    read = _read((*_upwards(rows, key, above), own, *_downwards(rows, key, limit)), limit)
    at = next((number for number, entry in enumerate(read.entries) if entry.key == key), 0)
    start = max(0, at - above)
    return Read(read.entries[start : start + limit], read.mark)


Rows = QuerySet[PlayerRating]


def _downwards(rows: Rows, after: Key | None, limit: int) -> tuple[Rows, Rows]:
    """The placed, then those in placement, whom the database need not sort where the placed fill the page."""
    placed = rows.filter(position__isnull=False)
    waiting = rows.filter(position__isnull=True)
    if after is not None and after.position is not None:
        placed = placed.filter(position__lte=after.position).filter(_below(after))
    if after is not None and after.position is None:
        placed = placed.none()
        waiting = waiting.filter(Q(wins__lt=after.wins) | Q(wins=after.wins, id__gt=after.rating_id))
    placed = placed.order_by(F("position").desc(nulls_last=True), F("wins").desc(), "position_reached_at", "id")
    return placed, waiting.filter(~_fills(placed, limit)).order_by(F("wins").desc(), "id")


def _upwards(rows: Rows, before: Key, limit: int) -> tuple[Rows, Rows]:
    """The other way round."""
    placed = rows.filter(position__isnull=False)
    waiting = rows.filter(position__isnull=True)
    if before.position is not None:
        placed = placed.filter(position__gte=before.position).filter(is_above(before))
        waiting = waiting.none()
    else:
        waiting = waiting.filter(is_waiting_above(before))
    placed = placed.order_by(F("position").asc(nulls_first=True), F("wins").asc(), "-position_reached_at", "-id")
    return placed.filter(~_fills(waiting, limit)), waiting.order_by(F("wins").asc(), "-id")


def _fills(rows: Rows, limit: int) -> Exists:
    """Whether there are so many."""
    return Exists(rows[limit - 1 : limit])


def _below(key: Key) -> Q:
    later = Q(position_reached_at__gt=key.reached_at) | Q(position_reached_at=key.reached_at, id__gt=key.rating_id)
    same = Q(position=key.position) & (Q(wins__lt=key.wins) | Q(wins=key.wins) & later)
    return Q(position__lt=key.position) | same


def is_above(key: Key) -> Q:
    sooner = Q(position_reached_at__lt=key.reached_at) | Q(position_reached_at=key.reached_at, id__lt=key.rating_id)
    same = Q(position=key.position) & (Q(wins__gt=key.wins) | Q(wins=key.wins) & sooner)
    return Q(position__gt=key.position) | same


def is_waiting_above(key: Key) -> Q:
    more_wins = Q(wins__gt=key.wins) | Q(wins=key.wins, id__lt=key.rating_id)
    return Q(position__isnull=True) & more_wins


def _read(parts: Sequence[QuerySet[PlayerRating]], limit: int) -> Read:
    first, *others = [part.values(*_FIELDS, "mark")[:limit] for part in parts]
    rows = list(first.union(*others, all=True))
    entries = sorted((_entry(row) for row in rows), key=lambda entry: entry.key.order)
    return Read(entries, rows[0]["mark"] if rows else None)


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(
        key=Key(row["position"], row["wins"], row["position_reached_at"] or EPOCH, row["id"]),
        player_id=row["player_id"],
        handle=row["player__handle"],
        name=row["player__display_name"] or row["player__handle"],
        draws=row["draws"],
        losses=row["losses"],
        placement_left=row["placement_left"],
    )


def key_of(row: PlayerRating) -> Key:
    """The place of a stored standing in the order."""
    return Key(row.position, row.wins, row.position_reached_at or EPOCH, row.pk)


def all_entries(rows: Rows) -> list[Entry]:
    """All rows in order; one query."""
    return sorted((_entry(row) for row in rows.values(*_FIELDS)), key=lambda entry: entry.key.order)


def key_then(rating_id: UUID, position: int | None, state: Mapping[str, Any]) -> Key | None:
    """Where a standing stood after an event that left this position and state; None before the first match."""
    if not state.get("games"):
        return None
    reached = state["position_reached_at"]
    return Key(position, state["wins"], datetime.fromisoformat(reached) if reached else EPOCH, rating_id)


def key_at(rows: QuerySet[PlayerRating], handle: str) -> Key | None:
    """Where somebody stands, None for who is not on the board; one query."""
    row = rows.filter(player__handle=handle).values(*_FIELDS).first()
    return _entry(row).key if row else None
