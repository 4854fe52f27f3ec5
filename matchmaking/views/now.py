"""What waits for one's answer, for every page: a match found must reach whoever reads the ladder meanwhile."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.models import Player
from matchmaking.selectors.play import calling
from matchmaking.store import clock


@require_safe
def now(request: HttpRequest) -> HttpResponse:
    """The bar over the page, empty while nothing is under way; 204 when it would look the same."""
    if not isinstance(request.user, Player):
        return HttpResponse(status=204)
    state = calling(player=request.user, now=clock())
    return render(request, "play/_now.html", {"state": state})
