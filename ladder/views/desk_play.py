"""The club desk of organizers: queues and seasons."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ladder.core.permissions import Capability
from ladder.models import Queue, Season
from ladder.selectors import desk
from ladder.selectors.access import Access
from ladder.services import queues as queue_services
from ladder.services import seasons as season_services
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ladder.views.desk import carried_out, refused
from ladder.views.desk_forms import MarginForm, QueueForm, QueueStateForm, SeasonForm
from ratings.errors import DomainError


@club_page(Capability.MANAGE_QUEUES)
@require_http_methods(["GET", "POST"])
def queues(request: HttpRequest, access: Access) -> HttpResponse:
    """The club's queues, and a form for another."""
    form = QueueForm(request.POST or None)
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        try:
            made = queue_services.create_queue(
                club=access.club, actor=access.player, now=timezone.now(), **form.cleaned_data
            )
        except DomainError as refusal:
            status = _said(form, refusal)
        else:
            messages.success(
                request, _("%(name)s is made. Put it into a season to have it played.") % {"name": made.name}
            )
            return redirect("desk_queues", access.club.slug)
    context = {"access": access, "tab": "queues", "form": form, "queues": desk.queues(access)}
    return render(request, "desk/queues.html", context, status=status)


@club_page(Capability.MANAGE_QUEUES)
@require_POST
def queue_state(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Open or close a queue."""
    queue = desk.queue_named(access, queue_slug)
    form = QueueStateForm(request.POST)
    if not form.is_valid():
        return refused(request, _("A queue is open or closed."), access, "desk_queues")
    state = Queue.State(form.cleaned_data["state"])
    assert access.player is not None
    actor = access.player
    is_open = state == Queue.State.OPEN
    done = _("%(name)s is open.") if is_open else _("%(name)s is closed: nobody can join it. Matches under way go on.")
    return carried_out(
        request,
        lambda: queue_services.set_state(queue=queue, actor=actor, state=state, now=timezone.now()),
        done % {"name": queue.name},
        access,
        "desk_queues",
    )


@club_page(Capability.MANAGE_QUEUES)
@require_POST
def queue_margin(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Say from which difference on a match counts as one-sided; back to the page that counts them."""
    queue = desk.queue_named(access, queue_slug)
    form = MarginForm(request.POST)
    assert access.player is not None
    try:
        if not form.is_valid():
            raise DomainError("stomp_margin", " ".join(map(str, form.errors["margin"])))
        queue_services.set_stomp_margin(
            queue=queue, actor=access.player, margin=form.cleaned_data["margin"], now=timezone.now()
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Kept. The figures below count by it."))
    return redirect(f"{reverse('fairness', args=[access.club.slug])}?queue={queue.slug}")


@club_page(Capability.MANAGE_SEASONS)
@require_http_methods(["GET", "POST"])
def seasons(request: HttpRequest, access: Access) -> HttpResponse:
    """The club's seasons, and a form for another."""
    offered = desk.queues(access)
    form = SeasonForm(request.POST or None, queues=offered, zone=access.club.time_zone)
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        try:
            made = season_services.create_season(
                club=access.club, actor=access.player, now=timezone.now(), **form.cleaned_data
            )
        except DomainError as refusal:
            status = _said(form, refusal)
        else:
            messages.success(request, _("%(name)s is made, as a draft. Open it to begin play.") % {"name": made.name})
            return redirect("desk_seasons", access.club.slug)
    context = {"access": access, "tab": "seasons", "form": form, "rows": desk.seasons(access), "queues": offered}
    return render(request, "desk/seasons.html", context, status=status)


@club_page(Capability.MANAGE_SEASONS)
@require_POST
def open_season(request: HttpRequest, access: Access, season_slug: str) -> HttpResponse:
    """Begin play now."""
    season = desk.season_named(access, season_slug)
    assert access.player is not None
    actor = access.player
    return carried_out(
        request,
        lambda: season_services.open_season(season=season, actor=actor, now=timezone.now()),
        _("%(name)s is open.") % {"name": season.name},
        access,
        "desk_seasons",
    )


@club_page(Capability.MANAGE_SEASONS)
@require_POST
def close_season(request: HttpRequest, access: Access, season_slug: str) -> HttpResponse:
    """End play; final once the last match has settled."""
    season = desk.season_named(access, season_slug)
    assert access.player is not None
    try:
        after = season_services.close_season(season=season, actor=access.player, now=timezone.now())
    except DomainError as refusal:
        return refused(request, refusal.message, access, "desk_seasons")
    if after.state == Season.State.CLOSED:
        messages.success(request, _("%(name)s is closed. Its standings are final.") % {"name": season.name})
    else:
        sentence = _("%(name)s is closing: no new matches start, and it closes when the last one has settled.")
        messages.success(request, sentence % {"name": season.name})
    return redirect("desk_seasons", access.club.slug)


def _said(form: forms.Form, refusal: DomainError) -> int:
    """Put the refusal's sentence above the form; returns the status it stands for."""
    form.add_error(None, refusal.message)
    return status_of(refusal)
