"""The club desk of organizers: the figures, members and roles, invitation links."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.core.permissions import Capability, Role
from ladder.selectors import desk
from ladder.selectors.access import Access
from ladder.services import clubs, invitations
from ladder.views.access import club_page
from ladder.views.answers import status_of
from ladder.views.desk_forms import EndMembershipForm, InvitationForm, MembersForm, RoleForm
from ladder.views.record_forms import asked
from ratings.errors import DomainError, NotAllowed, NotFound

NEW_LINK = "new_invitation"


@club_page(Capability.MANAGE_MEMBERS)
@require_safe
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    """What the club has and what comes next."""
    figures = desk.overview(access, timezone.now())
    return render(request, "desk/overview.html", {"access": access, "tab": "overview", "figures": figures})


@club_page(Capability.MANAGE_MEMBERS)
@require_safe
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """Who is in the club, and in which role."""
    wish = asked(MembersForm, request)
    page = desk.members(
        access,
        role=wish["role"] or "",
        state=wish["state"] or "active",
        search=wish["q"] or "",
        after=wish["after"] or "",
    )
    context = {
        "access": access,
        "tab": "members",
        "page": page,
        "wish": wish,
        "roles": Role.members(),
        "may_set_roles": access.may(Capability.SET_ROLES),
    }
    return render(request, "desk/members.html", context)


@club_page(Capability.SET_ROLES)
@require_POST
def set_role(request: HttpRequest, access: Access, handle: str) -> HttpResponse:
    """Give a member another role."""
    form = RoleForm(request.POST)
    player = desk.member_named(access, handle)
    if not form.is_valid():
        return refused(request, _("Please choose one of the roles."), access, "desk_members")
    role = Role(form.cleaned_data["role"])
    assert access.player is not None
    actor = access.player
    return carried_out(
        request,
        lambda: clubs.set_role(club=access.club, actor=actor, player=player, role=role, now=timezone.now()),
        _("%(name)s is now %(role)s.") % {"name": player.name, "role": _(role.label)},
        access,
        "desk_members",
    )


@club_page(Capability.MANAGE_MEMBERS)
@require_POST
def end_membership(request: HttpRequest, access: Access, handle: str) -> HttpResponse:
    """Put somebody out of the club, for good with `ban`."""
    form = EndMembershipForm(request.POST)
    player = desk.member_named(access, handle)
    if not form.is_valid():
        return refused(request, _("The reason is too long."), access, "desk_members")
    assert access.player is not None
    actor, wish = access.player, form.cleaned_data
    return carried_out(
        request,
        lambda: clubs.end_membership(
            club=access.club, actor=actor, player=player, now=timezone.now(), ban=wish["ban"], reason=wish["reason"]
        ),
        _("%(name)s is no longer a member.") % {"name": player.name},
        access,
        "desk_members",
    )


@club_page(Capability.MANAGE_MEMBERS)
@require_POST
def lift_ban(request: HttpRequest, access: Access, handle: str) -> HttpResponse:
    """Let a banned player join again."""
    player = desk.member_named(access, handle)
    assert access.player is not None
    actor = access.player
    return carried_out(
        request,
        lambda: clubs.lift_ban(club=access.club, actor=actor, player=player, now=timezone.now()),
        _("%(name)s may join again.") % {"name": player.name},
        access,
        "desk_members",
    )


@club_page(Capability.INVITE)
@require_http_methods(["GET", "POST"])
def links(request: HttpRequest, access: Access) -> HttpResponse:
    """Invitation links; a new one is shown once."""
    now = timezone.now()
    form = InvitationForm(request.POST or None)
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        assert access.player is not None
        try:
            _row, token = invitations.create_invitation(
                club=access.club, actor=access.player, now=now, **form.cleaned_data
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            status = status_of(refusal)
        else:
            request.session[NEW_LINK] = request.build_absolute_uri(
                reverse("club_invited", args=[access.club.slug, token])
            )
            return redirect("desk_links", access.club.slug)
    context = {"access": access, "tab": "links", "form": form, "links": desk.links(access, now)}
    context["new_link"] = request.session.pop(NEW_LINK, "") if NEW_LINK in request.session else ""
    return render(request, "desk/links.html", context, status=status)


@club_page(Capability.INVITE)
@require_POST
def revoke_link(request: HttpRequest, access: Access, invitation_id: UUID) -> HttpResponse:
    """Make a link useless."""
    assert access.player is not None
    actor = access.player
    return carried_out(
        request,
        lambda: invitations.revoke_invitation(
            club=access.club, actor=actor, invitation_id=invitation_id, now=timezone.now()
        ),
        _("The link no longer lets anybody in."),
        access,
        "desk_links",
    )


def carried_out(request: HttpRequest, act: Callable[[], object], done: str, access: Access, back: str) -> HttpResponse:
    """Do it, say what came of it, and go back to the list."""
    try:
        act()
    except (NotAllowed, NotFound):
        raise
    except DomainError as refusal:
        return refused(request, refusal.message, access, back)
    messages.success(request, done)
    return redirect(back, access.club.slug)


def refused(request: HttpRequest, sentence: str, access: Access, back: str) -> HttpResponse:
    """Say why not, and go back to the list."""
    messages.error(request, sentence)
    return redirect(back, access.club.slug)
