"""What several doors do to tickets: lock them, end them, send them back, and carry that to the store after commit.

PostgreSQL decides; the store follows once the transaction is committed, and recovery puts right what a crash left.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from ladder.live import tell_after_commit
from ladder.models import Membership, Queue, SeasonRules
from ladder.selectors import seasons
from matchmaking.core.types import Seeker, WaitingTicket
from matchmaking.models import Ticket, TicketEvent, TicketMember
from matchmaking.selectors.pools import members_of, refusals
from matchmaking.services.after_commit import after_commit
from matchmaking.store import Pool, get_store
from ratings.selectors import ClubBelief, club_beliefs
from ratings.services.placement import Newcomer, ensure_ratings

# Somebody sent back without fault searches at least so much longer, however old the ticket is.
LEAST_AFTER_RETURN = timedelta(minutes=1)


def pool_of(queue: Queue) -> Pool:
    """Where the store keeps the queue's tickets."""
    return Pool(club_id=queue.club_id, queue_id=queue.pk)


def lock_tickets(ticket_ids: Collection[UUID]) -> dict[UUID, Ticket]:
    """Lock these tickets in id order (after their players, before match and check); returns them as they are now."""
    rows = Ticket.objects.select_for_update(no_key=True).filter(pk__in=ticket_ids).order_by("pk")
    return {ticket.pk: ticket for ticket in rows}


def end_searching(
    *, queue: Queue, ticket_ids: Collection[UUID], state: Ticket.State, reason: str, now: datetime
) -> list[Ticket]:
    """End those of these tickets that still search, with the reason for their owners; returns which."""
    if not ticket_ids:
        return []
    with transaction.atomic():
        tickets = [row for row in lock_tickets(ticket_ids).values() if row.state == Ticket.State.SEARCHING]
        close(tickets, state=state, reason=reason, now=now)
        pool = pool_of(queue)
        for ticket in tickets:
            after_commit(_leave_store, pool, ticket.pk.hex)
    return tickets


def close(tickets: Sequence[Ticket], *, state: Ticket.State, reason: str, now: datetime) -> None:
    """Write the end of tickets that the caller has locked, and tell their players' pages."""
    ids = [ticket.pk for ticket in tickets]
    for ticket in tickets:
        ticket.state, ticket.end_reason, ticket.ended_at = state, reason, now
    Ticket.objects.filter(pk__in=ids).update(state=state, end_reason=reason, ended_at=now)
    TicketMember.objects.filter(ticket_id__in=ids, is_live=True).update(is_live=False)
    write_events(tickets, TicketEvent.Kind(state), reason=reason, now=now)
    tell_members(tickets)


def send_back(tickets: Sequence[Ticket], *, reason: str, now: datetime) -> None:
    """Let tickets that the caller has locked search again, with their age and at least a minute more."""
    least_end = now + LEAST_AFTER_RETURN
    for ticket in tickets:
        ticket.state, ticket.back_reason = Ticket.State.SEARCHING, reason
        ticket.search_until = max(least_end, ticket.search_until or least_end)
    Ticket.objects.bulk_update(tickets, ["state", "back_reason", "search_until"])
    write_events(tickets, TicketEvent.Kind.REQUEUED, reason=reason, now=now)
    tell_members(tickets)


def write_events(tickets: Iterable[Ticket], kind: TicketEvent.Kind, *, now: datetime, reason: str = "") -> None:
    """One fact about each ticket."""
    TicketEvent.objects.bulk_create(
        TicketEvent(
            ticket=ticket,
            kind=kind,
            reason=reason,
            detail={"waited": round((now - ticket.joined_at).total_seconds(), 3)},
            created_at=now,
        )
        for ticket in tickets
    )


def tell_members(tickets: Iterable[Ticket]) -> None:
    """Have the pages of everybody on these tickets re-read the truth after commit."""
    players = [player for members in members_of(tickets).values() for player in members]
    if players:
        tell_after_commit("play", players=players)


def as_waiting(
    queue: Queue, tickets: Sequence[Ticket], *, now: datetime, rules: SeasonRules | None = None
) -> dict[UUID, WaitingTicket]:
    """What the store holds of these tickets, with the beliefs of this moment; a constant number of queries.

    rules: of the open season, where the caller has them. Without a season there is nothing to match by, and the
    answer is empty.
    """
    rules = rules or (seasons.current(queue) if tickets else None)
    if rules is None:
        return {}
    members = members_of(tickets)
    players = [player for ids in members.values() for player in ids]
    beliefs = beliefs_of(queue, rules, players, now=now)
    avoid = refusals(players, now=now)
    return {
        ticket.pk: WaitingTicket(
            id=ticket.pk.hex,
            members=tuple(
                Seeker(player.hex, beliefs[player].rating, beliefs[player].deviation)
                for player in members.get(ticket.pk, [])
            ),
            joined_at=ticket.joined_at.timestamp(),
            search_until=ticket.search_until.timestamp() if ticket.search_until else 0.0,
            avoid={other: until for player in members.get(ticket.pk, []) for other, until in avoid[player].items()},
        )
        for ticket in tickets
    }


def beliefs_of(queue: Queue, rules: SeasonRules, players: Sequence[UUID], *, now: datetime) -> dict[UUID, ClubBelief]:
    """What is believed of each player in the queue's season; who has no rating there yet is placed first."""
    known = club_beliefs(queue_id=queue.pk, season_id=rules.season_id, player_ids=players, now=now)
    missing = [player for player in players if player not in known]
    if not missing:
        return known
    answers = dict(
        Membership.objects.filter(club_id=queue.club_id, player_id__in=missing).values_list(
            "player_id", "self_assessment"
        )
    )
    ensure_ratings(
        queue_id=queue.pk,
        season_id=rules.season_id,
        newcomers=[Newcomer(player, answers.get(player, "")) for player in missing],
        rules=seasons.rank_rules(rules),
        now=now,
    )
    return known | club_beliefs(queue_id=queue.pk, season_id=rules.season_id, player_ids=missing, now=now)


def _leave_store(pool: Pool, ticket: str) -> None:
    get_store().remove(pool, ticket)
