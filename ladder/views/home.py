"""The landing page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.models import Player
from ladder.selectors.clubs import clubs_of, listed_clubs


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the clubs one may walk into, and one's own."""
    player = request.user if isinstance(request.user, Player) else None
    own = clubs_of(player) if player else []
    others = [club for club in listed_clubs() if club.pk not in {row.club.pk for row in own}]
    return render(request, "home/home.html", {"own": own, "clubs": others})
