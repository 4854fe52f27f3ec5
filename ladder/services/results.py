"""Results: reported by one side, confirmed by the other, by silence or by a moderator.

Every door locks the players and the match, re-reads, checks who asks, and refuses in words without changing
anything. `revision` is what the actor's page was drawn from: a stale tab is refused, a second click is answered as
done.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.core.results import Said, Standing
from ladder.models import Match, Player, ResultReport
from ladder.selectors.access import require
from ladder.selectors.matches import REPORTABLE_STATES, Sheet
from ladder.services import audit
from ladder.services.settling import already_said, checked_result, locked_sheet, refuse_if_over, say
from ratings.errors import DomainError, NotAllowed

Kind = ResultReport.Kind


def report(
    *, match_id: UUID, actor: Player, revision: int, winner: int | None, scores: tuple[int, int] | None, now: datetime
) -> Match:
    """Say how it ended. winner: the side's index, None for a draw. The other side's same report confirms it,
    a different one opens a dispute.
    """
    with transaction.atomic(durable=True):
        current = _as_player(match_id, actor)
        result = checked_result(current, winner=winner, scores=scores)
        if already_said(current, actor=actor, revision=revision, kind=Kind.REPORT, result=result):
            return current.match
        _refuse_unless_open(current, actor, Said.REPORT)
        return say(current, Kind.REPORT, actor=actor, result=result, now=now).match


def confirm(*, match_id: UUID, actor: Player, revision: int, now: datetime) -> Match:
    """Agree to what the other side reported; with the last side's word the match is completed, exactly once."""
    return _speak(match_id, actor, revision, Said.CONFIRM, now=now)


def dispute(*, match_id: UUID, actor: Player, revision: int, note: str, now: datetime) -> Match:
    """Contradict the report: a moderator will decide. note: what happened, for the moderator's eyes."""
    return _speak(match_id, actor, revision, Said.DISPUTE, note=note, now=now)


def withdraw(*, match_id: UUID, actor: Player, revision: int, now: datetime) -> Match:
    """Take back one's own report, or one's wish to cancel, while nobody has answered it."""
    return _speak(match_id, actor, revision, Said.WITHDRAW, now=now)


def ask_to_cancel(*, match_id: UUID, actor: Player, revision: int, now: datetime) -> Match:
    """Wish the match called off; it is when every side wishes it, or stays silent about the wish for the set time."""
    return _speak(match_id, actor, revision, Said.CANCEL, now=now)


def agree_to_cancel(*, match_id: UUID, actor: Player, revision: int, now: datetime) -> Match:
    """Join the other side's wish to call the match off."""
    return _speak(match_id, actor, revision, Said.CANCEL, now=now)


def decide(
    *,
    match_id: UUID,
    actor: Player,
    revision: int,
    note: str,
    now: datetime,
    winner: int | None = None,
    scores: tuple[int, int] | None = None,
    void: bool = False,
) -> Match:
    """A moderator ends a dispute: somebody won, a draw (winner None), or `void`: nobody is rated.

    A match that is merely stuck can be voided as well. Nobody decides a match they play in.
    """
    with transaction.atomic(durable=True):
        current = locked_sheet(match_id)
        require(current.match.queue.club_id, actor, Capability.DECIDE_DISPUTES)
        if current.side_of(actor.pk) is not None:
            raise NotAllowed("own_match", _("You play in this match; another moderator decides it."))
        result = None if void else checked_result(current, winner=winner, scores=scores)
        if already_said(current, actor=actor, revision=revision, kind=Kind.DECISION, result=result):
            return current.match
        refuse_if_over(current)
        if current.match.state != Match.State.DISPUTED and not void:
            raise DomainError("not_disputed", _("Nobody disputes this match; it can only be voided."))
        audit.record(
            club=current.match.queue.club_id,
            actor=actor,
            action="match.voided" if void else "match.decided",
            subject=current.match,
            detail={"ranks": list(result.ranks) if result else [], "note": note},
            now=now,
        )
        return say(current, Kind.DECISION, actor=actor, result=result, note=note, now=now).match


def settle_silence(*, now: datetime, limit: int = 200) -> int:
    """Let silence confirm every report, and grant every wish to cancel, whose time is over; returns how many."""
    due = Match.objects.filter(confirm_by__lte=now, state__in=REPORTABLE_STATES).order_by("confirm_by")
    return sum(_settle_one(match_id, now=now) for match_id in list(due.values_list("pk", flat=True)[:limit]))


def _settle_one(match_id: UUID, *, now: datetime) -> bool:
    with transaction.atomic():
        current = locked_sheet(match_id)
        match = current.match
        if match.confirm_by is None or match.confirm_by > now or match.state not in REPORTABLE_STATES:
            return False
        say(current, Kind.SILENCE, actor=None, now=now)
    return True


def _speak(match_id: UUID, actor: Player, revision: int, said: Said, *, now: datetime, note: str = "") -> Match:
    with transaction.atomic(durable=True):
        current = _as_player(match_id, actor)
        kind = Kind(said.value)
        if already_said(current, actor=actor, revision=revision, kind=kind):
            return current.match
        _refuse_unless_open(current, actor, said)
        return say(current, kind, actor=actor, note=note, now=now).match


def _as_player(match_id: UUID, actor: Player) -> Sheet:
    """The sheet, for somebody who plays in the match and may still play in the club."""
    current = locked_sheet(match_id)
    require(current.match.queue.club_id, actor, Capability.PLAY)
    if current.side_of(actor.pk) is None:
        raise NotAllowed("not_a_player", _("Only its players report a match."))
    return current


def _refuse_unless_open(current: Sheet, actor: Player, said: Said) -> None:
    refuse_if_over(current)
    if said in current.open_to(actor.pk):
        return
    if current.match.state == Match.State.DISPUTED:
        raise DomainError("disputed", _("This match is disputed; a moderator decides it."))
    if said is Said.WITHDRAW:
        raise NotAllowed("not_yours", _("Only the one who said it can take it back."))
    if said in (Said.REPORT, Said.CANCEL) and current.verdict.standing is Standing.WAITING:
        raise DomainError("reported", _("A result has been reported. Take it back or answer it first."))
    if said is Said.CANCEL:
        raise DomainError("asked_already", _("Your side has asked already; now it is the other side's turn."))
    raise DomainError("nothing_to_answer", _("There is no report of the other side to answer."))
