"""What the services read of tickets: who waits, who must not wait any more, whom somebody would not meet again."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from ladder.models import MatchParticipant, Membership, Queue
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket, TicketMember

# Who declined a match is not offered the same opponent again for so long.
REFUSED_HOLD = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Unfit:
    """A waiting ticket that must leave, and why: "started_elsewhere", "not_a_member" or "account_closed"."""

    ticket_id: UUID
    reason: str


def waiting_queues() -> list[UUID]:
    """The queues in which somebody searches; one query."""
    return list(Ticket.objects.filter(state=Ticket.State.SEARCHING).values_list("queue_id", flat=True).distinct())


def live_ticket(player_id: UUID) -> Ticket | None:
    """The player's ticket that searches or is in a ready check, in whatever queue."""
    member = (
        TicketMember.objects.filter(player_id=player_id, is_live=True).select_related("ticket__queue__club").first()
    )
    return member.ticket if member else None


def live_tickets(queue: Queue) -> dict[str, Ticket]:
    """The queue's tickets that search or are in a ready check, by hexadecimal id."""
    states = [Ticket.State.SEARCHING, Ticket.State.PROPOSED]
    return {ticket.pk.hex: ticket for ticket in Ticket.objects.filter(queue=queue, state__in=states)}


def members_of(tickets: Iterable[Ticket]) -> dict[UUID, list[UUID]]:
    """The players of each ticket, its leader first; one query."""
    leaders = {ticket.pk: ticket.leader_id for ticket in tickets}
    members: dict[UUID, list[UUID]] = defaultdict(list)
    rows = TicketMember.objects.filter(ticket_id__in=leaders).order_by("id").values_list("ticket_id", "player_id")
    for ticket_id, player_id in rows:
        members[ticket_id].append(player_id)
    for ticket_id, players in members.items():
        players.sort(key=lambda player: player != leaders[ticket_id])
    return members


def unfit(queue: Queue) -> list[Unfit]:
    """Waiting tickets whose player began another match, left the club or closed the account; one query."""
    busy = MatchParticipant.objects.filter(player_id=OuterRef("player_id"), is_live=True)
    member = Membership.objects.filter(
        player_id=OuterRef("player_id"), club_id=queue.club_id, state=Membership.State.ACTIVE
    )
    rows = (
        TicketMember.objects.filter(is_live=True, ticket__queue=queue, ticket__state=Ticket.State.SEARCHING)
        .annotate(busy=Exists(busy), member=Exists(member))
        .filter(Q(busy=True) | Q(member=False) | Q(player__is_active=False))
        .values_list("ticket_id", "busy", "member")
    )
    return [Unfit(ticket_id, _unfit_reason(is_busy, is_member)) for ticket_id, is_busy, is_member in rows]


def refusals(players: Collection[UUID], *, now: datetime) -> dict[UUID, dict[str, float]]:
    """Whom each of these players declined lately: opponent (hexadecimal) to the time until when; one query."""
    declined = ReadyCheckAnswer.objects.filter(
        player_id__in=players, answer=ReadyCheckAnswer.Answer.DECLINED, answered_at__gt=now - REFUSED_HOLD
    ).values_list("player_id", "answered_at", "ready_check__answers__player_id")
    avoid: dict[UUID, dict[str, float]] = defaultdict(dict)
    for player_id, answered_at, other in declined:
        if other != player_id and answered_at is not None:
            until = (answered_at + REFUSED_HOLD).timestamp()
            avoid[player_id][other.hex] = max(until, avoid[player_id].get(other.hex, 0.0))
    return avoid


def due_checks(*, now: datetime, grace: float) -> Sequence[UUID]:
    """Open ready checks past deadline and grace, the oldest first."""
    due = ReadyCheck.objects.filter(state=ReadyCheck.State.OPEN, deadline__lte=now - timedelta(seconds=grace))
    return list(due.order_by("deadline").values_list("pk", flat=True)[:500])


def stranded_checks(*, now: datetime) -> Sequence[UUID]:
    """Checks to which everybody said yes 5 seconds ago or longer and whose match has not started."""
    unanswered = ReadyCheckAnswer.objects.filter(ready_check=OuterRef("pk")).exclude(
        answer=ReadyCheckAnswer.Answer.ACCEPTED
    )
    answered_lately = ReadyCheckAnswer.objects.filter(
        ready_check=OuterRef("pk"), answered_at__gt=now - timedelta(seconds=5)
    )
    return list(
        ReadyCheck.objects.filter(state=ReadyCheck.State.OPEN)
        .exclude(Exists(unanswered))
        .exclude(Exists(answered_lately))
        .order_by("created_at")
        .values_list("pk", flat=True)[:500]
    )


def _unfit_reason(is_busy: bool, is_member: bool) -> str:
    if is_busy:
        return "started_elsewhere"
    return "account_closed" if is_member else "not_a_member"
