"""Replays and fits over a queue's history: asked for, watched, called off. Workers compute them part by part."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ratings.core.fit import axes_for
from ratings.core.periods import MATCH, WEEK, check_period
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.requests import FitSettings, ModelChoice, ReplaySettings
from ratings.errors import DomainError
from ratings.models import ReplayReport
from ratings.selectors.models import choice_of
from ratings.selectors.queues import plays_duels
from ratings.selectors.replay_history import history_size
from ratings.services import fit_search, report_parts

__all__ = ["cancel", "choice_of", "request_fit", "request_replay", "resend"]

MOST_MODELS = 8
MOST_OPEN = 5
LONGEST_TITLE = 120
LONGEST_LABEL = 80
MEANT_FOR_PERIODS = ("glicko", "glicko2")
FEWEST_TO_FIT = 50


def request_replay(
    *,
    queue_id: UUID,
    models: Sequence[ModelChoice],
    requested_by: UUID | None,
    now: datetime,
    title: str = "",
    ignore_first: float = 0.1,
    ageing: bool = True,
) -> ReplayReport:
    """Replay these models over everything that the queue has rated until now; workers begin after commit.

    A Glicko model that rates match by match stands beside itself with the weekly periods that its author meant.
    ignore_first: share of the matches that is rated and not measured. Raises DomainError ("no_models",
    "same_label", "bad_parameter", "bad_share", "title_length", "too_many_reports").
    """
    if not 1 <= len(models) <= MOST_MODELS:
        raise DomainError("no_models", _("A replay compares one to %(n)d models.") % {"n": MOST_MODELS})
    chosen = tuple(_with_periods([_completed(one, queue_id) for one in models], queue_id))
    labels = [one.label for one in chosen]
    if len(set(labels)) < len(labels):
        raise DomainError("same_label", _("Two models of one replay cannot have the same name."))
    _check_share(ignore_first)
    wish = ReplaySettings(chosen, ignore_first, ageing)
    count = history_size(queue_id=queue_id, until=now)
    report = ReplayReport(
        queue_id=queue_id,
        kind=ReplayReport.Kind.REPLAY,
        title=title or " · ".join(labels)[:LONGEST_TITLE],
        requested_by_id=requested_by,
        settings=wish.as_dict(),
        history_matches=count,
        history_until=now,
        progress_total=count * len(chosen),
        created_at=now,
    )
    parts = [(one.label, one.as_dict()) for one in chosen]
    return _start(report, parts, now)


def request_fit(
    *,
    queue_id: UUID,
    start: ModelChoice,
    requested_by: UUID | None,
    now: datetime,
    only: Sequence[str] = (),
    train: float = 0.6,
    ignore_first: float = 0.1,
    rounds: int = 40,
    title: str = "",
    ageing: bool = True,
) -> ReplayReport:
    """Search a model's parameters on the first part of the queue's history and measure them on the rest.

    only: parameters to search, the usual ones where empty. train: the share searched on. rounds: at most so many.
    Raises DomainError ("bad_parameter", "bad_share", "bad_rounds", "too_few_matches", "title_length",
    "too_many_reports").
    """
    begin = _completed(start, queue_id)
    try:
        axes_for(begin.name, only)
    except RatingInputError as error:
        raise DomainError("bad_parameter", str(error)) from error
    _check_share(ignore_first)
    if not ignore_first < train < 1.0:
        raise DomainError("bad_share", _("Search on more than what is ignored, and leave something to measure on."))
    if not 1 <= rounds <= 200:
        raise DomainError("bad_rounds", _("A search takes 1 to 200 rounds."))
    count = history_size(queue_id=queue_id, until=now)
    if count < FEWEST_TO_FIT:
        sentence = _("A search needs at least %(n)d rated matches; this queue has %(count)d.")
        raise DomainError("too_few_matches", sentence % {"n": FEWEST_TO_FIT, "count": count})
    wish = FitSettings(begin, tuple(only), train, ignore_first, rounds, ageing)
    report = ReplayReport(
        queue_id=queue_id,
        kind=ReplayReport.Kind.FIT,
        title=title or begin.label,
        requested_by_id=requested_by,
        settings=wish.as_dict(),
        history_matches=count,
        history_until=now,
        created_at=now,
    )
    return _start(report, [], now)


def cancel(*, report_id: UUID, now: datetime) -> ReplayReport:
    """Call a report off; what is being computed stops at its next step. A second time, or when it is over, a no-op.

    Raises NotFound.
    """
    return report_parts.cancel(report_id, now)


def resend(*, now: datetime) -> int:
    """Send again what lost workers and lost messages left behind; returns how many parts."""
    return report_parts.resend(now)


def _start(report: ReplayReport, parts: Sequence[tuple[str, dict[str, Any]]], now: datetime) -> ReplayReport:
    if len(report.title) > LONGEST_TITLE:
        raise DomainError("title_length", _("A title has at most %(n)d characters.") % {"n": LONGEST_TITLE})
    with transaction.atomic():
        if ReplayReport.objects.filter(queue=report.queue_id, state__in=report_parts.OPEN_REPORTS).count() >= MOST_OPEN:
            raise DomainError("too_many_reports", _("Wait for the reports of this queue that are being computed."))
        report.save(force_insert=True)
        if report.kind == ReplayReport.Kind.FIT:
            fit_search.advance(report, now)
        else:
            report_parts.add_parts(report, parts, now)
    return report


def _completed(choice: ModelChoice, queue_id: UUID) -> ModelChoice:
    try:
        complete = choice.completed()
        sizes = (2, 1) if plays_duels(queue_id) else (2, 2)
        check_period(get_engine(choice.name, choice.parameters), choice.period, *sizes)
    except RatingInputError as error:
        raise DomainError("bad_parameter", str(error)) from error
    return replace(complete, label=choice.label[:LONGEST_LABEL] or choice.name)


def _with_periods(models: Sequence[ModelChoice], queue_id: UUID) -> Iterator[ModelChoice]:
    """The models, each that its author meant for rating periods followed by the same with weekly ones."""
    asked = [(one.name, one.parameters, one.period) for one in models]
    duels = plays_duels(queue_id)
    for one in models:
        yield one
        meant_for_periods = one.name in MEANT_FOR_PERIODS and one.period == MATCH
        if duels and meant_for_periods and (one.name, one.parameters, WEEK) not in asked:
            label = _("%(model)s, weekly periods") % {"model": one.label}
            yield replace(one, label=label, period=WEEK, rating_model="")


def _check_share(share: float) -> None:
    if not 0.0 <= share < 1.0:
        raise DomainError("bad_share", _("The share that is not measured is at least 0 and below 1."))
