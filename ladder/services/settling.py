"""What every door of a result shares: the match locked and read, a statement added, the end written."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.utils.translation import gettext as _

from ladder.core.results import Result, ResultProblem, Standing, result_of
from ladder.live import tell_after_commit
from ladder.models import Match, MatchTeam, Player, ResultReport
from ladder.selectors.matches import ENDED_STATES, Sheet, sheet
from ladder.services import outbox
from ladder.services.matches import call_off, lock_with_players, release
from ratings.errors import DomainError, Stale

COMPLETED = "match.completed"


def locked_sheet(match_id: UUID) -> Sheet:
    """The match with its players and itself locked (in that order), and everything said so far."""
    match, _players = lock_with_players(match_id)
    return sheet(match)


def already_said(
    current: Sheet, *, actor: Player, revision: int, kind: ResultReport.Kind, result: Result | None = None
) -> bool:
    """Whether this very statement was the last one: a second click or a request sent twice, to be answered as done.

    Raises Stale when something else happened since the actor's page was drawn.
    """
    if current.match.revision == revision:
        return False
    last = current.reports[-1] if current.reports else None
    if (
        last is not None
        and last.reporter_id == actor.pk
        and last.kind == kind
        and last.revision == revision + 1 == current.match.revision
        and (result is None or (last.ranks, last.scores) == (list(result.ranks), list(result.scores)))
    ):
        return True
    raise Stale("stale", _("This match changed since your page was drawn. Look again, then decide."))


def refuse_if_over(current: Sheet) -> None:
    """Nothing can be said about a match that has ended."""
    if current.match.state in ENDED_STATES:
        raise Stale("match_over", _("This match is over; nothing more can be reported."))
    if current.match.state == Match.State.READY_CHECK:
        raise DomainError("not_started", _("This match has not started."))


def checked_result(current: Sheet, *, winner: int | None, scores: Sequence[int] | None) -> Result:
    """The result as a value; what cannot be is refused in words."""
    try:
        return result_of(
            winner, sides=len(current.sides), scores=scores, draws_allowed=current.match.queue.draws_allowed
        )
    except ResultProblem as problem:
        raise DomainError(problem.code, problem_in_words(problem.code)) from problem


def problem_in_words(code: str) -> str:
    """The sentence for a ResultProblem."""
    return {
        "unknown_side": _("There is no such side in this match."),
        "no_draws": _("This queue has no draws."),
        "wrong_scores": _("Give each side a score of 0 or more."),
        "score_contradicts": _("The score says otherwise: the winner has the higher one."),
    }[code]


def say(
    current: Sheet,
    kind: ResultReport.Kind,
    *,
    actor: Player | None,
    now: datetime,
    result: Result | None = None,
    note: str = "",
) -> Sheet:
    """Add one statement and carry out what it leads to; returns the sheet as it is then."""
    match = current.match
    match.revision += 1
    ResultReport.objects.create(
        match=match,
        kind=kind,
        reporter=actor,
        revision=match.revision,
        ranks=list(result.ranks) if result else [],
        scores=list(result.scores) if result else [],
        note=note,
        created_at=now,
    )
    after = sheet(match)
    _carry_out(after, kind, now=now)
    for topic in ("play", "match"):
        tell_after_commit(topic, players=after.players)
    if Standing.DISPUTED in (current.verdict.standing, after.verdict.standing):
        tell_after_commit("desk", club=match.queue.club_id)
    return after


def _carry_out(after: Sheet, kind: ResultReport.Kind, *, now: datetime) -> None:
    match, verdict = after.match, after.verdict
    if verdict.standing is Standing.AGREED and verdict.result is not None:
        complete(after, verdict.result, now=now)
    elif verdict.standing is Standing.CANCELLED:
        reason = {ResultReport.Kind.DECISION: "voided", ResultReport.Kind.SILENCE: "silence"}.get(kind, "by_agreement")
        call_off(match, reason=reason, players=after.players, now=now)
    elif verdict.standing is Standing.DISPUTED:
        match.state, match.confirm_by = Match.State.DISPUTED, None
        match.save(update_fields=["state", "confirm_by", "revision"])
    elif verdict.standing is Standing.WAITING:
        _wait_for_word(match, now=now)
        release(match)
    else:
        if match.state == Match.State.REPORTED:
            match.state, match.reported_at = Match.State.ASSIGNED, None
        match.confirm_by = now + _patience(match) if verdict.cancel_asked else None
        match.save(update_fields=["state", "reported_at", "confirm_by", "revision"])


def complete(current: Sheet, result: Result, *, now: datetime) -> None:
    """Write the agreed result and, in the same transaction, the fact that it is to be rated.

    Its moment is later than that of any earlier result of its players, who are locked: rating order is the order
    of these moments, and it must not depend on whose clock was read first.
    """
    match = current.match
    moment = later_than_earlier_results(list(Player.objects.filter(pk__in=current.players)), now=now)
    for team, rank in zip(current.teams, result.ranks, strict=True):
        team.rank = rank
        team.score = result.scores[team.index] if result.scores else None
    MatchTeam.objects.bulk_update(current.teams, ["rank", "score"])
    match.state, match.completed_at, match.ended_at, match.confirm_by = Match.State.COMPLETED, moment, now, None
    match.margin = result.margin
    match.save(update_fields=["state", "completed_at", "ended_at", "confirm_by", "margin", "revision"])
    Player.objects.filter(pk__in=current.players).update(last_result_at=moment)
    release(match)
    if not match.unrated_reason:
        outbox.record(kind=COMPLETED, key=str(match.pk), payload={"match_id": str(match.pk)}, now=now)


def later_than_earlier_results(players: Sequence[Player], *, now: datetime) -> datetime:
    """`now`, or a microsecond after the newest result of these (locked) players if that is later."""
    newest = max((player.last_result_at for player in players if player.last_result_at), default=None)
    return now if newest is None or newest < now else newest + timedelta(microseconds=1)


def _wait_for_word(match: Match, *, now: datetime) -> None:
    if match.state != Match.State.REPORTED:
        match.state, match.reported_at, match.confirm_by = Match.State.REPORTED, now, now + _patience(match)
    match.save(update_fields=["state", "reported_at", "confirm_by", "revision"])


def _patience(match: Match) -> timedelta:
    return timedelta(seconds=match.queue.confirm_seconds)
