"""The ledger for moderators: every event, filtered, newest first. Everything here is for the staff."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from ratings.models import RatingEvent
from ratings.selectors.explanations import Explanation, explanation

PAGE = 50


@dataclass(frozen=True, slots=True)
class AuditFilters:
    """Which events to show. club_id bounds them; the rest narrows, None leaves open. since <= time < until."""

    club_id: UUID
    player_id: UUID | None = None
    queue_id: UUID | None = None
    season_id: UUID | None = None
    kinds: tuple[str, ...] = ()
    actor_id: UUID | None = None
    match_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None

    def as_q(self) -> Q:
        """The filters as a condition."""
        wanted: Mapping[str, object] = {
            "player_rating__queue__club_id": self.club_id,
            "player_rating__player_id": self.player_id,
            "player_rating__queue_id": self.queue_id,
            "player_rating__season_id": self.season_id,
            "kind__in": self.kinds or None,
            "actor_id": self.actor_id,
            "match_id": self.match_id,
            "created_at__gte": self.since,
            "created_at__lt": self.until,
        }
        return Q(**{name: value for name, value in wanted.items() if value is not None})


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One event with everything the staff may want to see."""

    id: UUID
    created_at: datetime
    kind: str
    kind_label: str
    player_id: UUID
    player: str
    handle: str
    queue: str
    season: str
    seq: int
    match_id: UUID | None
    model: str
    actor: str
    reason: str
    rank_before: str
    rank_after: str
    points_delta: int | None
    rating_before: float
    rating_after: float
    deviation_before: float | None
    deviation_after: float | None
    hash: str
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class AuditPage:
    """A page of events; next: the cursor of the following page, empty at the end."""

    rows: tuple[AuditRow, ...]
    next: str


def events_for_audit(filters: AuditFilters, *, after: str = "", limit: int = PAGE) -> AuditPage:
    """The newest events that fit, from behind the cursor `after`; one query.

    The order (time, id) never changes for written events, so pages neither repeat nor skip. A cursor that is none of
    ours gives the first page.
    """
    events = _ordered(filters)
    cursor = _read_cursor(after)
    if cursor is not None:
        at, key = cursor
        events = events.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=key), created_at__lte=at)
    found = list(events[: limit + 1])
    more = len(found) > limit
    shown = found[:limit]
    return AuditPage(tuple(_row(event) for event in shown), _cursor(shown[-1]) if more else "")


def _ordered(filters: AuditFilters) -> QuerySet[RatingEvent]:
    return (
        RatingEvent.objects.filter(filters.as_q())
        .select_related(
            "player_rating__player", "player_rating__queue", "player_rating__season", "rating_model", "actor"
        )
        .defer("canonical")
        .order_by("-created_at", "-id")
    )


def _cursor(event: RatingEvent) -> str:
    return f"{event.created_at.isoformat()}_{event.id}"


def _read_cursor(word: str) -> tuple[datetime, UUID] | None:
    at, _separator, key = word.rpartition("_")
    try:
        moment, identifier = datetime.fromisoformat(at), UUID(key)
    except ValueError:
        return None
    return (moment, identifier) if moment.tzinfo else None


def _row(event: RatingEvent) -> AuditRow:
    rating = event.player_rating
    rank = event.explanation.get("rank") or {}
    before, after = rank.get("before"), rank.get("after")
    return AuditRow(
        id=event.id,
        created_at=event.created_at,
        kind=event.kind,
        kind_label=str(RatingEvent.Kind(event.kind).label),
        player_id=rating.player_id,
        player=str(rating.player),
        handle=rating.player.handle,
        queue=str(rating.queue),
        season=str(rating.season),
        seq=event.seq,
        match_id=event.match_id,
        model=str(event.rating_model) if event.rating_model else "",
        actor=str(event.actor) if event.actor else "",
        reason=event.reason,
        rank_before=_words(before),
        rank_after=_words(after),
        points_delta=event.points_delta,
        rating_before=event.rating_before,
        rating_after=event.rating_after,
        deviation_before=event.deviation_before,
        deviation_after=event.deviation_after,
        hash=event.hash,
        explanation=explanation(event, "staff"),
    )


def _words(place: Mapping[str, object] | None) -> str:
    return f"{place['name']} · {place['points']}" if place else ""
