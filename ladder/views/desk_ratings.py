"""The club desk of organizers: rating models, from a draft to the one in force."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.core.permissions import Capability
from ladder.models import Player
from ladder.selectors import model_starts
from ladder.selectors import rating_models as models_of
from ladder.selectors.access import Access
from ladder.services import rating_models
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ladder.views.desk_model_forms import DraftForm, EngineForm, RevisionForm
from ladder.views.record_forms import asked
from ratings.errors import DomainError, NotAllowed, NotFound
from ratings.models import RatingModel


@club_page(Capability.MANAGE_MODELS)
@require_safe
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    """Every queue with the model that rates it; a club with one queue goes straight to it."""
    cards = models_of.overview(access)
    if len(cards) == 1:
        return redirect("desk_models", access.club.slug, cards[0].queue.slug)
    return render(request, "ratings/overview.html", {"access": access, "tab": "ratings", "cards": cards})


@club_page(Capability.MANAGE_MODELS)
@require_safe
def queue(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """A queue's models and reports."""
    page = models_of.queue_models(access, queue_slug, after=request.GET.get("after", ""))
    return render(request, "ratings/queue.html", {"access": access, "tab": "ratings", "page": page})


@club_page(Capability.MANAGE_MODELS)
@require_safe
def model(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """One model: its parameters, and the next step on its way."""
    page = models_of.model_page(access, queue_slug, model_id)
    return render(request, "ratings/model.html", {"access": access, "tab": "ratings", "page": page})


@club_page(Capability.MANAGE_MODELS)
@require_http_methods(["GET", "POST"])
def new_draft(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """A draft that begins with an engine as shipped, a stored model, or what a search found."""
    queue = models_of.queue_of(access, queue_slug)
    start = model_starts.start_of(queue, **asked(EngineForm, request))
    form = DraftForm(
        request.POST or None,
        algorithm=start.algorithm,
        periods=models_of.periods_for(queue, start.algorithm),
        initial={**start.parameters, "period": start.period, "note": start.note},
    )

    def keep(actor: Player) -> RatingModel:
        return rating_models.create_draft(
            queue=queue, actor=actor, algorithm=start.algorithm, now=timezone.now(), **_told(form)
        )

    return _draft_page(request, access, queue.slug, form, keep, {"start": start, "queue": queue})


@club_page(Capability.MANAGE_MODELS)
@require_http_methods(["GET", "POST"])
def edit_draft(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """Other parameters for a model that is not in force; it has to be replayed and approved anew."""
    queue = models_of.queue_of(access, queue_slug)
    model = models_of.model_of(queue, model_id)
    form = DraftForm(
        request.POST or None,
        algorithm=model.algorithm,
        periods=models_of.periods_for(queue, model.algorithm),
        initial={**model.parameters, "period": model.period, "note": model.note, "revision": model.revision},
    )

    def keep(actor: Player) -> RatingModel:
        seen = form.cleaned_data["revision"]
        return rating_models.edit_draft(
            model=model,
            actor=actor,
            revision=-1 if seen is None else seen,
            algorithm=model.algorithm,
            now=timezone.now(),
            **_told(form),
        )

    start = model_starts.start_of_model(model)
    return _draft_page(request, access, queue.slug, form, keep, {"start": start, "queue": queue, "model": model})


def _told(form: DraftForm) -> dict[str, Any]:
    return {"parameters": form.parameters, "period": form.chosen_period, "note": form.cleaned_data["note"]}


def _draft_page(
    request: HttpRequest,
    access: Access,
    queue_slug: str,
    form: DraftForm,
    keep: Callable[[Player], RatingModel],
    more: dict[str, Any],
) -> HttpResponse:
    """The form, kept with its errors; once it is taken, the model's page."""
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        try:
            made = keep(access.player)
        except (NotAllowed, NotFound):
            raise
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            status = status_of(refusal)
        else:
            messages.success(request, _("The draft is kept. Replay it to see what it would have done."))
            return redirect("desk_model", access.club.slug, queue_slug, made.pk)
    engines = models_of.engine_choices()
    context = {"access": access, "tab": "ratings", "form": form, "engines": engines, **more}
    return render(request, "ratings/draft.html", context, status=status)


@club_page(Capability.MANAGE_MODELS)
@require_POST
def replay(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """Replay this model beside the one in force."""
    queue = models_of.queue_of(access, queue_slug)
    model = models_of.model_of(queue, model_id)
    assert access.player is not None
    try:
        report = rating_models.replay_model(model=model, actor=access.player, now=timezone.now())
    except DomainError as refusal:
        return _refused(request, access, queue_slug, model_id, refusal)
    return redirect("desk_report", access.club.slug, queue_slug, report.pk)


@club_page(Capability.MANAGE_MODELS)
@require_POST
def approve(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """Say that a replayed model may come into force."""
    model = models_of.model_of(models_of.queue_of(access, queue_slug), model_id)
    assert access.player is not None
    try:
        rating_models.approve(model=model, actor=access.player, revision=_revision(request), now=timezone.now())
    except DomainError as refusal:
        return _refused(request, access, queue_slug, model_id, refusal)
    messages.success(request, _("Approved. It rates nothing before somebody puts it in force."))
    return redirect("desk_model", access.club.slug, queue_slug, model_id)


@club_page(Capability.MANAGE_MODELS)
@require_POST
def discard(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """Throw a draft away."""
    model = models_of.model_of(models_of.queue_of(access, queue_slug), model_id)
    assert access.player is not None
    try:
        rating_models.discard_draft(model=model, actor=access.player, revision=_revision(request), now=timezone.now())
    except DomainError as refusal:
        return _refused(request, access, queue_slug, model_id, refusal)
    messages.success(request, _("The draft is gone. Its reports stay."))
    return redirect("desk_models", access.club.slug, queue_slug)


@club_page(Capability.MANAGE_MODELS)
@require_http_methods(["GET", "POST"])
def force(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    """What would happen if the model came into force, and the button that does it."""
    if request.method == "POST":
        return _put_in_force(request, access, queue_slug, model_id)
    found = models_of.consequences(access, queue_slug, model_id)
    return render(request, "ratings/force.html", {"access": access, "tab": "ratings", "found": found})


def _put_in_force(request: HttpRequest, access: Access, queue_slug: str, model_id: UUID) -> HttpResponse:
    model = models_of.model_of(models_of.queue_of(access, queue_slug), model_id)
    assert access.player is not None
    try:
        change = rating_models.put_in_force(
            model=model, actor=access.player, revision=_revision(request), now=timezone.now()
        )
    except DomainError as refusal:
        return _refused(request, access, queue_slug, model_id, refusal)
    done = _("The model is in force. Matches formed from now on are rated by it.")
    if change.moved:
        done += " " + ngettext(
            "%(count)d rating was carried to its scale.", "%(count)d ratings were carried to its scale.", change.moved
        ) % {"count": change.moved}
    messages.success(request, done)
    return redirect("desk_models", access.club.slug, queue_slug)


def _revision(request: HttpRequest) -> int:
    """The revision that the form was drawn from; -1, which no model has, for none."""
    form = RevisionForm(request.POST)
    return int(form.cleaned_data["revision"]) if form.is_valid() else -1


def _refused(
    request: HttpRequest, access: Access, queue_slug: str, model_id: UUID, refusal: DomainError
) -> HttpResponse:
    """Say why not, and go back to the model; what is not there or not theirs is the doorkeeper's to answer."""
    if isinstance(refusal, NotAllowed | NotFound):
        raise refusal
    messages.error(request, refusal.message)
    return redirect("desk_model", access.club.slug, queue_slug, model_id)
