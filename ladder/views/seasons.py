"""Seasons of a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.season_pages import season_cards, season_page
from ladder.views.access import club_page


@club_page(Capability.SEE_CLUB)
@require_safe
def seasons(request: HttpRequest, access: Access) -> HttpResponse:
    """What is played now, what comes, what is over."""
    cards = season_cards(access, timezone.now())
    may_make = access.may(Capability.MANAGE_SEASONS)
    return render(request, "season/seasons.html", {"access": access, "cards": cards, "may_make": may_make})


@club_page(Capability.SEE_CLUB)
@require_safe
def season(request: HttpRequest, access: Access, season_slug: str) -> HttpResponse:
    """One season with the heads of its standings."""
    page = season_page(access, season_slug, timezone.now())
    return render(request, "season/season.html", {"access": access, "page": page, "card": page.card})
