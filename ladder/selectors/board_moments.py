"""A leaderboard as it stood when its first page was drawn, put together again from the ledger for its later pages.

A moment is a set of events: every event of the ladder that the first page could see. It is kept as the id of an event
of a minute ago and the events seen since. Ids grow with the time at which they were made, so what is newer and was
not seen came later, or was not committed yet; either way its players are put back to where they stood before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Cast, Coalesce, Right

from ladder.selectors.board_order import Entry, is_gone, key_then
from ladder.selectors.ladders import Ladder
from ratings.models import PlayerRating, RatingEvent

MOST_MOVED = 5_000
MOST_SEEN = 40
_GRACE = timedelta(seconds=60)
_TAIL = 8


@dataclass(frozen=True, slots=True)
class Moment:
    """at: the time, to show; since: an event's id; seen: the ends of the ids of the newer events that were seen."""

    at: datetime
    since: UUID
    seen: tuple[str, ...]


def with_recent(ladder: Ladder, rows: QuerySet[PlayerRating], now: datetime) -> QuerySet[PlayerRating]:
    """The rows, marked with the ids of the ladder's newest events; for `moment_of`."""
    recent = _events(ladder).filter(id__gt=_id_at(now - _GRACE)).order_by("-id").values("id")[: MOST_SEEN + 1]
    return rows.annotate(mark=ArraySubquery(recent))


def moment_of(now: datetime, recent: list[UUID] | None) -> Moment:
    """The moment that a page shows which was read together with these newest events."""
    ids = recent or []
    since = ids[MOST_SEEN] if len(ids) > MOST_SEEN else _id_at(now - _GRACE)
    return Moment(now, since, tuple(str(key)[-_TAIL:] for key in ids[:MOST_SEEN]))


def with_moves(ladder: Ladder, rows: QuerySet[PlayerRating], moment: Moment) -> QuerySet[PlayerRating]:
    """The rows, marked with how many events are newer than the moment's id; for a check against `Moved.events`."""
    newer = _events(ladder).filter(id__gt=moment.since).order_by().values("player_rating__queue_id")
    count = Subquery(newer.annotate(number=Count("id")).values("number"), output_field=IntegerField())
    return rows.annotate(mark=Coalesce(count, 0))


@dataclass(frozen=True, slots=True)
class Moved:
    """By rating id, how everybody who moved after the moment stood at it, None for who was not listed then.

    events: how many events are newer than the moment's id, seen or not.
    """

    then: Mapping[UUID, Entry | None]
    events: int


def moved_since(ladder: Ladder, moment: Moment) -> Moved | None:
    """Who moved; None when too many did for pages of that moment to be worth drawing. One query."""
    before = RatingEvent.objects.filter(player_rating=OuterRef("player_rating"), seq=OuterRef("seq") - 1)
    newer = _events(ladder).filter(id__gt=moment.since)
    rows = list(
        newer.annotate(
            tail=Right(Cast("id", CharField()), _TAIL),
            state_before=Subquery(before.values("state_after")[:1]),
            is_away=is_gone(ladder, "player_rating__player_id")[0],
        )
        .order_by("player_rating_id", "seq")
        .values(
            "tail",
            "is_away",
            "player_rating__player__is_active",
            "player_rating_id",
            "position_before",
            "state_before",
            "player_rating__player_id",
            "player_rating__player__handle",
            "player_rating__player__display_name",
        )[: MOST_MOVED + 1]
    )
    if len(rows) > MOST_MOVED:
        return None
    then: dict[UUID, Entry | None] = {}
    for row in rows:
        if row["tail"] not in moment.seen and row["player_rating_id"] not in then:
            is_away = not ladder.is_final and (row["is_away"] or not row["player_rating__player__is_active"])
            then[row["player_rating_id"]] = None if is_away else _as_it_stood(row)
    return Moved(then, len(rows))


def _events(ladder: Ladder) -> QuerySet[RatingEvent]:
    return RatingEvent.objects.filter(
        player_rating__queue=ladder.queue, player_rating__season=ladder.season, player_rating__role=""
    )


def _id_at(moment: datetime) -> UUID:
    """The smallest id that could have been made at a moment (its first 48 bits are milliseconds)."""
    return UUID(int=(int(moment.timestamp() * 1000) << 80) | (7 << 76) | (2 << 62))


def _as_it_stood(row: Mapping[str, Any]) -> Entry | None:
    state: Mapping[str, Any] = row["state_before"] or {}
    key = key_then(row["player_rating_id"], row["position_before"], state)
    if key is None:
        return None
    return Entry(
        key=key,
        player_id=row["player_rating__player_id"],
        handle=row["player_rating__player__handle"],
        name=row["player_rating__player__display_name"] or row["player_rating__player__handle"],
        draws=state["draws"],
        losses=state["losses"],
        placement_left=state["placement_left"],
    )
