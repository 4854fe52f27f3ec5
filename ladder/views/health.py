"""Whether the process answers."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """The web process is alive; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
