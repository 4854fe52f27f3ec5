"""Clubs as their pages show them."""

from datetime import datetime

from django.utils.translation import gettext as _

from ladder.core.permissions import Role
from ladder.core.tokens import hash_of
from ladder.models import Club, Invitation, Membership, Player
from ladder.selectors.access import Access
from ratings.errors import DomainError, NotAllowed


def clubs_of(player: Player) -> list[Access]:
    """The clubs somebody belongs to, the one joined last first."""
    rows = Membership.objects.filter(player=player, state=Membership.State.ACTIVE).select_related("club")
    return [
        Access(club=row.club, player=player, membership=row, role=Role(row.role)) for row in rows.order_by("-joined_at")
    ]


def home_access(player: Player, slug: str | None) -> Access | None:
    """The club that pages outside of any club point to: the one of this slug, else the one joined last."""
    own = clubs_of(player)
    return next((access for access in own if access.club.slug == slug), own[0] if own else None)


def listed_clubs(*, limit: int = 50) -> list[Club]:
    """What the landing page offers, by name."""
    return list(Club.objects.filter(is_listed=True).order_by("name")[:limit])


def invitation_problem(club: Club, token: str | None, *, now: datetime) -> DomainError | None:
    """Why this door would not open, told before the question is answered; None when it would."""
    if token is None:
        if club.is_open_to_join:
            return None
        return NotAllowed("invitation_needed", _("One joins this club with an invitation link."))
    invitation = Invitation.objects.filter(club=club, token_hash=hash_of(token)).first()
    if invitation is None or invitation.revoked_at is not None:
        return DomainError("invitation_unknown", _("This invitation link is not valid."))
    if invitation.expires_at <= now or invitation.uses >= invitation.max_uses:
        return DomainError(
            "invitation_expired", _("This invitation link is used up or has expired. Ask for a new one.")
        )
    return None
