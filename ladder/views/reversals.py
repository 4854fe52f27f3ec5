"""A match is taken back or reinstated by a moderator, who sees before what that does to whom."""

from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from ladder.core.permissions import Capability
from ladder.models import Match, Player
from ladder.selectors.access import Access
from ladder.selectors.match_pages import match_of
from ladder.selectors.reversals import moved_players
from ladder.services import reversals
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ratings.errors import DomainError
from ratings.services.reversal import MOST_REASON, RECOMPUTE, REFUND, Mode, Reversal

REINSTATE = "reinstate"
WAYS = ((REFUND, _("Give back what it did")), (RECOMPUTE, _("Count everything since anew")))


class ReversalForm(forms.Form):
    """What to do and why."""

    way = forms.ChoiceField(choices=[*WAYS, (REINSTATE, "")], widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why?"),
        help_text=_("It stands in the audit."),
        max_length=MOST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@club_page(Capability.REVERSE_MATCHES)
@require_http_methods(["GET", "HEAD", "POST"])
def reversal(request: HttpRequest, access: Access, match_id: UUID) -> HttpResponse:
    """The preview of a way, and the act."""
    match = match_of(access, match_id)
    if request.method != "POST":
        return _show(request, access, match, ReversalForm(initial={"way": _way(match, request.GET.get("way"))}))
    form = ReversalForm(request.POST)
    if not form.is_valid():
        return _show(request, access, match, form, status=400)
    try:
        _act(match, access.player, form.cleaned_data["way"], form.cleaned_data["reason"])
    except DomainError as refusal:
        return _show(request, access, match_of(access, match_id), form, refusal=refusal, status=status_of(refusal))
    return redirect("match", access.club.slug, match_id)


def _way(match: Match, wish: str | None) -> str:
    if match.reversed_at is not None:
        return REINSTATE
    return RECOMPUTE if wish == RECOMPUTE else REFUND


def _mode(way: str) -> Mode:
    return "recompute" if way == RECOMPUTE else "refund"


def _act(match: Match, actor: Player | None, way: str, reason: str) -> None:
    assert actor is not None, "the capability is for members alone"
    now = timezone.now()
    if way == REINSTATE:
        reversals.reinstate(match_ids=[match.pk], reason=reason, actor=actor, now=now)
    else:
        reversals.reverse(match_ids=[match.pk], mode=_mode(way), reason=reason, actor=actor, now=now)


def _show(
    request: HttpRequest,
    access: Access,
    match: Match,
    form: ReversalForm,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    way = _way(match, form["way"].value())
    found: list[Reversal] = []
    try:
        found = _seen(match, access.player, way)
    except DomainError as no:
        refusal, status = refusal or no, status if status != 200 else status_of(no)
    context = {
        "access": access,
        "club": access.club,
        "match": match,
        "form": form,
        "way": way,
        "ways": WAYS if way != REINSTATE else (),
        "rows": moved_players([shift for one in found for shift in one.shifts]),
        "is_possible": bool(found),
        "refusal": refusal,
    }
    return render(request, "match/reversal.html", context, status=status)


def _seen(match: Match, actor: Player | None, way: str) -> list[Reversal]:
    assert actor is not None, "the capability is for members alone"
    now = timezone.now()
    if way == REINSTATE:
        return reversals.preview_reinstating(match_ids=[match.pk], actor=actor, now=now)
    return reversals.preview(match_ids=[match.pk], mode=_mode(way), actor=actor, now=now)
