"""Whether the installation is ready."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from matchmaking.selectors.health import health


@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """200 when database, store and worker answer, else 503; the body says which one does not."""
    found = health(now=timezone.now())
    answer = JsonResponse({"ready": found.is_ready, **asdict(found)}, status=200 if found.is_ready else 503)
    answer["Cache-Control"] = "no-store"
    return answer
