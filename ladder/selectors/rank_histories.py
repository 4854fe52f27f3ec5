"""A player's rank through the seasons of a queue: the events, the plot, and what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Case, F, When
from django.utils import timezone

from ladder.core.plots import (
    MOST_POINTS,
    NARROW,
    WIDE,
    Finding,
    RankPoint,
    StepPlot,
    Stretch,
    TierBand,
    finding,
    step_plot,
    thinned,
)
from ladder.selectors.ladders import Ladder
from ratings.core.visible_rank import DIVISION, RankRules, label
from ratings.models import PlayerRating, RatingEvent

LAST_SEASONS = 3
MATCH = RatingEvent.Kind.MATCH.value


@dataclass(frozen=True, slots=True)
class History:
    """The plot for wide and narrow screens, what it shows in one line, and the rows behind it (newest first)."""

    plots: tuple[StepPlot, StepPlot]
    finding: Finding
    points: tuple[RankPoint, ...]
    is_thinned: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One event of the ledger as a profile needs it."""

    season_id: UUID
    at: datetime
    match_id: UUID | None
    position: int | None
    delta: int | None
    is_match: bool


def steps_of(ladder: Ladder, ratings: Sequence[PlayerRating]) -> list[Step]:
    """Every event of the player's ratings in this queue, the oldest first; one query."""
    here = [row.pk for row in ratings if row.queue_id == ladder.queue.pk]
    rows = (
        RatingEvent.objects.filter(player_rating__in=here)
        .annotate(at=Case(When(kind=MATCH, then=F("match__completed_at")), default=F("created_at")))
        .order_by("player_rating__created_at", "player_rating_id", "seq")
        .values_list("player_rating__season_id", "at", "match_id", "position_after", "points_delta", "kind")
    )
    return [Step(*row[:-1], is_match=row[-1] == MATCH) for row in rows]


def history_of(ladder: Ladder, own: PlayerRating, steps: Sequence[Step], zone: str) -> History | None:
    """The rank after each event, season by season up to the one shown; None while there is no rank at all."""
    if own.position is None:
        return None
    club_zone = ZoneInfo(zone)
    stretches = []
    for rules in ladder.seasons_until_now(LAST_SEASONS):
        table = RankRules.from_json(rules.rank_rules)
        points = tuple(
            _point(table, timezone.localtime(step.at, club_zone), step.position)
            for step in steps
            if step.season_id == rules.season_id and step.position is not None
        )
        stretches.append(Stretch(rules.season.name, thinned(points)))
    current = stretches[-1].points
    table = ladder.rank_rules
    wide, narrow = (step_plot(stretches, _bands(table), sheet) for sheet in (WIDE, NARROW))
    if wide is None or narrow is None or not current:
        return None
    top = (len(table.places) - 1) * DIVISION
    shown = tuple(point for stretch in reversed(stretches) for point in reversed(stretch.points))
    counted = sum(1 for step in steps if step.position is not None)
    return History(
        plots=(wide, narrow),
        finding=finding(current, uncapped_from=top),
        points=shown,
        is_thinned=len(shown) < counted and len(current) >= MOST_POINTS,
    )


def _point(table: RankRules, at: datetime, position: int) -> RankPoint:
    rank = label(table, position)
    return RankPoint(at, position, rank.name, rank.points)


def _bands(rules: RankRules) -> list[TierBand]:
    bands = []
    low = 0
    for number, tier in enumerate(rules.tiers):
        high = low + len(tier.begins) * DIVISION
        bands.append(TierBand(tier.name, number, low, None if number == len(rules.tiers) - 1 else high))
        low = high
    return bands
