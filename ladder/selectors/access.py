"""Who somebody is to a club: the fetch through which every page, service and endpoint goes."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability, Role, may
from ladder.models import Club, Membership, Player
from ratings.errors import NotAllowed, NotFound


@dataclass(frozen=True, slots=True)
class Access:
    """A person before a club: what they are to it, and the questions one asks of that."""

    club: Club
    player: Player | None
    membership: Membership | None
    role: Role

    def may(self, capability: Capability) -> bool:
        """Whether this person may do this in this club."""
        return may(self.role, capability, club_is_public=self.club.is_public)

    def require(self, capability: Capability) -> None:
        """Raise NotFound where even the club's inside is hidden, NotAllowed where only the act is."""
        if self.may(capability):
            return
        if not self.may(Capability.SEE_CLUB):
            raise NotFound("not_found", _("There is no such page, or it is for members of the club."))
        raise NotAllowed("not_allowed", _("Your role in this club does not allow this."))


def access_to(club: Club, player: Player | AnonymousUser | None) -> Access:
    """What the person is to the club; one query for a signed-in one. A banned or departed member is an outsider."""
    if not isinstance(player, Player):
        return Access(club=club, player=None, membership=None, role=Role.STRANGER)
    membership = Membership.objects.filter(club=club, player=player, state=Membership.State.ACTIVE).first()
    role = Role(membership.role) if membership else Role.OUTSIDER
    return Access(club=club, player=player, membership=membership, role=role)


def access_by_slug(slug: str, player: Player | AnonymousUser | None) -> Access:
    """The same by the club's slug, for a member in one query; raises NotFound for an unknown club."""
    if isinstance(player, Player):
        own = Membership.objects.filter(club__slug=slug, player=player, state=Membership.State.ACTIVE)
        membership = own.select_related("club").first()
        if membership is not None:
            return Access(club=membership.club, player=player, membership=membership, role=Role(membership.role))
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("not_found", _("There is no such club."))
    return access_to(club, player)


def require(club_id: UUID, actor: Player, capability: Capability) -> Access:
    """For services: the actor's access to the club, refused unless it has the capability."""
    access = access_to(Club.objects.get(pk=club_id), actor)
    access.require(capability)
    return access
