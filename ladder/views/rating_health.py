"""The health page: do ratings still mean what they meant? For the staff."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.rating_health import csv_rows, rating_health
from ladder.views.access import club_page
from ladder.views.downloads import csv_file
from ladder.views.record_forms import HealthForm, asked


@club_page(Capability.SEE_AUDIT)
@require_safe
def health(request: HttpRequest, access: Access) -> HttpResponse:
    """Week by week: the middle and the spread of ratings, and what matches left over."""
    wish = asked(HealthForm, request)
    page = rating_health(access, wish["queue"] or "", wish["span"] or "year")
    context = {"access": access, "tab": "health", "page": page, "is_desk": access.may(Capability.MANAGE_MEMBERS)}
    return render(request, "health/health.html", context)


@club_page(Capability.SEE_AUDIT)
@require_safe
def weeks(request: HttpRequest, access: Access) -> HttpResponse:
    """The table of the page as CSV."""
    wish = asked(HealthForm, request)
    page = rating_health(access, wish["queue"] or "", wish["span"] or "year")
    return csv_file(csv_rows(page), f"health-{page.queue.slug if page.queue else access.club.slug}.csv")
