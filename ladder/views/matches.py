"""Matches: the list, the page of one, and what its players and moderators say about it."""

from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from ladder.core.permissions import Capability
from ladder.forms import DecisionForm, DisputeForm, ResultForm, RevisionForm
from ladder.selectors.access import Access
from ladder.selectors.match_lists import club_matches, my_matches
from ladder.selectors.match_pages import MatchPage, match_page
from ladder.services import results
from ladder.views.access import club_page
from ladder.views.answers import is_swap, status_of
from ratings.errors import DomainError

AnyResult = TypeVar("AnyResult", bound=ResultForm)


@club_page(Capability.SEE_CLUB)
@require_safe
def match_list(request: HttpRequest, access: Access) -> HttpResponse:
    """One's own matches, or with ?who=all the whole club's."""
    everybody = access.membership is None or request.GET.get("who") == "all"
    before = _uuid(request.GET.get("before"))
    found = club_matches(access, before=before) if everybody else my_matches(access, before=before)
    context = {"access": access, "club": access.club, "list": found, "everybody": everybody, "before": before}
    return render(request, "matches/list.html", context)


@club_page(Capability.SEE_CLUB)
@require_safe
def match(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """One match: what to do about it, or what it did."""
    return _show(request, access, match_page(access, match_id))


@club_page(Capability.SEE_CLUB)
@require_safe
def card(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """The living part of the page; 204 when it would look the same."""
    page = match_page(access, match_id)
    if request.GET.get("v") == page.version:
        return HttpResponse(status=204)
    return _show(request, access, page, fragment=True)


@club_page(Capability.PLAY)
@require_POST
def report(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """Say how it ended."""
    form = _result_form(ResultForm, match_page(access, match_id), request)
    if not form.is_valid():
        return _show(request, access, match_page(access, match_id), status=400, result_form=form)
    said = {"winner": form.cleaned_winner, "scores": form.cleaned_scores}
    return _act(request, access, match_id, results.report, form, said, kept={"result_form": form})


@club_page(Capability.PLAY)
@require_POST
def confirm(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """Agree to the other side's report."""
    return _plain_act(request, access, match_id, results.confirm)


@club_page(Capability.PLAY)
@require_POST
def withdraw(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """Take back one's own report or wish to cancel."""
    return _plain_act(request, access, match_id, results.withdraw)


@club_page(Capability.PLAY)
@require_POST
def cancel(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """Wish the match called off, or agree to the other side's wish."""
    return _plain_act(request, access, match_id, results.ask_to_cancel)


@club_page(Capability.PLAY)
@require_POST
def dispute(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """Contradict the report."""
    form = DisputeForm(request.POST)
    if not form.is_valid():
        return _show(request, access, match_page(access, match_id), status=400, dispute_form=form)
    said = {"note": form.cleaned_data["note"]}
    return _act(request, access, match_id, results.dispute, form, said, kept={"dispute_form": form})


@club_page(Capability.DECIDE_DISPUTES)
@require_POST
def decide(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """A moderator's decision."""
    form = _result_form(DecisionForm, match_page(access, match_id), request)
    if not form.is_valid():
        return _show(request, access, match_page(access, match_id), status=400, decision_form=form)
    said = {
        "note": form.cleaned_data["note"],
        "void": form.is_void,
        "winner": form.cleaned_winner,
        "scores": None if form.is_void else form.cleaned_scores,
    }
    return _act(request, access, match_id, results.decide, form, said, kept={"decision_form": form})


def _plain_act(request: HttpRequest, access: Access, match_id: UUID, door: Callable[..., Any]) -> HttpResponse:
    form = RevisionForm(request.POST)
    if not form.is_valid():
        return _show(request, access, match_page(access, match_id), status=400)
    return _act(request, access, match_id, door, form, {})


def _act(
    request: HttpRequest,
    access: Access,
    match_id: UUID,
    door: Callable[..., Any],
    form: RevisionForm,
    said: dict[str, Any],
    kept: dict[str, Any] | None = None,
) -> HttpResponse:
    """One service call; a refusal shows the match as it is now, the sentence, and what was typed."""
    match_page(access, match_id)  # not of this club: not found, before any door is tried
    try:
        door(match_id=match_id, actor=access.player, revision=form.cleaned_data["revision"], now=timezone.now(), **said)
    except DomainError as refusal:
        page = match_page(access, match_id)
        return _show(request, access, page, status=status_of(refusal), refusal=refusal, **(kept or {}))
    if is_swap(request):
        return _show(request, access, match_page(access, match_id))
    return redirect("match", access.club.slug, match_id)


def _show(
    request: HttpRequest, access: Access, page: MatchPage, *, status: int = 200, fragment: bool = False, **extra: Any
) -> HttpResponse:
    context = {
        "access": access,
        "club": access.club,
        "page": page,
        "match": page.match,
        "result_form": _result_form(ResultForm, page),
        "decision_form": _result_form(DecisionForm, page),
        "dispute_form": DisputeForm(initial={"revision": page.match.revision}),
        **extra,
    }
    template = "match/_card.html" if fragment or is_swap(request) else "match/match.html"
    return render(request, template, context, status=status)


def _result_form(kind: type[AnyResult], page: MatchPage, request: HttpRequest | None = None) -> AnyResult:
    return kind(
        request.POST if request else None,
        sides=page.shown,
        draws_allowed=page.match.queue.draws_allowed,
        initial={"revision": page.match.revision},
        auto_id="id_decide_%s" if kind is DecisionForm else "id_%s",
    )


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
