"""The club's calendar by which idle days are counted; its tables are of a higher package: named, never imported."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import Q

from ratings.core.decay import PLAIN_DAYS, Calendar, Stretch


def calendar_of(*, queue_id: UUID, season_id: UUID) -> Calendar:
    """The days of the queue in a season: without pauses, and none from the day on which the season begins to close."""
    return calendars_of_seasons(queue_id=queue_id, season_ids=[season_id]).get(season_id, PLAIN_DAYS)


def calendars_of_seasons(*, queue_id: UUID, season_ids: Iterable[UUID]) -> dict[UUID, Calendar]:
    """The same for several seasons, by season; two queries, none for no season."""
    wanted = set(season_ids)
    if not wanted:
        return {}
    rules = apps.get_model("ladder", "SeasonRules")._default_manager.filter(queue=queue_id, season__in=wanted)
    rows = rules.values_list(
        "season_id", "queue__club__time_zone", "season__closing_at", "season__closed_at", "decayed_to"
    )
    pauses = _pauses(queue_id)
    found = {}
    for season, zone_name, closing_at, closed_at, decayed_to in rows:
        zone, end = ZoneInfo(zone_name), closing_at or closed_at
        last = None if end is None else end.astimezone(zone).date() - timedelta(days=1)
        found[season] = Calendar(zone, pauses, last, decayed_to)
    return found


def _pauses(queue_id: UUID) -> tuple[Stretch, ...]:
    """Those of the whole club, and those of the queue."""
    rows = apps.get_model("ladder", "Pause")._default_manager
    here = rows.filter(Q(queue=queue_id) | Q(queue__isnull=True, club__queues=queue_id))
    return tuple(Stretch(first, last) for first, last in here.order_by("id").values_list("first_day", "last_day"))
