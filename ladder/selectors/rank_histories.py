"""A player's rank through the seasons of a queue: the events, the plot, and what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

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
from ladder.models import SeasonRules
from ladder.selectors.ladders import Ladder
from ratings.core.visible_rank import DIVISION, RankRules, label
from ratings.models import PlayerRating, RatingEvent

LAST_SEASONS = 3


@dataclass(frozen=True, slots=True)
class History:
    """The plot for wide and narrow screens, what it shows in one line, and the rows behind it (newest first)."""

    plots: tuple[StepPlot, StepPlot]
    finding: Finding
    points: tuple[RankPoint, ...]
    is_thinned: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One event of the ledger as a profile needs it; at: when it counts."""

    season_id: UUID
    at: datetime
    match_id: UUID | None
    position: int | None
    delta: int | None
    kind: str

    @property
    def is_match(self) -> bool:
        """Whether it tells what a match gave or took."""
        return self.kind == RatingEvent.Kind.MATCH

    @property
    def is_reset(self) -> bool:
        """Whether the rank begins anew with it."""
        return self.kind == RatingEvent.Kind.SEASON_RESET


def steps_of(ladder: Ladder, ratings: Sequence[PlayerRating]) -> list[Step]:
    """Every event of the player's ratings in this queue, the oldest first; one query."""
    here = [row.pk for row in ratings if row.queue_id == ladder.queue.pk]
    rows = (
        RatingEvent.objects.filter(player_rating__in=here)
        .order_by("player_rating__created_at", "player_rating_id", "seq")
        .values_list("player_rating__season_id", "effective_at", "match_id", "position_after", "points_delta", "kind")
    )
    return [Step(*row) for row in rows]


def history_of(ladder: Ladder, own: PlayerRating, steps: Sequence[Step], zone: str) -> History | None:
    """The rank after each event, season by season up to the one shown; None while there is no rank at all."""
    if own.position is None:
        return None
    seasons = [_stretches(rules, steps, ZoneInfo(zone)) for rules in ladder.seasons_until_now(LAST_SEASONS)]
    stretches, latest = [stretch for season in seasons for stretch in season], len(seasons[-1])
    current = [point for stretch in seasons[-1] for point in stretch.points]
    table = ladder.rank_rules
    wide, narrow = (step_plot(stretches, _bands(table), sheet, latest=latest) for sheet in (WIDE, NARROW))
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


def peak_of(ladder: Ladder, steps: Sequence[Step]) -> Step | None:
    """Where the season's highest rank was reached first; None without a rank."""
    assert ladder.season is not None
    ranked = [step for step in steps if step.season_id == ladder.season.pk and step.position is not None]
    return max(ranked, key=lambda step: step.position or 0, default=None)


def _stretches(rules: SeasonRules, steps: Sequence[Step], zone: ZoneInfo) -> list[Stretch]:
    """A season's points, cut where the rank was reset or went back to placement."""
    table = RankRules.from_json(rules.rank_rules)
    parts: list[list[RankPoint]] = [[]]
    for step in (step for step in steps if step.season_id == rules.season_id):
        if parts[-1] and (step.is_reset or step.position is None):
            parts.append([])
        if step.position is not None:
            parts[-1].append(_point(table, timezone.localtime(step.at, zone), step.position))
    named = [rules.season.name, *(_("reset") for _part in parts[1:])]
    return [Stretch(name, thinned(part)) for name, part in zip(named, parts, strict=True)]


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
