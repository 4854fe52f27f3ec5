"""What waits for a moderator."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.match_lists import disputed_matches
from ladder.views.access import club_page


@club_page(Capability.DECIDE_DISPUTES)
@require_safe
def cases(request: HttpRequest, access: Access) -> HttpResponse:
    """Disputed matches, the longest waiting first."""
    context = {"access": access, "club": access.club, "rows": disputed_matches(access)}
    template = "cases/_list.html" if request.GET.get("part") else "cases/list.html"
    return render(request, template, context)
