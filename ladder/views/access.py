"""The doorkeeper of every club page: resolves the club and the person, holds the permission table, shows refusals."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ladder.core.permissions import Capability, Role
from ladder.selectors.access import Access, access_by_slug
from ratings.errors import NotAllowed, NotFound

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, Access, P], HttpResponse]


def club_page(capability: Capability) -> Callable[[ClubView[P]], Callable[..., HttpResponse]]:
    """For a view below /c/<club>/: passes an Access that has the capability, or answers 404, 403 or the sign-in page.

    The capability is kept on the view, so that a test can compare every URL with the table.
    """

    def decorate(view: ClubView[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, club_slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                access = access_by_slug(club_slug, request.user)
                request.access = access  # type: ignore[attr-defined]  # the frame names the club without a second look
                access.require(capability)
                _remember(request, access)
                return view(request, access, *args, **kwargs)
            except NotFound as refusal:
                if not request.user.is_authenticated and request.method == "GET":
                    return redirect_to_login(request.get_full_path())
                raise Http404(refusal.message) from refusal
            except NotAllowed as refusal:
                if access.role is Role.STRANGER:
                    return redirect_to_login(request.get_full_path())
                return render(request, "403.html", {"message": refusal.message, "access": access}, status=403)

        guarded.capability = capability  # type: ignore[attr-defined]  # read by the test that walks every URL
        return guarded

    return decorate


def _remember(request: HttpRequest, access: Access) -> None:
    """Pages outside of clubs (Me) point back to the club last visited."""
    if access.membership is not None and request.session.get("club") != access.club.slug:
        request.session["club"] = access.club.slug
