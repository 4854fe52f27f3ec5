"""The doors into and out of a queue."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.live import tell_after_commit
from ladder.models import MatchParticipant, Player, Queue, SeasonRules
from ladder.selectors import conduct, seasons
from ladder.selectors.access import access_to
from ladder.services.matches import lock_players
from matchmaking.core.types import WaitingTicket
from matchmaking.models import Ticket, TicketEvent, TicketMember
from matchmaking.selectors.pools import live_ticket
from matchmaking.services.after_commit import after_commit
from matchmaking.services.policies import ensure_policy
from matchmaking.services.tickets import as_waiting, end_searching, pool_of, write_events
from matchmaking.store import get_store
from ratings.errors import DomainError, NotAllowed


@dataclass(frozen=True, slots=True)
class CancelResult:
    """How things stand after a cancel: a Ticket.State, or "idle" for somebody who never searched.

    changed: whether this call ended the search.
    """

    state: str
    ticket: Ticket | None
    changed: bool


def join(*, queue: Queue, player: Player, now: datetime) -> Ticket:
    """Search in this queue. Somebody who searches in it already gets the same ticket, with its age.

    now: by the store's clock. Raises DomainError in the player's words: not a member, blocked, in a match, searching
    in another queue, queue closed, no open season.
    """
    try:
        with transaction.atomic(durable=True):
            return _join_locked(queue, player, now)
    except IntegrityError:
        # Whoever came first through another door; the database keeps one live ticket per player.
        present = live_ticket(player.pk)
        if present is None or present.queue_id != queue.pk:
            raise
        return present


def cancel(*, player: Player, now: datetime) -> CancelResult:
    """Stop searching; a second time changes nothing and says how things ended.

    A ready check is answered, not cancelled: then the state is "proposed".
    """
    with transaction.atomic(durable=True):
        lock_players([player.pk])
        present = live_ticket(player.pk)
        if present is None:
            last = Ticket.objects.filter(members__player=player).order_by("-joined_at", "-id").first()
            return CancelResult(last.state if last else "idle", last, changed=False)
        ended = end_searching(
            queue=present.queue, ticket_ids=[present.pk], state=Ticket.State.CANCELLED, reason="by_player", now=now
        )
    if ended:
        return CancelResult(ended[0].state, ended[0], changed=True)
    present.refresh_from_db()
    return CancelResult(present.state, present, changed=False)


def _join_locked(queue: Queue, player: Player, now: datetime) -> Ticket:
    lock_players([player.pk])
    present = live_ticket(player.pk)
    if present is not None:
        return _same_or_refuse(present, queue)
    queue = Queue.objects.select_related("club").get(pk=queue.pk)
    rules = _refuse_unfit(queue, player, now)
    ensure_policy(queue_id=queue.pk, now=now)
    ticket = Ticket.objects.create(queue=queue, leader=player, joined_at=now)
    TicketMember.objects.create(ticket=ticket, player=player)
    write_events([ticket], TicketEvent.Kind.JOINED, now=now)
    waiting = as_waiting(queue, [ticket], now=now, rules=rules)[ticket.pk]
    after_commit(enter_store, queue, waiting)
    tell_after_commit("play", players=[player.pk])
    return ticket


def _same_or_refuse(present: Ticket, queue: Queue) -> Ticket:
    if present.queue_id == queue.pk:
        return present
    raise DomainError(
        "searching_elsewhere",
        _("You are searching in %(queue)s. Cancel that first.") % {"queue": present.queue.name},
    )


def _refuse_unfit(queue: Queue, player: Player, now: datetime) -> SeasonRules:
    """Everything that keeps somebody out, each in one sentence; else the rules of the season to play in."""
    if not access_to(queue.club, player).may(Capability.PLAY):
        raise NotAllowed("not_a_member", _("You are not a member of this club."))
    if MatchParticipant.objects.filter(player=player, is_live=True).exists():
        raise DomainError("in_match", _("You are in a match. Finish it before you search for the next one."))
    if queue.state != Queue.State.OPEN:
        raise DomainError("queue_closed", _("%(queue)s is closed at the moment.") % {"queue": queue.name})
    if (queue.teams, queue.team_size) != (2, 1):
        raise DomainError("not_for_singles", _("Nobody can search alone in %(queue)s.") % {"queue": queue.name})
    rules = seasons.require_current(queue)
    block = conduct.block(player_id=player.pk, club_id=queue.club_id, now=now)
    if block is not None:
        raise DomainError("blocked", block.sentence, until=block.until)
    return rules


def enter_store(queue: Queue, waiting: WaitingTicket) -> None:
    """Put a committed ticket into the hot pool. An ended ticket that a member still stands for there makes way."""
    store, pool = get_store(), pool_of(queue)
    answer = store.join(pool, waiting)
    if answer.said == "taken":
        other = Ticket.objects.filter(pk=UUID(hex=answer.ticket)).select_related("queue").first()
        if other is None or other.ended_at is not None:
            store.remove(pool if other is None else pool_of(other.queue), answer.ticket)
            store.join(pool, waiting)
