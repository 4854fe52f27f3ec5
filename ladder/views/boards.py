"""Leaderboards."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors import board_tables, boards, ladders
from ladder.selectors.access import Access
from ladder.selectors.board_days import days_to_ask
from ladder.selectors.board_rows import Wish
from ladder.views.access import club_page
from ladder.views.downloads import csv_file
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
    asks, now = asked(BoardForm, request), timezone.now()
    ladder = ladders.ladder(access, queue_slug, asks["season"])
    zone = access.club.time_zone
    page = boards.board_page(ladder, Wish.of(asks, zone), viewer=access.player, now=now)
    rows_alone = request.headers.get("HX-Request") == "true"
    if rows_alone and asks["seen"] == page.fingerprint:
        return HttpResponse(status=204)
    template = "board/_rows.html" if rows_alone else "board/board.html"
    days = days_to_ask(ladder, zone, now)
    return render(request, template, {"access": access, "ladder": ladder, "page": page, "wish": asks, "days": days})


@club_page(Capability.SEE_CLUB)
@require_safe
def standings(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """The whole ladder as a file to keep, now or as of a past day."""
    asks = asked(BoardForm, request)
    ladder = ladders.ladder(access, queue_slug, asks["season"])
    wish, now = Wish.of(asks, access.club.time_zone), timezone.now()
    name = [queue_slug, ladder.season.slug if ladder.season else "", str(wish.on) if wish.is_past(now) else ""]
    return csv_file(board_tables.standings(ladder, wish, now=now), f"{'-'.join(filter(None, name))}.csv")
