"""Completed matches that moved no rating, and why: nothing passes silently."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from ladder.models import Match, OutboxEvent

WAITING = Q(state=Match.State.COMPLETED, unrated_reason="", rated_at__isnull=True)
IN_A_PERIOD = WAITING & Q(period_ends_at__isnull=False)  # waits for the end of its rating period
IN_LINE = WAITING & Q(period_ends_at__isnull=True)  # to be rated as soon as possible
COMPLETED = "match.completed"
CLOSED_WITHIN = timedelta(minutes=5)  # a period that ended longer ago and still waits is one to look at


@dataclass(frozen=True, slots=True)
class UnratedMatch:
    """A completed match whose rating is due. code: waits_for_earlier, failing, period_over or in_line."""

    match: Match
    code: str
    sentence: str
    waits_for: UUID | None = None


@dataclass(frozen=True, slots=True)
class RunningPeriod:
    """How many matches of a queue wait for the end of their rating period."""

    queue: str
    matches: int
    ends_at: datetime


def unrated_sentence(code: str) -> str:
    """Why a match does not count, for its players; empty for one that does."""
    return {
        "": "",
        "unranked_queue": _("This match does not count for the ranking: its queue is not ranked."),
        "uneven_teams": _("This match does not count for the ranking: the teams were uneven."),
    }.get(code, _("This match does not count for the ranking."))


def end_sentence(code: str) -> str:
    """Why a match was called off, for its players."""
    return {
        "by_agreement": _("Both sides called this match off."),
        "silence": _("One side called this match off and the other did not answer."),
        "voided": _("A moderator called this match off."),
        "not_accepted": _("Not everybody accepted this match."),
    }.get(code, _("This match was called off."))


def earlier_unrated(
    match_id: UUID, queue_id: UUID, completed_at: datetime | None, players: Iterable[UUID], waiting: Q = WAITING
) -> UUID | None:
    """A match of these players in the queue that completed before this one and is still to be rated, the first one."""
    earlier = Q(completed_at__lt=completed_at) | Q(completed_at=completed_at, pk__lt=match_id)
    return (
        Match.objects.filter(waiting, earlier, queue=queue_id, participants__player_id__in=list(players))
        .order_by("completed_at", "pk")
        .values_list("pk", flat=True)
        .first()
    )


def unrated_matches(*, now: datetime, club_id: UUID | None = None, limit: int = 100) -> list[UnratedMatch]:
    """The matches whose rating is due, the oldest first, each with its reason; none whose rating period still runs."""
    due = IN_LINE | (IN_A_PERIOD & Q(period_ends_at__lte=now))
    waiting = _of_club(Match.objects.filter(due), club_id).select_related("queue").order_by("completed_at", "pk")
    matches = list(waiting.prefetch_related("participants")[:limit])
    keys = [str(match.pk) for match in matches]
    failed = dict(
        OutboxEvent.objects.filter(kind=COMPLETED, key__in=keys).exclude(last_error="").values_list("key", "last_error")
    )
    return [_row(match, failed.get(str(match.pk), ""), now) for match in matches]


def running_periods(*, now: datetime, club_id: UUID) -> list[RunningPeriod]:
    """What waits for the end of a rating period, by queue, the next to end first; one query."""
    waiting = _of_club(Match.objects.filter(IN_A_PERIOD, period_ends_at__gt=now), club_id)
    by_period = waiting.order_by("period_ends_at", "queue__name").values_list("queue__name", "period_ends_at")
    rows = by_period.annotate(many=Count("pk"))
    return [RunningPeriod(queue, many, end) for queue, end, many in rows if end is not None]


def _of_club(matches: QuerySet[Match], club_id: UUID | None) -> QuerySet[Match]:
    return matches if club_id is None else matches.filter(queue__club_id=club_id)


def _row(match: Match, error: str, now: datetime) -> UnratedMatch:
    players = [participant.player_id for participant in match.participants.all()]
    others = WAITING if match.period_ends_at is None else WAITING & ~Q(period_ends_at=match.period_ends_at)
    first = earlier_unrated(match.pk, match.queue_id, match.completed_at, players, others)
    if first is not None:
        sentence = _("Waits for an earlier match of one of its players.")
        return UnratedMatch(match=match, code="waits_for_earlier", sentence=sentence, waits_for=first)
    if error:
        sentence = _("Rating it failed and is tried again: %(error)s") % {"error": error}
        return UnratedMatch(match=match, code="failing", sentence=sentence)
    if match.period_ends_at is not None:
        return UnratedMatch(match=match, code="period_over", sentence=_period_sentence(match.period_ends_at, now))
    return UnratedMatch(match=match, code="in_line", sentence=_("Will be rated in a moment."))


def _period_sentence(ended_at: datetime, now: datetime) -> str:
    if now - ended_at < CLOSED_WITHIN:
        return _("Its rating period is over; it will be rated in a moment.")
    return _("Its rating period is over and should have been closed by now: is the worker running?")
