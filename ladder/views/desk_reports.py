"""The club desk of organizers: replays of the history and searches of parameters, asked for, watched, compared."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.core.permissions import Capability
from ladder.models import Player
from ladder.selectors import model_starts, rating_reports
from ladder.selectors import rating_models as models_of
from ladder.selectors.access import Access
from ladder.services import rating_models
from ladder.views.access import club_page
from ladder.views.answers import is_swap, living_part, status_of, version_of
from ladder.views.desk_model_forms import CompareForm, EngineForm, FitForm, ReplayForm
from ladder.views.downloads import csv_file
from ladder.views.record_forms import asked
from ratings.errors import DomainError, NotAllowed, NotFound
from ratings.models import ReplayReport
from ratings.selectors import reports


@club_page(Capability.MANAGE_MODELS)
@require_http_methods(["GET", "POST"])
def replay(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Ask for a replay of several models side by side."""
    queue = models_of.queue_of(access, queue_slug)
    offered = model_starts.replay_choices(queue)
    form = ReplayForm(request.POST or None, choices=offered.pairs, initial={"models": offered.first})

    def ask(actor: Player) -> ReplayReport:
        return rating_models.replay(
            queue=queue,
            actor=actor,
            models=offered.chosen(form.cleaned_data["models"]),
            title=form.cleaned_data["title"],
            ignore_first=form.ignored_share,
            ageing=form.cleaned_data["ageing"],
            now=timezone.now(),
        )

    return _asking(request, access, form, ask, "ratings/replay.html", {"queue": queue, "offered": offered})


@club_page(Capability.MANAGE_MODELS)
@require_http_methods(["GET", "POST"])
def fit(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Ask for a search of a model's parameters."""
    queue = models_of.queue_of(access, queue_slug)
    start = model_starts.start_of(queue, **asked(EngineForm, request))
    offered = model_starts.fit_choices(start.algorithm)
    form = FitForm(request.POST or None, choices=offered.pairs, initial={"only": offered.first})

    def ask(actor: Player) -> ReplayReport:
        return rating_models.fit(
            queue=queue,
            actor=actor,
            start=start.choice,
            only=form.cleaned_data["only"],
            train=form.train_share,
            ignore_first=form.ignored_share,
            rounds=form.cleaned_data["rounds"],
            title=form.cleaned_data["title"],
            ageing=form.cleaned_data["ageing"],
            now=timezone.now(),
        )

    more = {"queue": queue, "start": start, "starts": model_starts.starts(queue), "engines": models_of.engine_choices()}
    return _asking(request, access, form, ask, "ratings/fit.html", more)


def _asking(
    request: HttpRequest, access: Access, form: Any, ask: Any, template: str, more: dict[str, Any]
) -> HttpResponse:
    """The form, kept with its errors; once the report is asked for, its page."""
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        try:
            report = ask(access.player)
        except (NotAllowed, NotFound):
            raise
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            status = status_of(refusal)
        else:
            return redirect("desk_report", access.club.slug, more["queue"].slug, report.pk)
    return render(request, template, {"access": access, "tab": "ratings", "form": form, **more}, status=status)


@club_page(Capability.MANAGE_MODELS)
@require_safe
def report(request: HttpRequest, access: Access, queue_slug: str, report_id: UUID) -> HttpResponse:
    """A report: how far it is, and once it is done everything in it. A poll gets the progress alone."""
    queue = models_of.queue_of(access, queue_slug)
    if is_swap(request):
        row = reports.report_row(queue_id=queue.pk, report_id=report_id)
        if not row.is_open:
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        return living_part(request, "ratings/_progress.html", {"access": access, "queue": queue, "row": row})
    page = rating_reports.report_page_of(queue, report_id)
    context: dict[str, Any] = {"access": access, "tab": "ratings", "queue": queue, "page": page, "row": page.detail.row}
    context["version"] = version_of(request, "ratings/_progress.html", context)
    return render(request, "ratings/report.html", context)


@club_page(Capability.MANAGE_MODELS)
@require_POST
def cancel(request: HttpRequest, access: Access, queue_slug: str, report_id: UUID) -> HttpResponse:
    """Call a report off."""
    queue = models_of.queue_of(access, queue_slug)
    found = model_starts.report_of(queue, report_id)
    assert access.player is not None
    ended = rating_models.cancel(report=found, actor=access.player, now=timezone.now())
    if ended.state == ReplayReport.State.CANCELLED:
        messages.success(request, _("Called off. Nothing was changed."))
    else:
        messages.info(request, _("It was over already."))
    return redirect("desk_report", access.club.slug, queue.slug, report_id)


@club_page(Capability.MANAGE_MODELS)
@require_safe
def compare(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Finished replays side by side."""
    queue = models_of.queue_of(access, queue_slug)
    offered = model_starts.finished_replays(queue)
    form = CompareForm(request.GET, choices=offered)
    context: dict[str, Any] = {"access": access, "tab": "ratings", "queue": queue, "form": form, "offered": offered}
    wanted = form.cleaned_data["report"] if form.is_valid() else []
    if len(wanted) > 1:
        context["found"] = rating_reports.comparison_of(queue, [UUID(one) for one in wanted])
    return render(request, "ratings/compare.html", {**context, "wanted": wanted})


@club_page(Capability.MANAGE_MODELS)
@require_safe
def as_json(_request: HttpRequest, access: Access, queue_slug: str, report_id: UUID) -> HttpResponse:
    """Everything that is stored of a report."""
    queue = models_of.queue_of(access, queue_slug)
    told = reports.report_as_json(queue_id=queue.pk, report_id=report_id)
    answer = HttpResponse(json.dumps(told, indent=1, default=str) + "\n", content_type="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="report-{report_id}.json"'
    return answer


@club_page(Capability.MANAGE_MODELS)
@require_safe
def figures(_request: HttpRequest, access: Access, queue_slug: str, report_id: UUID) -> HttpResponse:
    """The figures of a report as CSV."""
    queue = models_of.queue_of(access, queue_slug)
    rows = reports.figures_as_rows(queue_id=queue.pk, report_id=report_id)
    return csv_file(rows, f"figures-{report_id}.csv")


@club_page(Capability.MANAGE_MODELS)
@require_safe
def standings(_request: HttpRequest, access: Access, queue_slug: str, report_id: UUID) -> HttpResponse:
    """Where everybody would stand under each model of a replay, as CSV."""
    queue = models_of.queue_of(access, queue_slug)
    rows = reports.standings_as_rows(queue_id=queue.pk, report_id=report_id)
    return csv_file(rows, f"standings-{report_id}.csv")
