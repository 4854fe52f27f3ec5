"""Carries out what the core decided about a ready check: start the match, or send some back and let others go."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction

from ladder.models import Offence, Queue
from ladder.services import conduct, matches
from matchmaking.core.ready import Answer, CheckState, ReadyPlan, all_back
from matchmaking.core.types import WaitingTicket
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket
from matchmaking.services.after_commit import after_commit
from matchmaking.services.tickets import as_waiting, close, pool_of, send_back
from matchmaking.store import Pool, get_store
from ratings.errors import DomainError

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class LockedCheck:
    """A check with everything of it locked and as it is now. offences: what was written down, by player."""

    row: ReadyCheck
    queue: Queue
    answers: dict[UUID, ReadyCheckAnswer]
    tickets: dict[UUID, Ticket]
    offences: dict[UUID, Offence] = field(default_factory=dict)

    def as_state(self) -> CheckState:
        """The check as the core takes it."""
        return CheckState(
            deadline=self.row.deadline.timestamp(),
            answers=tuple(
                Answer(player.hex, answer.ticket_id.hex, answer.answer, seen=answer.seen_at is not None)
                for player, answer in self.answers.items()
            ),
        )


def carry_out(check: LockedCheck, plan: ReadyPlan, *, now: datetime) -> None:
    """Write the plan's outcome; a match that cannot be started sends everybody back instead."""
    if plan.outcome == "start" and not _start(check, now):
        plan = all_back(check.as_state(), "unstartable")
    if plan.outcome == "fail":
        _fail(check, plan, now)


def _start(check: LockedCheck, now: datetime) -> bool:
    """Assign the match and end the tickets; False where the match cannot be played any more."""
    try:
        with transaction.atomic():
            matches.assign(match_id=check.row.match_id, now=now)
    except DomainError as refusal:
        logger.warning("match %s cannot start: %s", check.row.match_id, refusal.message)
        return False
    _end(check, ReadyCheck.State.COMPLETE, "", now)
    close(list(check.tickets.values()), state=Ticket.State.ASSIGNED, reason="", now=now)
    tickets = [ticket.hex for ticket in check.tickets]
    after_commit(_assign_in_store, pool_of(check.queue), check.row.pk.hex, tickets)
    return True


def _fail(check: LockedCheck, plan: ReadyPlan, now: datetime) -> None:
    _end(check, ReadyCheck.State.FAILED, plan.reason, now)
    try:
        with transaction.atomic():
            matches.cancel(match_id=check.row.match_id, reason=plan.reason, now=now)
    except DomainError as refusal:
        logger.warning("match %s was over already: %s", check.row.match_id, refusal.message)
    unseen = _blame(check, plan, now)
    back = [check.tickets[UUID(hex=ticket)] for ticket in plan.back]
    gone = [check.tickets[UUID(hex=ticket)] for ticket in plan.removed]
    for ticket in gone:
        reason = f"{plan.reason}_unseen" if ticket.pk in unseen else plan.reason
        close([ticket], state=Ticket.State.REMOVED, reason=reason, now=now)
    send_back(back, reason=plan.reason, now=now)
    waiting = as_waiting(check.queue, back, now=now)
    after_commit(
        _release_in_store,
        pool_of(check.queue),
        check.row.pk.hex,
        {ticket.hex: seeker for ticket, seeker in waiting.items()},
        [ticket.pk.hex for ticket in gone],
    )


def _end(check: LockedCheck, state: ReadyCheck.State, reason: str, now: datetime) -> None:
    check.row.state, check.row.end_reason, check.row.ended_at = state, reason, now
    check.row.save(update_fields=["state", "end_reason", "ended_at"])


def _blame(check: LockedCheck, plan: ReadyPlan, now: datetime) -> set[UUID]:
    """Write down who was at fault; returns the tickets of those who may never have seen the check."""
    unseen: set[UUID] = set()
    for blame in plan.blamed:
        player = UUID(hex=blame.player)
        answer = check.answers[player]
        if blame.kind == "missed":
            answer.answer = ReadyCheckAnswer.Answer.MISSED
            answer.save(update_fields=["answer"])
        if not blame.offence:
            unseen.add(answer.ticket_id)
            continue
        check.offences[player] = conduct.record_offence(
            player_id=player, queue=check.queue, match_id=check.row.match_id, kind=blame.kind, now=now
        )
    return unseen


def _assign_in_store(pool: Pool, proposal: str, tickets: Sequence[str]) -> None:
    answer = get_store().assign(pool, proposal, tickets)
    if not answer.ok:
        logger.warning("store did not let go of %s: %s", answer.ticket, answer.said)


def _release_in_store(pool: Pool, proposal: str, back: Mapping[str, WaitingTicket], gone: Sequence[str]) -> None:
    answer = get_store().release(pool, proposal, back=back, gone=gone)
    if not answer.ok:
        logger.warning("store did not take back %s (%s); recovery will", answer.ticket, answer.said)
