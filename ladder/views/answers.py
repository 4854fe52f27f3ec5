"""How a view answers: the status of a refusal, parts of pages that follow events, requests that were not understood."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from ratings.errors import DomainError, NotAllowed, NotFound


def status_of(refusal: DomainError) -> int:
    """404 for what is not there, 403 for what is not theirs, 409 for what cannot be now."""
    if isinstance(refusal, NotFound):
        return 404
    return 403 if isinstance(refusal, NotAllowed) else 409


def is_swap(request: HttpRequest) -> bool:
    """Whether the page asks for a fragment to swap in; without scripts it wants a page or a redirect."""
    return request.headers.get("HX-Request") == "true"


def version_of(request: HttpRequest, template: str, context: Mapping[str, Any]) -> str:
    """A word that differs whenever the part of a page would read differently."""
    text = render_to_string(template, {**context, "version": ""}, request)
    return sha256(text.encode()).hexdigest()[:16]


def living_part(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """The part of a page that follows events; 204 when the page shows just that, so that nothing is swapped."""
    version = version_of(request, template, context)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    return render(request, template, {**context, "version": version})


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What the browser sent could not be read; the exception's words are for the log."""
    return render(request, "400.html", {"exception": type(exception).__name__}, status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The token was missing or old: say what was kept and lead back to the page, loaded afresh."""
    referer = urlsplit(request.headers.get("Referer", ""))
    back = referer.path if referer.netloc == request.get_host() and referer.path.startswith("/") else "/"
    return render(request, "403_csrf.html", {"back": back, "reason": reason}, status=403)
