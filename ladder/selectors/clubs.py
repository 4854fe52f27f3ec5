"""Clubs as their pages show them."""

from ladder.core.permissions import Role
from ladder.models import Club, Membership, Player
from ladder.selectors.access import Access, access_to


def home_access(player: Player, slug: str | None) -> Access | None:
    """The club that pages outside of any club point to: the last one visited, else the one joined last."""
    memberships = Membership.objects.filter(player=player, state=Membership.State.ACTIVE).select_related("club")
    rows = sorted(memberships, key=lambda row: (row.club.slug == slug, row.joined_at), reverse=True)
    if not rows:
        return None
    return Access(club=rows[0].club, player=player, membership=rows[0], role=Role(rows[0].role))


def listed_clubs(*, limit: int = 50) -> list[Club]:
    """What the landing page offers, by name."""
    return list(Club.objects.filter(is_listed=True).order_by("name")[:limit])


__all__ = ["access_to", "home_access", "listed_clubs"]
