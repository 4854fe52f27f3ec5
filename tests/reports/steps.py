"""What the tests of stored reports do again and again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from ratings.core.requests import ModelChoice
from ratings.models import RatingModel, ReplayPart, ReplayReport
from ratings.services import report_runs, reports
from tests.ladder.world import World
from tests.web_record.stage import history

ELO = ModelChoice("elo", "elo")
GLICKO2 = ModelChoice("glicko2", "glicko2")
WENG_LIN = ModelChoice("weng_lin", "weng_lin")


def some_history(world: World, matches: int = 60) -> None:
    """So many rated matches of four players, of whom alice is the best and dave the weakest."""
    dice = random.Random(7)
    strength = {"alice": 4, "bob": 3, "carol": 2, "dave": 1}
    games = []
    for _number in range(matches):
        first, second = dice.sample(sorted(strength), 2)
        total = strength[first] + strength[second]
        won = dice.random() < strength[first] / total
        games.append(f"{first}>{second}" if won else f"{second}>{first}")
    history(world, " ".join(games))


def work(report: ReplayReport, now: datetime, most: int = 1000) -> ReplayReport:
    """Compute every part that waits, as workers would, until none is left."""
    for _turn in range(most):
        waiting = ReplayPart.objects.filter(report=report, state=ReplayPart.State.WAITING).order_by("position")
        part = waiting.values_list("pk", flat=True).first()
        if part is None:
            return ReplayReport.objects.get(pk=report.pk)
        report_runs.run_part(part_id=part, clock=ticking(now))
    raise AssertionError("the report never ends")


def ticking(now: datetime) -> report_runs.Clock:
    """A clock that goes on a second with every look."""
    moments: Iterator[datetime] = (now + timedelta(seconds=number) for number in range(10_000))
    return lambda: next(moments)


def replayed(world: World, *models: ModelChoice, by: UUID | None = None) -> ReplayReport:
    """A finished replay of these models."""
    report = reports.request_replay(
        queue_id=world.queue.pk, models=models or (GLICKO2, ELO), requested_by=by, now=world.now
    )
    return work(report, world.now)


def in_force(world: World) -> RatingModel:
    """The model that rates the queue now."""
    return RatingModel.objects.get(queue=world.queue, state=RatingModel.State.IN_FORCE)
