"""Getting into a club and out of it."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ladder.core.permissions import Capability
from ladder.forms import JoinClubForm
from ladder.selectors.access import Access
from ladder.selectors.clubs import invitation_problem
from ladder.selectors.self_assessments import offered_answers
from ladder.services import clubs as services
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ratings.errors import DomainError


@club_page(Capability.SEE_FRONT)
def join(request: HttpRequest, access: Access, token: str | None = None) -> HttpResponse:
    """The door: the self-assessment question, by the open door or with an invitation's token."""
    club = access.club
    if access.player is None:
        return redirect_to_login(request.get_full_path(), login_url="account_signup")
    if access.membership is not None:
        return redirect("play", club.slug)
    form = JoinClubForm(request.POST or None, answers=offered_answers(club))
    refusal: DomainError | None = None
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            answer = form.cleaned_data["self_assessment"]
            services.join_club(club=club, player=access.player, self_assessment=answer, token=token, now=timezone.now())
        except DomainError as error:
            status = status_of(error)
            if error.code == "unknown_self_assessment":
                form.add_error("self_assessment", error.message)
            else:
                refusal = error
        else:
            messages.success(
                request, _("Welcome to %(club)s. One press on Join finds you a game.") % {"club": club.name}
            )
            return redirect("play", club.slug)
    elif request.method == "POST":
        status = 400
    else:
        refusal = invitation_problem(club, token, now=timezone.now())
    context = {"access": access, "club": club, "form": form, "refusal": refusal}
    return render(request, "club/join.html", context, status=status)


@club_page(Capability.PLAY)
@require_POST
def leave(request: HttpRequest, access: Access) -> HttpResponse:
    """Leave the club; what was played stays on its record."""
    assert access.player is not None
    try:
        services.leave_club(club=access.club, player=access.player, now=timezone.now())
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("me")
    messages.success(request, _("You have left %(club)s.") % {"club": access.club.name})
    return redirect("home")
