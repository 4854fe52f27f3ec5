"""The order of a leaderboard, and the rows of it before they are dressed.

Order: position, then wins, then who reached the position earlier, then id; people still in placement stand below,
by wins, then id. `as_they_stood` puts everybody who moved since a moment back to where they stood then, from the
ledger, so that pages drawn one after another fit together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from ladder.models import Membership
from ladder.selectors.ladders import Ladder
from ratings.models import PlayerRating, RatingEvent

MOST_MOVED = 5_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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
        reached = _EPOCH if self.position is None else self.reached_at
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
    rows = PlayerRating.objects.filter(queue=ladder.queue, season=ladder.season, role="", games__gt=0)
    if ladder.is_final:
        return rows
    return rows.exclude(player_id__in=_gone(ladder))


def _gone(ladder: Ladder) -> QuerySet[Membership, UUID]:
    out = Q(state__in=[Membership.State.LEFT, Membership.State.BANNED]) | Q(player__is_active=False)
    return Membership.objects.filter(out, club=ladder.queue.club_id).values_list("player_id", flat=True)


def stretch(rows: QuerySet[PlayerRating], *, after: Key | None, limit: int) -> list[Entry]:
    """The first rows below `after` (from the top when None), in order; one query."""
    return _read(_downwards(rows, after), limit)[:limit]


def stretch_before(rows: QuerySet[PlayerRating], *, before: Key, limit: int) -> list[Entry]:
    """The last rows above `before`, in order; one query."""
    return _read(_upwards(rows, before), limit)[-limit:]


def around(rows: QuerySet[PlayerRating], key: Key, *, above: int, limit: int) -> list[Entry]:
    """Up to `above` rows higher than the key, then the key's own and what follows; one query."""
    parts = [part.values(*_FIELDS)[:above] for part in _upwards(rows, key)]
    own = rows.filter(pk=key.rating_id).values(*_FIELDS)
    parts += [own, *(part.values(*_FIELDS)[:limit] for part in _downwards(rows, key))]
    entries = _sorted(parts[0].union(*parts[1:], all=True))
    at = next((number for number, entry in enumerate(entries) if entry.key == key), 0)
    start = max(0, at - above)
    return entries[start : start + limit]


def _downwards(rows: QuerySet[PlayerRating], after: Key | None) -> tuple[QuerySet[PlayerRating], ...]:
    placed = rows.filter(position__isnull=False)
    waiting = rows.filter(position__isnull=True)
    if after is not None and after.position is not None:
        placed = placed.filter(position__lte=after.position).filter(_below(after))
    if after is not None and after.position is None:
        placed = placed.none()
        waiting = waiting.filter(Q(wins__lt=after.wins) | Q(wins=after.wins, id__gt=after.rating_id))
    return (
        placed.order_by(F("position").desc(nulls_last=True), F("wins").desc(), "position_reached_at", "id"),
        waiting.order_by(F("wins").desc(), "id"),
    )


def _upwards(rows: QuerySet[PlayerRating], before: Key) -> tuple[QuerySet[PlayerRating], ...]:
    placed = rows.filter(position__isnull=False)
    waiting = rows.filter(position__isnull=True)
    if before.position is not None:
        placed = placed.filter(position__gte=before.position).filter(_above(before))
        waiting = waiting.none()
    else:
        waiting = waiting.filter(_waiting_above(before))
    return (
        placed.order_by(F("position").asc(nulls_first=True), F("wins").asc(), "-position_reached_at", "-id"),
        waiting.order_by(F("wins").asc(), "-id"),
    )


def _below(key: Key) -> Q:
    later = Q(position_reached_at__gt=key.reached_at) | Q(position_reached_at=key.reached_at, id__gt=key.rating_id)
    same = Q(position=key.position) & (Q(wins__lt=key.wins) | Q(wins=key.wins) & later)
    return Q(position__lt=key.position) | same


def _above(key: Key) -> Q:
    sooner = Q(position_reached_at__lt=key.reached_at) | Q(position_reached_at=key.reached_at, id__lt=key.rating_id)
    same = Q(position=key.position) & (Q(wins__gt=key.wins) | Q(wins=key.wins) & sooner)
    return Q(position__gt=key.position) | same


