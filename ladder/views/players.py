"""Player profiles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.profiles import profile
from ladder.views.access import club_page
from ladder.views.record_forms import ProfileForm, asked


@club_page(Capability.SEE_CLUB)
@require_safe
def player(request: HttpRequest, access: Access, handle: str) -> HttpResponse:
    """One player in one ladder of the club."""
    page = profile(access, handle, asked(ProfileForm, request))
    return render(request, "player/player.html", {"access": access, "profile": page, "ladder": page.ladder})
