"""Stored replays and fits: the list, one with all its figures, several side by side, and what can be downloaded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ratings.errors import DomainError, NotFound
from ratings.models import RatingModel, ReplayPart, ReplayReport
from ratings.selectors.report_figures import (
    FitFigures,
    ModelFigures,
    ShippedFigures,
    fit_figures,
    model_figures,
    people_of,
    shipped_figures,
)

PAGE = 50
MOST_COMPARED = 6
_FIGURES = ("matches", "log_loss", "brier", "accuracy", "ece", "pair_accuracy")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report in a list. percent: how far it is; message: what is going on; error: why it failed.

    models: labels, of a fit the label it began with. matches: of the history, None for a shipped model.
    """

    id: UUID
    kind: str
    kind_label: str
    state: str
    state_label: str
    is_open: bool
    title: str
    requested_by: str
    models: tuple[str, ...]
    matches: int | None
    percent: int
    message: str
    error: str
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page of reports; after: the cursor of the following page, empty at the end."""

    rows: tuple[ReportRow, ...]
    after: str


@dataclass(frozen=True, slots=True)
class ReportDetail:
    """A report with everything in it; `models`, `fit` or `shipped` by its kind, empty until it is done.

    settings: as they were asked for (ratings.core.requests). drafts: models of the queue that stand on this report.
    """

    row: ReportRow
    settings: dict[str, Any]
    history_until: datetime | None
    history_digest: str
    models: tuple[ModelFigures, ...]
    fit: FitFigures | None
    shipped: tuple[ShippedFigures, ...]
    drafts: tuple[RatingModel, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One model of one report, beside others."""

    report: ReportRow
    figures: ModelFigures


@dataclass(frozen=True, slots=True)
class Comparison:
    """Finished replays of one queue side by side; differences: a sentence for each reason not to trust it blindly."""

    reports: tuple[ReportRow, ...]
    models: tuple[Compared, ...]
    differences: tuple[str, ...]


def report_page(*, queue_id: UUID, after: str = "", limit: int = PAGE) -> ReportPage:
    """The queue's reports, the newest first, from behind the cursor `after`; one query.

    A cursor that is none of ours gives the first page.
    """
    reports = _ordered(queue_id).defer("result")
    cursor = _read_cursor(after)
    if cursor is not None:
        at, key = cursor
        reports = reports.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=key), created_at__lte=at)
    found = list(reports[: limit + 1])
    shown = found[:limit]
    return ReportPage(tuple(map(_row, shown)), _cursor(shown[-1]) if len(found) > limit else "")


def report_row(*, queue_id: UUID, report_id: UUID) -> ReportRow:
    """How a report is getting on; one query. Raises NotFound, also for a report of another queue."""
    return _row(_found(_ordered(queue_id).defer("result"), report_id))


def report_detail(*, queue_id: UUID, report_id: UUID) -> ReportDetail:
    """A report with all its figures; three queries. Raises NotFound, also for a report of another queue."""
    report = _found(_ordered(queue_id), report_id)
    done = report.state == ReplayReport.State.DONE
    result = report.result if done else {}
    stored = result.get("models", [])
    names = player_names(people_of(stored)) if stored else {}
    return ReportDetail(
        row=_row(report),
        settings=report.settings,
        history_until=report.history_until,
        history_digest=report.history_digest,
        models=tuple(model_figures(one, names) for one in stored),
        fit=fit_figures(result["fit"], report.settings["start"]["parameters"]) if "fit" in result else None,
        shipped=shipped_figures(result.get("reports", [])),
        drafts=tuple(RatingModel.objects.filter(report=report).order_by("version")),
    )


def compare_reports(*, queue_id: UUID, report_ids: Sequence[UUID]) -> Comparison:
    """Finished replays side by side, in the order given; two queries.

    Raises NotFound for one that is not of this queue, DomainError("not_comparable") for one that is no finished replay.
    """
    wanted = list(dict.fromkeys(report_ids))[:MOST_COMPARED]
    found = {report.pk: report for report in _ordered(queue_id).filter(pk__in=wanted)}
    if len(found) < len(wanted):
        raise NotFound("no_such_report", _("There is no such report."))
    reports = [found[key] for key in wanted]
    for report in reports:
        if (report.kind, report.state) != (ReplayReport.Kind.REPLAY, ReplayReport.State.DONE):
            raise DomainError("not_comparable", _("Only finished replays can be compared."))
    stored = [(report, one) for report in reports for one in report.result["models"]]
    names = player_names(people_of([one for _report, one in stored]))
    return Comparison(
        reports=tuple(map(_row, reports)),
        models=tuple(Compared(_row(report), model_figures(one, names)) for report, one in stored),
        differences=tuple(_differences(reports)),
    )


