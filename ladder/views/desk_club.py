"""The club desk of organizers: the club's settings, the answers at its door, where newcomers of its queues start."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ladder.core.permissions import Capability
from ladder.selectors import desk
from ladder.selectors.access import Access
from ladder.selectors.club_settings import SETTINGS, settings_version
from ladder.selectors.newcomers import NewcomersPage, newcomers_page
from ladder.selectors.self_assessments import answer_rows, answers_version
from ladder.services import newcomers as services
from ladder.services.club_settings import change_settings
from ladder.views import desk_club_forms as club_forms
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ratings.errors import DomainError


@club_page(Capability.MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, access: Access) -> HttpResponse:
    """What the club is called, who sees it, who may join."""
    club = access.club
    initial = {name: getattr(club, name) for name in SETTINGS} | {"seen": settings_version(club)}
    may_end = access.may(Capability.END_FOUR_EYES)
    form = club_forms.ClubForm(request.POST or None, initial=initial, may_end_four_eyes=may_end)
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        seen = form.cleaned_data["seen"]
        try:
            change_settings(club=club, actor=access.player, seen=seen, now=timezone.now(), **form.wanted)
        except DomainError as refusal:
            status = _said(form, refusal)
        else:
            messages.success(request, _("The settings are kept."))
            return redirect("desk_club", club.slug)
    return render(request, "desk/club.html", {"access": access, "tab": "club", "form": form}, status=status)


@club_page(Capability.MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def answers(request: HttpRequest, access: Access) -> HttpResponse:
    """The answers from which one chooses when joining, and the ratings behind them."""
    club = access.club
    initial = club_forms.answer_rows(answer_rows(club))
    formset = club_forms.AnswerFormSet(request.POST or None, initial=initial, prefix="answer")
    form = club_forms.SeenForm(request.POST or None, initial={"seen": answers_version(club)})
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and formset.is_valid() and form.is_valid():
        assert access.player is not None
        seen = form.cleaned_data["seen"]
        try:
            services.set_self_assessments(
                club=club, actor=access.player, answers=formset.wishes, seen=seen, now=timezone.now()
            )
        except DomainError as refusal:
            status = _said(form, refusal)
        else:
            messages.success(request, _("The answers are kept. Who joins from now on reads these."))
            return redirect("desk_answers", club.slug)
    context = {"access": access, "tab": "club", "form": form, "formset": formset}
    return render(request, "desk/answers.html", context, status=status)


@club_page(Capability.MANAGE_QUEUES)
@require_http_methods(["GET", "POST"])
def newcomers(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Where newcomers of a queue start: the settings, and what was measured."""
    page = newcomers_page(access, queue_slug)
    shown = club_forms.rules_as_shown(page.rules)
    form = club_forms.PriorRulesForm(request.POST or None, initial={**shown, "seen": page.version})
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        seen = form.cleaned_data["seen"]
        try:
            services.set_prior_rules(
                queue=page.queue, actor=access.player, values=form.values, seen=seen, now=timezone.now()
            )
        except DomainError as refusal:
            status = _said(form, refusal)
        else:
            messages.success(request, _("Kept. It holds for whoever comes next; no rating moved."))
            return redirect("desk_newcomers", access.club.slug, page.queue.slug)
    return _newcomers(request, access, page, form, status)


@club_page(Capability.MANAGE_QUEUES)
@require_POST
def take_measured(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Set what was measured in place of what is set, as it was shown."""
    queue = desk.queue_named(access, queue_slug)
    shown = club_forms.PriorRulesForm(request.POST)
    assert access.player is not None
    try:
        if not shown.is_valid():
            raise DomainError("changed_meanwhile", _("This changed while you looked at it. Look again, then decide."))
        services.take_measured(queue=queue, actor=access.player, seen=shown.values, now=timezone.now())
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Newcomers start by what was measured from now on; no rating moved."))
    return redirect("desk_newcomers", access.club.slug, queue.slug)


def _newcomers(
    request: HttpRequest, access: Access, page: NewcomersPage, form: forms.Form, status: int
) -> HttpResponse:
    context = {"access": access, "tab": "queues", "page": page, "form": form}
    return render(request, "desk/newcomers.html", context, status=status)


def _said(form: forms.Form, refusal: DomainError) -> int:
    """Put the refusal's sentence above the form; returns the status it stands for."""
    form.add_error(None, refusal.message)
    return status_of(refusal)
