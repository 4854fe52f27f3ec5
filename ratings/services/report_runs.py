"""What a worker does with a part of a report: read the queue's history, run one model or candidate over it."""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseError
from django.utils.translation import gettext as _

from ratings.core.fit import loss_over
from ratings.core.problems import RatingInputError
from ratings.core.replay_steps import Step
from ratings.core.report import LISTED, Measured, Settings, everybody, moved_places
from ratings.core.requests import FitSettings, ModelChoice, ReplaySettings
from ratings.errors import DomainError
from ratings.models import ReplayPart, ReplayReport
from ratings.services import fit_search
from ratings.services.model_drafts import mark_replayed
from ratings.services.report_histories import forget, history_of
from ratings.services.report_parts import Hold, LostPart, claim, complete, fail, finish, go_on

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
WORTH_COMPILING = 300_000  # matches from which on loading the compiler, two seconds and 130 MB, pays for one walk
WORTH_COMPILING_FIT = 50_000  # and for the few walks of a part of a search
TOLD_EVERY = 5_000  # matches between two signs of life; the slowest engine takes a second for them


def run_part(*, part_id: UUID, clock: Clock) -> bool:
    """Compute a part, if it is to be had; True if this call handed it in.

    Any number of workers may be asked for the same part. Whatever cannot be computed ends the report with a sentence;
    a database that is away leaves the part to be sent again.
    """
    hold = claim(part_id, clock())
    if hold is None:
        return False
    try:
        if hold.report.kind == ReplayReport.Kind.FIT:
            _measure_candidates(hold, clock)
        else:
            _replay_model(hold, clock)
    except LostPart:
        return False
    except DatabaseError:
        raise
    except (RatingInputError, DomainError) as error:
        fail(hold.report.pk, str(error), clock())
        return False
    except Exception:
        logger.exception("part %s of report %s", hold.part_id, hold.report.pk)
        fail(hold.report.pk, _("Something went wrong inside; the worker's log says what."), clock())
        return False
    return True


def run_report(*, report_id: UUID, clock: Clock, pause: Callable[[], None]) -> ReplayReport:
    """Compute a report here, part by part, beside the workers; `pause` while they hold what is left of it.

    Raises DomainError when it fails or is called off.
    """
    while True:
        waiting = ReplayPart.objects.filter(report=report_id, state=ReplayPart.State.WAITING).order_by("position")
        part = waiting.values_list("pk", flat=True).first()
        if part is not None:
            run_part(part_id=part, clock=clock)
            continue
        report = ReplayReport.objects.get(pk=report_id)
        if report.state == ReplayReport.State.DONE:
            return report
        if not report.is_open:
            raise DomainError("report_ended", report.error or _("This report was called off."))
        pause()


def _replay_model(hold: Hold, clock: Clock) -> None:
    wish, choice = ReplaySettings.of(hold.report.settings), ModelChoice.of(hold.task)
    count = hold.report.history_matches or 0
    how = Settings(
        ignored=int(count * wish.ignore_first),
        ageing=wish.ageing,
        accelerate=None if count >= WORTH_COMPILING else False,
        cache_folder=_cache_folder(),
        clock=time.perf_counter,
    )
    measured = Measured(choice.spec(), how)
    reading = history_of(hold.report, choice.period)
    for step in _watched(reading.steps(), lambda: go_on(hold, measured.seen, clock())):
        measured.take_step(step)
    go_on(hold, measured.seen, clock())
    figures = measured.figures()  # first: it also rates the last period
    standings = everybody(measured.replay, [str(player) for player in reading.history.players])
    result = {"matches": measured.seen, "figures": figures, "standings": standings}
    finish(hold, result, reading.history.digest, _assemble, clock())


def _assemble(report: ReplayReport, now: datetime) -> None:
    """All models are in: put them side by side."""
    wish = ReplaySettings.of(report.settings)
    parts = {part.key: part.result for part in report.parts.filter(state=ReplayPart.State.DONE)}
    reference = parts[wish.models[0].label]["standings"]
    models = []
    for choice in wish.models:
        found = parts[choice.label]
        standings = [
            {"place": place, "player": row[0], "rating": row[1], "deviation": row[2], "games": row[3]}
            for place, row in enumerate(found["standings"][:LISTED], start=1)
        ]
        movers = moved_places(found["standings"], reference)
        models.append({**choice.as_dict(), **found["figures"], "standings": standings, "movers": movers})
    report.history_matches = max(part["matches"] for part in parts.values())
    report.progress_total = sum(part["matches"] for part in parts.values())
    complete(report, {"models": models}, now)
    mark_replayed(report, wish.models)
    forget()


def _measure_candidates(hold: Hold, clock: Clock) -> None:
    report = hold.report
    wish = FitSettings.of(report.settings)
    reading = history_of(report, wish.start.period)
    losses: dict[str, float] = {}
    for key, task in hold.task.items():
        losses[key] = loss_over(
            wish.start.name,
            task["parameters"],
            _watched(reading.steps(), lambda: go_on(hold, len(losses), clock())),
            (task["from"], task["to"]),
            ageing=wish.ageing,
            accelerate=None if (report.history_matches or 0) >= WORTH_COMPILING_FIT else False,
            cache_folder=_cache_folder(),
            period=wish.start.period,
        )
        go_on(hold, len(losses), clock())
    finish(hold, {"losses": losses}, reading.history.digest, _advance, clock())


def _advance(report: ReplayReport, now: datetime) -> None:
    fit_search.advance(report, now)
    if not report.is_open:
        forget()


def _watched(steps: Iterable[Step], tell: Callable[[], None]) -> Iterable[Step]:
    """The same steps; after every few thousand matches the lease is renewed and the progress told."""
    waiting = 0
    for step in steps:
        yield step
        waiting += len(step.chunk)
        if waiting >= TOLD_EVERY:
            waiting = 0
            tell()


def _cache_folder() -> Path:
    return Path(settings.VAR_DIR) / "numba"