def report_as_json(*, queue_id: UUID, report_id: UUID) -> dict[str, Any]:
    """Everything that is stored of a report but the whole tables, players by id, ready for JSON. Raises NotFound."""
    report = _found(_ordered(queue_id), report_id)
    row = asdict(_row(report))
    return {
        **row,
        "id": str(report.pk),
        "created_at": report.created_at.isoformat(),
        "finished_at": report.finished_at.isoformat() if report.finished_at else None,
        "history_until": report.history_until.isoformat() if report.history_until else None,
        "history_digest": report.history_digest,
        "settings": report.settings,
        "result": report.result if report.state == ReplayReport.State.DONE else {},
    }


def figures_as_rows(*, queue_id: UUID, report_id: UUID) -> Iterator[list[Any]]:
    """A finished replay's figures as a table with a heading: a row per model and part of the matches."""
    detail = report_detail(queue_id=queue_id, report_id=report_id)
    yield ["model", "part", *_FIGURES]
    for model in detail.models:
        parts = [("all", model.total), ("newcomers", model.newcomers)]
        parts += [(f"band {group.value}", group.figures) for group in model.bands]
        parts += [(f"party of {group.value}", group.figures) for group in model.party_sizes]
        for part, figures in parts:
            yield [model.label, part, *(getattr(figures, name) for name in _FIGURES)]
    for span in detail.fit.spans if detail.fit else ():
        yield [f"{detail.fit.name} start" if detail.fit else "", span.name, span.matches, span.start]
        yield [f"{detail.fit.name} fitted" if detail.fit else "", span.name, span.matches, span.fitted]


def standings_as_rows(*, queue_id: UUID, report_id: UUID) -> Iterator[list[Any]]:
    """Where everybody would stand under each model of a finished replay, as a table with a heading."""
    report = _found(_ordered(queue_id), report_id)
    yield ["model", "place", "handle", "name", "rating", "deviation", "matches"]
    for part in report.parts.filter(state=ReplayPart.State.DONE).order_by("position").iterator(1):
        standings = part.result.get("standings", [])
        people = _people(row[0] for row in standings)
        for place, (player, rating, deviation, games) in enumerate(standings, start=1):
            yield [part.key, place, *people.get(player, ("", "")), rating, deviation, games]


def player_names(ids: Iterable[str]) -> dict[str, str]:
    """Names by id, as text; one query."""
    return {key: name for key, (_handle, name) in _people(ids).items()}


def player_handles(ids: Iterable[UUID]) -> list[str]:
    """Handles, in the order of the ids; one query."""
    wanted = [str(key) for key in ids]
    people = _people(wanted)
    return [people[key][0] for key in wanted]


def _people(ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Handle and name by id. The table is of a higher package: named, never imported."""
    players = apps.get_model("ladder", "Player")._default_manager.filter(pk__in=list(ids))
    return {str(player.pk): (player.handle, str(player)) for player in players}


def _ordered(queue_id: UUID) -> QuerySet[ReplayReport]:
    return ReplayReport.objects.filter(queue=queue_id).select_related("requested_by").order_by("-created_at", "-id")


def _found(reports: QuerySet[ReplayReport], report_id: UUID) -> ReplayReport:
    report = reports.filter(pk=report_id).first()
    if report is None:
        raise NotFound("no_such_report", _("There is no such report."))
    return report


def _row(report: ReplayReport) -> ReportRow:
    return ReportRow(
        id=report.pk,
        kind=report.kind,
        kind_label=str(report.get_kind_display()),
        state=report.state,
        state_label=str(report.get_state_display()),
        is_open=report.is_open,
        title=report.title,
        requested_by=str(report.requested_by) if report.requested_by else "",
        models=_labels(report.settings),
        matches=report.history_matches,
        percent=_percent(report),
        message=report.message,
        error=report.error,
        created_at=report.created_at,
        finished_at=report.finished_at,
    )


def _labels(settings: dict[str, Any]) -> tuple[str, ...]:
    if "models" in settings:
        return tuple(one["label"] for one in settings["models"])
    return (settings["start"]["label"],) if "start" in settings else (settings.get("preset", ""),)


def _percent(report: ReplayReport) -> int:
    if report.state == ReplayReport.State.DONE:
        return 100
    return min(99, 100 * report.progress_done // report.progress_total) if report.progress_total else 0


def _differences(reports: Sequence[ReplayReport]) -> Iterator[str]:
    if len({report.history_digest for report in reports}) > 1:
        counts = ", ".join(str(report.history_matches) for report in reports)
        yield _("These replays read different histories (matches: %(counts)s).") % {"counts": counts}
    if len({report.settings["ignore_first"] for report in reports}) > 1:
        yield _("They leave different shares of the matches unmeasured.")
    if len({report.settings["ageing"] for report in reports}) > 1:
        yield _("Not all of them let ratings age between matches.")


def _cursor(report: ReplayReport) -> str:
    return f"{report.created_at.isoformat()}_{report.pk}"


def _read_cursor(word: str) -> tuple[datetime, UUID] | None:
    at, _separator, key = word.rpartition("_")
    try:
        moment, identifier = datetime.fromisoformat(at), UUID(key)
    except ValueError:
        return None
    return (moment, identifier) if moment.tzinfo else None
