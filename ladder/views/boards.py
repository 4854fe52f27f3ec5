"""Leaderboards."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors import boards, ladders
from ladder.selectors.access import Access
from ladder.views.access import club_page
from ladder.views.record_forms import BoardForm, asked


@club_page(Capability.SEE_CLUB)
@require_safe
def index(request: HttpRequest, access: Access) -> HttpResponse:
    """The ladder of the club's first queue; a club without one reads what to do first."""
    queue = ladders.first_queue(access)
    if queue is None:
        may_make = access.may(Capability.MANAGE_QUEUES)
        return render(request, "board/none.html", {"access": access, "may_make": may_make})
    return redirect("board", access.club.slug, queue.slug)


@club_page(Capability.SEE_CLUB)
@require_safe
def board(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """One ladder: the page, or its rows alone for a refresh, or nothing where the rows are the ones seen."""
    wish = asked(BoardForm, request)
    ladder = ladders.ladder(access, queue_slug, wish["season"])
    page = boards.wanted(ladder, wish, viewer=access.player, now=timezone.now())
    rows_alone = request.headers.get("HX-Request") == "true"
    if rows_alone and wish["seen"] == page.fingerprint:
        return HttpResponse(status=204)
    template = "board/_rows.html" if rows_alone else "board/board.html"
    return render(request, template, {"access": access, "ladder": ladder, "page": page, "wish": wish})
