"""What waits for a moderator."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.core.permissions import Capability
from ladder.selectors.access import Access
from ladder.selectors.match_lists import disputed_matches
from ladder.views.access import club_page
from ladder.views.answers import is_swap, living_part, version_of


@club_page(Capability.DECIDE_DISPUTES)
@require_safe
def cases(request: HttpRequest, access: Access) -> HttpResponse:
    """Disputed matches, the longest waiting first."""
    context = {"access": access, "club": access.club, "rows": disputed_matches(access)}
    if is_swap(request):
        return living_part(request, "cases/_list.html", context)
    context["version"] = version_of(request, "cases/_list.html", context)
    return render(request, "cases/list.html", context)
