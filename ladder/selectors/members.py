"""People of a club, and whether a name is free."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Case, IntegerField, Value, When

from ladder.core.permissions import Role
from ladder.models import Membership, Player
from ladder.names import comparison_key


@dataclass(frozen=True, slots=True)
class Member:
    """A row of the member list."""

    player_id: UUID
    handle: str
    name: str
    role: Role
    is_banned: bool
    is_bot: bool
    joined_at: datetime


def members(*, club_id: UUID, limit: int = 500, offset: int = 0) -> list[Member]:
    """Active and banned members, the highest roles first, then by handle."""
    order = Case(
        *(When(role=role.value, then=Value(place)) for place, role in enumerate(Role.members())),
        output_field=IntegerField(),
    )
    rows = (
        Membership.objects.filter(club_id=club_id)
        .exclude(state=Membership.State.LEFT)
        .select_related("player")
        .order_by(order, "player__handle_key", "id")
    )
    return [
        Member(
            player_id=row.player_id,
            handle=row.player.handle,
            name=row.player.name,
            role=Role(row.role),
            is_banned=row.state == Membership.State.BANNED,
            is_bot=row.player.is_bot,
            joined_at=row.joined_at,
        )
        for row in rows[offset : offset + limit]
    ]


def handle_is_free(handle: str) -> bool:
    """Whether nobody has this handle or one that looks like it."""
    return not Player.objects.filter(handle_key=comparison_key(handle)).exists()
