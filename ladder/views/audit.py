"""The audit list: what changed a number, when, by which rule or person, and why. For the staff."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors import audit as record
from ladder.selectors.access import Access
from ladder.views.access import club_page
from ladder.views.record_forms import ActForm, AuditForm


@club_page(Capability.SEE_AUDIT)
@require_safe
def events(request: HttpRequest, access: Access) -> HttpResponse:
    """Rating events, filtered; a filter that makes no sense shows nothing but its reason."""
    form = AuditForm(request.GET or None, access=access)
    wish = form.cleaned_data if form.is_valid() else {}
    page = None if form.errors else record.events(access, wish, after=request.GET.get("after", ""))
    context = {"access": access, "form": form, "page": page, "tab": "events", "is_filtered": any(wish.values())}
    return render(request, "audit/events.html", context)


@club_page(Capability.SEE_AUDIT)
@require_safe
def acts(request: HttpRequest, access: Access) -> HttpResponse:
    """What people did: roles, invitations, seasons, decisions, imports."""
    form = ActForm(request.GET or None, access=access)
    wish = form.cleaned_data if form.is_valid() else {}
    page = None if form.errors else record.acts(access, wish, after=request.GET.get("after", ""))
    context = {"access": access, "form": form, "page": page, "tab": "acts", "is_filtered": any(wish.values())}
    return render(request, "audit/acts.html", context)


@club_page(Capability.SEE_AUDIT)
@require_safe
def unrated(request: HttpRequest, access: Access) -> HttpResponse:
    """Agreed matches without a rating event, each with its reason."""
    now = timezone.now()
    context = {
        "access": access,
        "tab": "unrated",
        "waiting": record.waiting(access, now=now),
        "periods": record.periods(access, now=now),
        "not_counted": record.not_counted(access),
    }
    return render(request, "audit/unrated.html", context)
