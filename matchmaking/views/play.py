"""The Play page and its one button."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.views.access import club_page
from ladder.views.answers import is_swap, status_of
from matchmaking.selectors.play_page import PlayPage, first_queue, play_page
from matchmaking.services import queueing, ready
from matchmaking.store import clock
from ratings.errors import DomainError


@club_page(Capability.PLAY)
@require_safe
def play(request: HttpRequest, access: Access) -> HttpResponse:
    """The club's first open queue."""
    queue = first_queue(access)
    if queue is None:
        return render(request, "play/play.html", {"access": access, "club": access.club, "page": None})
    return redirect("play_queue", access.club.slug, queue.slug)


@club_page(Capability.PLAY)
@require_safe
def play_queue(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """One queue: what is, and the next true step."""
    now = clock()
    assert access.player is not None
    if seen := _uuid(request.GET.get("seen")):  # without scripts, loading the page again proves that it was shown
        ready.mark_seen(ready_check_id=seen, player=access.player, now=now)
    return _show(request, access, play_page(access, queue_slug, now=now))


@club_page(Capability.PLAY)
@require_safe
def card(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """The living part; 204 with the running clocks when nothing else changed."""
    page = play_page(access, queue_slug, now=clock())
    if request.GET.get("v") == page.version:
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"clock": page.clocks})})
    return _show(request, access, page)


@club_page(Capability.PLAY)
@require_POST
def join(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Search in this queue."""
    queue = play_page(access, queue_slug, now=clock()).queue
    return _act(request, access, queue_slug, queueing.join, queue=queue, player=access.player, now=clock())


@club_page(Capability.PLAY)
@require_POST
def cancel(request: HttpRequest, access: Access, queue_slug: str) -> HttpResponse:
    """Stop searching, wherever."""
    return _act(request, access, queue_slug, queueing.cancel, player=access.player, now=clock())


@club_page(Capability.PLAY)
@require_POST
def accept(request: HttpRequest, access: Access, queue_slug: str, check_id: UUID) -> HttpResponse:
    """Say yes to a match."""
    return _act(request, access, queue_slug, ready.accept, ready_check_id=check_id, player=access.player, now=clock())


@club_page(Capability.PLAY)
@require_POST
def decline(request: HttpRequest, access: Access, queue_slug: str, check_id: UUID) -> HttpResponse:
    """Say no to a match."""
    return _act(request, access, queue_slug, ready.decline, ready_check_id=check_id, player=access.player, now=clock())


@club_page(Capability.PLAY)
@require_POST
def seen(_request: HttpRequest, access: Access, /, check_id: UUID, **_address: str) -> HttpResponse:
    """The check stands on a page of the player's."""
    assert access.player is not None
    ready.mark_seen(ready_check_id=check_id, player=access.player, now=clock())
    return HttpResponse(status=204)


def _act(
    request: HttpRequest, access: Access, queue_slug: str, door: Callable[..., Any], **arguments: Any
) -> HttpResponse:
    """One service call; a refusal shows the card as things stand now, with the sentence."""
    try:
        outcome = door(**arguments)
    except DomainError as refusal:
        page = play_page(access, queue_slug, now=clock())
        return _show(request, access, page, refusal=refusal, status=status_of(refusal))
    text = getattr(outcome, "text", "")
    if is_swap(request):
        return _show(request, access, play_page(access, queue_slug, now=clock()), said=text)
    if text:
        messages.info(request, text)
    return redirect("play_queue", access.club.slug, queue_slug)


def _show(request: HttpRequest, access: Access, page: PlayPage, *, status: int = 200, **extra: Any) -> HttpResponse:
    context = {"access": access, "club": access.club, "page": page, **extra}
    return render(request, "play/_card.html" if is_swap(request) else "play/play.html", context, status=status)


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
