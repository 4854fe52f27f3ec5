"""How a view answers: the status of a refusal, a way back that stays on this site, the page of a lost CSRF token."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme

from ratings.errors import DomainError, NotAllowed, NotFound


def status_of(refusal: DomainError) -> int:
    """404 for what is not there, 403 for what is not theirs, 409 for what cannot be now."""
    if isinstance(refusal, NotFound):
        return 404
    return 403 if isinstance(refusal, NotAllowed) else 409


def is_swap(request: HttpRequest) -> bool:
    """Whether the page asks for a fragment to swap in; without scripts it wants a page or a redirect."""
    return request.headers.get("HX-Request") == "true"


def safe_next(request: HttpRequest) -> str | None:
    """The wish `next` of the form or address, if it leads to a page of ours."""
    wish = request.POST.get("next") or request.GET.get("next")
    if wish and url_has_allowed_host_and_scheme(wish, {request.get_host()}, require_https=request.is_secure()):
        return wish
    return None


def go(request: HttpRequest, to: str, *args: object) -> HttpResponse:
    """Redirect to `next` where it is ours, else to the named page."""
    return redirect(safe_next(request) or to, *(() if safe_next(request) else args))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The token was missing or old: say what was kept and lead back to the page, loaded afresh."""
    referer = urlsplit(request.headers.get("Referer", ""))
    back = referer.path if referer.netloc == request.get_host() and referer.path.startswith("/") else "/"
    return render(request, "403_csrf.html", {"back": back, "reason": reason}, status=403)
