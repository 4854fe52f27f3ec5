"""Invitation links: the token is shown once, only its hash is kept."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.core.tokens import hash_of
from ladder.models import Club, Invitation, Player
from ladder.selectors.access import require
from ladder.services import audit
from ratings.errors import DomainError, NotFound

LONGEST_DAYS, MOST_USES = 365, 10_000


def create_invitation(
    *, club: Club, actor: Player, note: str, days: int, max_uses: int, now: datetime
) -> tuple[Invitation, str]:
    """A link that lets up to `max_uses` people in for `days` days; returns the row and the token, told only here."""
    if not 1 <= days <= LONGEST_DAYS or not 1 <= max_uses <= MOST_USES:
        raise DomainError(
            "invitation_limits",
            _("An invitation holds for 1 to %(days)d days and 1 to %(uses)d people.")
            % {"days": LONGEST_DAYS, "uses": MOST_USES},
        )
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        require(club.pk, actor, Capability.INVITE)
        invitation = Invitation.objects.create(
            club=club,
            token_hash=hash_of(token),
            note=note,
            created_by=actor,
            created_at=now,
            expires_at=now + timedelta(days=days),
            max_uses=max_uses,
        )
        audit.record(
            club=club,
            actor=actor,
            action="invitation.created",
            subject=invitation,
            detail={"days": days, "max_uses": max_uses, "note": note},
            now=now,
        )
    return invitation, token


def revoke_invitation(*, club: Club, actor: Player, invitation_id: UUID, now: datetime) -> Invitation:
    """Make a link useless from now on; a second time changes nothing."""
    with transaction.atomic():
        require(club.pk, actor, Capability.INVITE)
        invitation = Invitation.objects.select_for_update().filter(pk=invitation_id, club=club).first()
        if invitation is None:
            raise NotFound("not_found", _("There is no such invitation."))
        if invitation.revoked_at is None:
            invitation.revoked_at = now
            invitation.save(update_fields=["revoked_at"])
            audit.record(club=club, actor=actor, action="invitation.revoked", subject=invitation, now=now)
    return invitation


def use_invitation(*, club: Club, token: str, now: datetime) -> Invitation:
    """Count one use of a link, inside the caller's transaction; refuses one that is unknown, over or used up."""
    invitation = Invitation.objects.select_for_update().filter(token_hash=hash_of(token), club=club).first()
    if invitation is None or invitation.revoked_at is not None:
        raise DomainError("invitation_unknown", _("This invitation link is not valid."))
    if invitation.expires_at <= now:
        raise DomainError("invitation_expired", _("This invitation link has expired. Ask for a new one."))
    if invitation.uses >= invitation.max_uses:
        raise DomainError("invitation_used_up", _("This invitation link has been used up. Ask for a new one."))
    invitation.uses += 1
    invitation.save(update_fields=["uses"])
    return invitation
