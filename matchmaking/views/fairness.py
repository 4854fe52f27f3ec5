"""The fairness page; it stands here because it shows how long people waited. For the staff."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.fairness import SPANS
from ladder.views.access import club_page
from ladder.views.desk_forms import MarginForm
from ladder.views.downloads import csv_file
from ladder.views.record_forms import asked
from matchmaking.selectors.fairness import FairPage, csv_rows, fair_page


class FairnessForm(forms.Form):
    """The address of the page."""

    queue = forms.CharField(max_length=50, required=False)
    span = forms.ChoiceField(choices=[("", ""), *((name, "") for name in SPANS)], required=False)


@club_page(Capability.SEE_AUDIT)
@require_safe
def fairness(request: HttpRequest, access: Access) -> HttpResponse:
    """Predictions against results, one-sided games, accepted quality, waits."""
    page = _asked_for(request, access)
    context: dict[str, Any] = {"access": access, "tab": "fairness", "page": page}
    context["is_desk"] = access.may(Capability.MANAGE_MEMBERS)
    queue = page.matches.queue
    if queue is not None and access.may(Capability.MANAGE_QUEUES):
        context["margin_form"] = MarginForm(initial={"margin": queue.stomp_margin})
    return render(request, "health/fairness.html", context)


@club_page(Capability.SEE_AUDIT)
@require_safe
def figures(request: HttpRequest, access: Access) -> HttpResponse:
    """The tables of the page as CSV."""
    page = _asked_for(request, access)
    name = page.matches.queue.slug if page.matches.queue else access.club.slug
    return csv_file(csv_rows(page), f"fairness-{name}.csv")


def _asked_for(request: HttpRequest, access: Access) -> FairPage:
    wish = asked(FairnessForm, request)
    return fair_page(access, wish["queue"] or "", wish["span"] or "", now=timezone.now())