def _waiting_above(key: Key) -> Q:
    more_wins = Q(wins__gt=key.wins) | Q(wins=key.wins, id__lt=key.rating_id)
    return Q(position__isnull=True) & more_wins


def _read(parts: Sequence[QuerySet[PlayerRating]], limit: int) -> list[Entry]:
    first, *others = [part.values(*_FIELDS)[:limit] for part in parts]
    return _sorted(first.union(*others, all=True))


def _sorted(rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    return sorted((_entry(row) for row in rows), key=lambda entry: entry.key.order)


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(
        key=Key(row["position"], row["wins"], row["position_reached_at"] or _EPOCH, row["id"]),
        player_id=row["player_id"],
        handle=row["player__handle"],
        name=row["player__display_name"] or row["player__handle"],
        draws=row["draws"],
        losses=row["losses"],
        placement_left=row["placement_left"],
    )


def key_of(row: PlayerRating) -> Key:
    """The place of a stored standing in the order."""
    return Key(row.position, row.wins, row.position_reached_at or _EPOCH, row.pk)


def own_key(rows: QuerySet[PlayerRating], player_id: UUID) -> Key | None:
    """Where somebody stands, None for who is not on the board; one query."""
    row = rows.filter(player_id=player_id).values(*_FIELDS).first()
    return _entry(row).key if row else None


@dataclass(frozen=True, slots=True)
class Counts:
    """total: rows of the whole board; higher: at a better position than the key's; before: higher in the order."""

    total: int
    higher: int
    before: int


def count_around(rows: QuerySet[PlayerRating], key: Key | None) -> Counts:
    """How many rows there are, and how many above the key; one query."""
    if key is None:
        return Counts(total=rows.count(), higher=0, before=0)
    placed = Q(position__isnull=False)
    above = _above(key) if key.position is not None else placed | _waiting_above(key)
    higher = Q(position__gt=key.position) if key.position is not None else placed
    counts = rows.aggregate(total=Count("id"), higher=Count("id", filter=higher), before=Count("id", filter=above))
    return Counts(**counts)


def moved_since(ladder: Ladder, moment: datetime) -> dict[UUID, Entry | None] | None:
    """By rating id, how everybody whose standing changed after `moment` stood then; None for who was not listed yet.

    None instead of the table when too many moved for pages of that moment to be worth drawing. One query.
    """
    assert ladder.season is not None
    before = RatingEvent.objects.filter(player_rating=OuterRef("player_rating"), seq=OuterRef("seq") - 1)
    first = (
        RatingEvent.objects.filter(
            player_rating__queue=ladder.queue, player_rating__season=ladder.season, player_rating__role=""
        )
        .filter(created_at__gt=moment)
        .order_by("player_rating_id", "seq")
        .distinct("player_rating_id")
        .annotate(state_before=Subquery(before.values("state_after")[:1]))
        .values(
            "player_rating_id",
            "position_before",
            "state_before",
            "player_rating__player_id",
            "player_rating__player__handle",
            "player_rating__player__display_name",
        )
    )
    here = first if ladder.is_final else first.exclude(player_rating__player_id__in=_gone(ladder))
    rows = list(here[: MOST_MOVED + 1])
    if len(rows) > MOST_MOVED:
        return None
    return {row["player_rating_id"]: _as_it_stood(row) for row in rows}


def _as_it_stood(row: Mapping[str, Any]) -> Entry | None:
    state: Mapping[str, Any] = row["state_before"] or {}
    if not state.get("games"):
        return None
    reached = state.get("reached_at")
    return Entry(
        key=Key(
            position=row["position_before"],
            wins=state["wins"],
            reached_at=datetime.fromisoformat(reached) if reached else _EPOCH,
            rating_id=row["player_rating_id"],
        ),
        player_id=row["player_rating__player_id"],
        handle=row["player_rating__player__handle"],
        name=row["player_rating__player__display_name"] or row["player_rating__player__handle"],
        draws=state["draws"],
        losses=state["losses"],
        placement_left=state["placement_left"],
    )
