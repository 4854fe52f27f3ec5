"""What the club desk lists: members, invitation links, queues, seasons, each row ready to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability, Role
from ladder.models import Invitation, Membership, Player, Queue, Season, SeasonRules
from ladder.selectors.access import Access
from ratings.errors import NotFound

MEMBERS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of the desk's first page."""

    members: int
    staff: int
    links: int
    queues: Sequence[Queue]
    open_season: Season | None
    next_seasons: Sequence[Season]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member; `may_end` says whether the viewer may put this one out."""

    handle: str
    name: str
    role: Role
    state: str
    state_label: str
    joined_at: datetime
    is_me: bool
    may_end: bool


@dataclass(frozen=True, slots=True)
class MemberPage:
    """One page of members by handle; `after` is the handle to go on from, empty on the last page."""

    rows: tuple[MemberRow, ...]
    after: str


def overview(access: Access, now: datetime) -> Overview:
    """The figures of the whole club; a constant number of queries."""
    counts = Membership.objects.filter(club=access.club, state=Membership.State.ACTIVE).aggregate(
        members=Count("id"), staff=Count("id", filter=~Q(role=Role.PLAYER.value))
    )
    seasons = list(Season.objects.filter(club=access.club).exclude(state=Season.State.CLOSED).order_by("created_at"))
    return Overview(
        members=counts["members"],
        staff=counts["staff"],
        links=sum(row.status == "open" for row in links(access, now)),
        queues=list(Queue.objects.filter(club=access.club).order_by("created_at", "id")),
        open_season=next((season for season in seasons if season.state == Season.State.OPEN), None),
        next_seasons=[season for season in seasons if season.state != Season.State.OPEN],
    )


def members(access: Access, *, role: str = "", state: str = "active", search: str = "", after: str = "") -> MemberPage:
    """Members by handle. role: one of Role.members() or empty; state: a membership state."""
    rows = Membership.objects.filter(club=access.club, state=state).select_related("player").order_by("player__handle")
    if role:
        rows = rows.filter(role=role)
    if search:
        rows = rows.filter(Q(player__handle__icontains=search) | Q(player__display_name__icontains=search))
    if after:
        rows = rows.filter(player__handle__gt=after)
    found = list(rows[: MEMBERS_A_PAGE + 1])
    page = found[:MEMBERS_A_PAGE]
    last = page[-1].player.handle if len(found) > MEMBERS_A_PAGE else ""
    return MemberPage(rows=tuple(_member_row(access, row) for row in page), after=last)


def _member_row(access: Access, membership: Membership) -> MemberRow:
    role = Role(membership.role)
    return MemberRow(
        handle=membership.player.handle,
        name=membership.player.name,
        role=role,
        state=membership.state,
        state_label=membership.get_state_display(),
        joined_at=membership.joined_at,
        is_me=access.player is not None and membership.player_id == access.player.pk,
        may_end=membership.state == Membership.State.ACTIVE
        and (access.may(Capability.SET_ROLES) or role is Role.PLAYER),
    )


def member_named(access: Access, handle: str) -> Player:
    """Somebody who is or was a member of this club; raises NotFound for anybody else."""
    row = Membership.objects.filter(club=access.club, player__handle=handle).select_related("player").first()
    if row is None:
        raise NotFound("not_found", _("This club has no such member."))
    return row.player


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One invitation link; `status` is "open", "expired", "used_up" or "revoked"."""

    id: UUID
    note: str
    created_by: str
    created_at: datetime
    expires_at: datetime
    uses: int
    max_uses: int
    status: str


def links(access: Access, now: datetime) -> tuple[LinkRow, ...]:
    """The newest hundred invitation links, those that still let people in first."""
    rows = Invitation.objects.filter(club=access.club).select_related("created_by").order_by("-created_at", "-id")
    shown = [
        LinkRow(
            id=row.pk,
            note=row.note,
            created_by=row.created_by.name,
            created_at=row.created_at,
            expires_at=row.expires_at,
            uses=row.uses,
            max_uses=row.max_uses,
            status=_link_status(row, now),
        )
        for row in rows[:100]
    ]
    return tuple(sorted(shown, key=lambda row: row.status != "open"))


def _link_status(row: Invitation, now: datetime) -> str:
    if row.revoked_at is not None:
        return "revoked"
    if row.expires_at <= now:
        return "expired"
    return "used_up" if row.uses >= row.max_uses else "open"


def queues(access: Access) -> list[Queue]:
    """The club's queues, the oldest first."""
    return list(Queue.objects.filter(club=access.club).select_related("game").order_by("created_at", "id"))


def queue_named(access: Access, slug: str) -> Queue:
    """A queue of this club; raises NotFound for anything else."""
    queue = Queue.objects.filter(club=access.club, slug=slug).first()
    if queue is None:
        raise NotFound("not_found", _("This club has no such queue."))
    return queue


@dataclass(frozen=True, slots=True)
class DeskSeason:
    """One season with its dates and the queues that play it; `may_open`, `may_close`: the steps that come next."""

    season: Season
    starts_at: datetime | None
    ends_at: datetime | None
    queues: tuple[str, ...]
    may_open: bool
    may_close: bool


def seasons(access: Access) -> tuple[DeskSeason, ...]:
    """Every season of the club, the newest start first."""
    by_season: dict[UUID, list[SeasonRules]] = {}
    for rules in SeasonRules.objects.filter(season__club=access.club).select_related("queue"):
        by_season.setdefault(rules.season_id, []).append(rules)
    rows = [
        _desk_season(season, by_season.get(season.pk, []))
        for season in Season.objects.filter(club=access.club).order_by("-created_at")
    ]
    return tuple(sorted(rows, key=lambda row: row.starts_at or row.season.created_at, reverse=True))


def _desk_season(season: Season, rules: Sequence[SeasonRules]) -> DeskSeason:
    ends = [row.during.upper for row in rules]
    return DeskSeason(
        season=season,
        starts_at=min((row.during.lower for row in rules), default=None),
        ends_at=None if None in ends else max(ends, default=None),
        queues=tuple(row.queue.name for row in rules),
        may_open=season.state in {Season.State.DRAFT, Season.State.SCHEDULED},
        may_close=season.state in {Season.State.OPEN, Season.State.CLOSING},
    )


def season_named(access: Access, slug: str) -> Season:
    """A season of this club, drafts included; raises NotFound for anything else."""
    season = Season.objects.filter(club=access.club, slug=slug).first()
    if season is None:
        raise NotFound("not_found", _("This club has no such season."))
    return season
