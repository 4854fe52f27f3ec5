"""The club's front page; it stands here because it shows who waits."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.views.access import club_page
from ladder.views.answers import is_swap, living_part, version_of
from matchmaking.selectors.club_front import club_front


@club_page(Capability.SEE_FRONT)
@require_safe
def front(request: HttpRequest, access: Access) -> HttpResponse:
    """What is on now, and the door for those outside."""
    context = {
        "access": access,
        "club": access.club,
        "front": club_front(access, now=timezone.now()),
        "sees_inside": access.may(Capability.SEE_CLUB),
        "may_play": access.may(Capability.PLAY),
    }
    if is_swap(request) and context["sees_inside"]:
        return living_part(request, "club/_on_now.html", context)
    context["version"] = version_of(request, "club/_on_now.html", context)
    return render(request, "club/front.html", context)
