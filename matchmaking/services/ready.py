"""Doors of the ready check: see it, accept, decline, and what time does to it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.models import Offence, Player, Queue
from ladder.selectors.conduct import told_after
from ladder.services.matches import lock_players
from matchmaking.core.ready import GRACE, advance, all_back, is_over
from matchmaking.models import ReadyCheck, ReadyCheckAnswer
from matchmaking.selectors.pools import due_checks
from matchmaking.selectors.words import sent_back_text
from matchmaking.services.carry_on import carry_on
from matchmaking.services.outcomes import LockedCheck, carry_out
from matchmaking.services.tickets import lock_tickets, tell_members
from ratings.errors import NotFound

Said = ReadyCheckAnswer.Answer


@dataclass(frozen=True, slots=True)
class ReadyOutcome:
    """How things stand for the player after their answer.

    state: "waiting" for the others; "started"; "declined" by this player; "expired": this player's answer came too
    late; "failed" through another player, with this one back in line. text: what to tell the player.
    completed: this very call completed the check (exactly one caller gets it).
    """

    state: Literal["waiting", "started", "declined", "expired", "failed"]
    text: str
    match_id: UUID
    completed: bool = False


def accept(*, ready_check_id: UUID, player: Player, now: datetime) -> ReadyOutcome:
    """Say yes. The last yes starts the match; a second time, or too late, changes nothing and says how things stand.

    now: by the store's clock. Raises NotFound for a check that is not the player's.
    """
    return _answer(ready_check_id, player, Said.ACCEPTED, now)


def decline(*, ready_check_id: UUID, player: Player, now: datetime) -> ReadyOutcome:
    """Say no: the others search again, this player leaves the queue with an offence. No way back from a yes."""
    return _answer(ready_check_id, player, Said.DECLINED, now)


def mark_seen(*, ready_check_id: UUID, player: Player, now: datetime) -> None:
    """A page showed the check to this player: from now on silence is theirs."""
    ReadyCheckAnswer.objects.filter(
        ready_check_id=ready_check_id,
        player=player,
        seen_at__isnull=True,
        ready_check__state=ReadyCheck.State.OPEN,
    ).update(seen_at=now)


def expire_due(*, now: datetime) -> int:
    """End every check whose time is up, whether anybody's browser is open or not; returns how many this call ended."""
    ended = 0
    for check_id in due_checks(now=now, grace=GRACE):
        with carry_on(f"expiring ready check {check_id}"):
            ended += settle(check_id, now=now)
    return ended


def settle(ready_check_id: UUID, *, now: datetime) -> bool:
    """Carry on an open check as its answers and the time ask for; True if this call ended it."""
    with transaction.atomic(durable=True):
        check = _lock(ready_check_id)
        if check.row.state != ReadyCheck.State.OPEN:
            return False
        return _advance(check, now)


def abandon(ready_check_id: UUID, *, now: datetime) -> bool:
    """Send everybody back without blame: for a check that nothing could carry on; True if this call ended it."""
    with transaction.atomic(durable=True):
        check = _lock(ready_check_id)
        if check.row.state != ReadyCheck.State.OPEN:
            return False
        carry_out(check, all_back(check.as_state(), "unstartable"), now=now)
        return True


def _answer(ready_check_id: UUID, player: Player, said: Said, now: datetime) -> ReadyOutcome:
    with transaction.atomic(durable=True):
        check = _lock(ready_check_id)
        own = check.answers.get(player.pk)
        if own is None:
            raise NotFound("not_found", _("There is no such ready check."))
        ended = False
        if check.row.state == ReadyCheck.State.OPEN:
            in_time = not is_over(check.row.deadline.timestamp(), now.timestamp())
            if in_time and own.answer == Said.PENDING:
                _write_answer(own, said, now)
                tell_members(check.tickets.values())
            ended = _advance(check, now)
        completed = ended and check.row.state == ReadyCheck.State.COMPLETE
        return _outcome(check, own, now, completed=completed)


def _lock(ready_check_id: UUID) -> LockedCheck:
    """Players by id, tickets by id, then the check itself; then everything is read again."""
    pairs = list(ReadyCheckAnswer.objects.filter(ready_check_id=ready_check_id).values_list("player_id", "ticket_id"))
    if not pairs:
        raise NotFound("not_found", _("There is no such ready check."))
    lock_players(sorted(player for player, _ticket in pairs))
    tickets = lock_tickets({ticket for _player, ticket in pairs})
    row = ReadyCheck.objects.select_for_update(no_key=True).get(pk=ready_check_id)
    answers = {answer.player_id: answer for answer in row.answers.order_by("id")}
    queue = Queue.objects.select_related("club").get(matches=row.match_id)
    return LockedCheck(row=row, queue=queue, answers=answers, tickets=tickets)


def _write_answer(own: ReadyCheckAnswer, said: Said, now: datetime) -> None:
    own.answer, own.answered_at, own.seen_at = said, now, own.seen_at or now
    own.save(update_fields=["answer", "answered_at", "seen_at"])


def _advance(check: LockedCheck, now: datetime) -> bool:
    """Ask the core and do what it says; True if the check ended."""
    plan = advance(check.as_state(), now.timestamp())
    if plan.outcome == "wait":
        return False
    carry_out(check, plan, now=now)
    return True


def _outcome(check: LockedCheck, own: ReadyCheckAnswer, now: datetime, *, completed: bool) -> ReadyOutcome:
    """How things stand for one player, whoever caused it and whenever."""
    match_id = check.row.match_id
    if check.row.state == ReadyCheck.State.OPEN:
        return ReadyOutcome("waiting", _("You accepted. Waiting for the others."), match_id)
    if check.row.state == ReadyCheck.State.COMPLETE:
        return ReadyOutcome("started", _("Everybody accepted. Your match is on."), match_id, completed=completed)
    offence = (
        check.offences.get(own.player_id) or Offence.objects.filter(match_id=match_id, player_id=own.player_id).first()
    )
    if own.answer == Said.DECLINED:
        return ReadyOutcome("declined", _after(_("You declined."), offence), match_id)
    if own.answer == Said.MISSED:
        late = _("The time to accept had run out.")
        return ReadyOutcome(
            "expired", _after(late, offence) if offence else f"{late} {_('You can join again.')}", match_id
        )
    ticket = check.tickets[own.ticket_id]
    return ReadyOutcome("failed", sent_back_text(check.row.end_reason, now - ticket.joined_at), match_id)


def _after(what: str, offence: Offence | None) -> str:
    return f"{what} {told_after(offence)}" if offence else what
