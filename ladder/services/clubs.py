"""Clubs and who belongs to them."""

from datetime import datetime
from zoneinfo import available_timezones

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability, Role
from ladder.models import Club, MatchParticipant, Membership, Player
from ladder.names import clean_address, clean_title
from ladder.selectors.access import access_to, require
from ladder.selectors.self_assessments import answers_of
from ladder.services import audit
from ladder.services.invitations import create_invitation, revoke_invitation, use_invitation
from ratings.errors import DomainError, NotAllowed, NotFound

__all__ = [
    "create_club",
    "create_invitation",
    "end_membership",
    "join_club",
    "leave_club",
    "lift_ban",
    "revoke_invitation",
    "set_role",
]
LONGEST_CLUB_NAME = 80


def create_club(
    *,
    name: str,
    slug: str,
    time_zone: str,
    owner: Player,
    now: datetime,
    is_public: bool = False,
    is_open_to_join: bool = True,
    is_listed: bool = True,
) -> Club:
    """Found a club; its owner is a member from the first moment."""
    name, slug = clean_title(name, LONGEST_CLUB_NAME), clean_address(slug)
    time_zone = clean_time_zone(time_zone)
    try:
        with transaction.atomic():
            club = Club.objects.create(
                name=name,
                slug=slug,
                time_zone=time_zone,
                is_public=is_public,
                is_open_to_join=is_open_to_join,
                is_listed=is_listed,
                created_at=now,
            )
            Membership.objects.create(club=club, player=owner, role=Role.OWNER.value, joined_at=now)
            audit.record(club=club, actor=owner, action="club.created", subject=club, now=now)
    except IntegrityError as error:
        raise DomainError("slug_taken", _("Another club has this address already.")) from error
    return club


def clean_time_zone(name: str) -> str:
    """The name of a time zone as it is stored; raises DomainError for a name that no zone has."""
    if name not in available_timezones():
        raise DomainError("unknown_time_zone", _("There is no time zone called %(name)s.") % {"name": name})
    return name


def join_club(
    *, club: Club, player: Player, self_assessment: str, now: datetime, token: str | None = None
) -> Membership:
    """Become a member: by an open door or with an invitation's token. Somebody who left comes back as a player.

    self_assessment: the key of an answer that the club offers; the answer of somebody who was here before is kept.
    Raises DomainError ("unknown_self_assessment") and what use_invitation raises, NotAllowed ("banned").
    """
    with transaction.atomic():
        locked = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        answer = answers_of(locked).find(self_assessment)
        if answer is None or not answer.is_offered:
            raise DomainError("unknown_self_assessment", _("Please choose how well you play."))
        membership = Membership.objects.filter(club=club, player=player).first()
        if membership is not None and membership.state == Membership.State.ACTIVE:
            return membership
        if membership is not None and membership.state == Membership.State.BANNED:
            raise NotAllowed("banned", _("This club does not let you in."))
        if token is not None:
            use_invitation(club=club, token=token, now=now)
        elif not locked.is_open_to_join:
            raise NotAllowed("invitation_needed", _("One joins this club with an invitation link."))
        if membership is None:
            membership = Membership(club=club, player=player, self_assessment=self_assessment, joined_at=now)
        membership.state = Membership.State.ACTIVE
        membership.role = Role.PLAYER.value
        membership.self_assessment = membership.self_assessment or self_assessment
        membership.save()
        audit.record(club=club, actor=player, action="membership.joined", subject=membership, now=now)
    return membership


def leave_club(*, club: Club, player: Player, now: datetime) -> None:
    """Leave; results, ratings and name in past matches stay. A no-op for somebody who is not a member."""
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        membership = Membership.objects.filter(club=club, player=player, state=Membership.State.ACTIVE).first()
        if membership is None:
            return
        _refuse_for_last_owner(membership)
        if MatchParticipant.objects.filter(player=player, is_live=True, match__queue__club=club).exists():
            raise DomainError("in_a_match", _("You are in a match. Play and report it, or call it off, then leave."))
        membership.state = Membership.State.LEFT
        membership.role = Role.PLAYER.value
        membership.save(update_fields=["state", "role"])
        audit.record(club=club, actor=player, action="membership.left", subject=membership, now=now)


def end_membership(
    *, club: Club, actor: Player, player: Player, now: datetime, ban: bool = False, reason: str = ""
) -> Membership:
    """Put somebody out of the club; with `ban` the way back is closed too. Nobody ends a role as high as their own,
    save an owner.
    """
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        access = require(club.pk, actor, Capability.MANAGE_MEMBERS)
        membership = _membership(club, player)
        if access.role is not Role.OWNER and Role(membership.role) is not Role.PLAYER:
            raise NotAllowed("not_allowed", _("Only an owner can put out somebody who has a role."))
        _refuse_for_last_owner(membership)
        membership.state = Membership.State.BANNED if ban else Membership.State.LEFT
        membership.role = Role.PLAYER.value
        membership.save(update_fields=["state", "role"])
        audit.record(
            club=club,
            actor=actor,
            action="membership.banned" if ban else "membership.ended",
            subject=membership,
            detail={"player": str(player.pk), "reason": reason},
            now=now,
        )
    return membership


def lift_ban(*, club: Club, actor: Player, player: Player, now: datetime) -> Membership:
    """Let a banned player join again, by the usual door."""
    with transaction.atomic():
        require(club.pk, actor, Capability.MANAGE_MEMBERS)
        membership = Membership.objects.select_for_update().filter(club=club, player=player).first()
        if membership is None or membership.state != Membership.State.BANNED:
            raise NotFound("not_banned", _("This player is not banned."))
        membership.state = Membership.State.LEFT
        membership.save(update_fields=["state"])
        audit.record(club=club, actor=actor, action="membership.ban_lifted", subject=membership, now=now)
    return membership


def set_role(*, club: Club, actor: Player, player: Player, role: Role, now: datetime) -> Membership:
    """Give a member another role; it counts from their next request. The last owner stays one."""
    if role not in Role.members():
        raise DomainError("unknown_role", _("There is no such role."))
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        require(club.pk, actor, Capability.SET_ROLES)
        membership = _membership(club, player)
        before = membership.role
        if before == role.value:
            return membership
        _refuse_for_last_owner(membership)
        membership.role = role.value
        membership.save(update_fields=["role"])
        audit.record(
            club=club,
            actor=actor,
            action="role.set",
            subject=membership,
            detail={"player": str(player.pk), "before": before, "after": role.value},
            now=now,
        )
    return membership


def _membership(club: Club, player: Player) -> Membership:
    membership = access_to(club, player).membership
    if membership is None:
        raise NotFound("not_a_member", _("%(name)s is not a member of this club.") % {"name": player.name})
    return membership


def _refuse_for_last_owner(membership: Membership) -> None:
    """Call with the club locked."""
    if membership.role != Role.OWNER.value:
        return
    owners = Membership.objects.filter(
        club=membership.club_id, role=Role.OWNER.value, state=Membership.State.ACTIVE
    ).count()
    if owners == 1:
        raise DomainError("last_owner", _("A club needs an owner. Make somebody else an owner first."))
