"""A club whose ranks fade, and what idle days did there."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ladder.models import Club
from ratings.core.decay import Calendar
from ratings.models import RatingEvent
from ratings.selectors.calendars import calendar_of
from ratings.services.decay import apply_decay
from tests.ratings.world import QUICK, START, World

BERLIN = ZoneInfo("Europe/Berlin")
ONE = timedelta(days=1)
FADING = replace(QUICK, decay_points=15, decay_grace=3, decay_warning=1, decay_from=0, decay_bank=1, decay_bank_limit=2)
FIRST = START.astimezone(BERLIN).date()
TWENTY_A_WEEK = replace(FADING, decay_points=20, decay_every=7, decay_grace=0, decay_bank=0)


def fade(world: World) -> World:
    """Its clocks are those of Berlin."""
    Club.objects.update(time_zone="Europe/Berlin")
    return world


def settle(world: World, until: date, calendar: Calendar | None = None, **more: Any) -> int:
    """What a round does that has come to this day, a little after midnight."""
    calendar = calendar or calendar_of(queue_id=world.queue.pk, season_id=world.season.pk)
    return apply_decay(
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rules=world.rules,
        calendar=calendar,
        until=until,
        now=max(world.now, calendar.end_of(until) + timedelta(minutes=20)),
        **more,
    )


def win(world: World, times: int = 12) -> None:
    """Alice rises, bob does not."""
    for _ in range(times):
        world.play("alice", "bob")


def days_lost(world: World, name: str = "alice") -> list[tuple[int, int]]:
    """(days after the first, points) of the decay of one player."""
    rows = RatingEvent.objects.filter(player_rating=world.rating(name), kind="decay").order_by("seq")
    return [((row.decay_date - FIRST).days, row.points_delta or 0) for row in rows if row.decay_date]
