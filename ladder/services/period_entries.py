"""Into the rating period: when a completed match will be rated, if the model it was formed under has periods."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from ladder.live import tell_after_commit
from ladder.models import Match, MatchParticipant
from ladder.selectors.ratable import Ratable
from ladder.selectors.unrated import IN_LINE
from ratings.core.periods import MATCH, period_bounds


def enter_period(match: Ratable) -> None:
    """Let a completed match, which the caller has locked, wait for the end of its period. A second time: a no-op."""
    assert match.completed_at is not None
    if match.period_ends_at is None:
        _start, end = period_bounds(match.completed_at, match.period, ZoneInfo(match.time_zone))
        _enter([match.id], end)


def enter_periods(match_ids: Collection[UUID] | None = None) -> int:
    """The same for whichever of these matches, or of all, are not there yet and belong there; returns how many.

    Two queries and two more for each period that somebody enters.
    """
    rows = Match.objects.filter(IN_LINE).exclude(forecast__rating_model__period=MATCH)
    rows = rows.filter(forecast__isnull=False)
    if match_ids is not None:
        rows = rows.filter(pk__in=match_ids)
    found = rows.values_list("pk", "completed_at", "forecast__rating_model__period", "queue__club__time_zone")
    by_end: dict[datetime, list[UUID]] = defaultdict(list)
    for match_id, completed_at, period, time_zone in found:
        assert completed_at is not None, "the database holds that a completed match has its time"
        by_end[period_bounds(completed_at, period, ZoneInfo(time_zone))[1]].append(match_id)
    if not by_end:
        return 0
    with transaction.atomic():
        return sum(_enter(ids, end) for end, ids in sorted(by_end.items()))


def _enter(match_ids: Collection[UUID], end: datetime) -> int:
    entered = Match.objects.filter(IN_LINE, pk__in=match_ids).update(period_ends_at=end)
    players = MatchParticipant.objects.filter(match__in=match_ids).values_list("player_id", flat=True)
    tell_after_commit("match", "rank", players=set(players))
    return entered
