"""Completed matches that moved no rating, and why: nothing passes silently."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from ladder.models import Match, OutboxEvent

WAITING = Q(state=Match.State.COMPLETED, unrated_reason="", rated_at__isnull=True)
COMPLETED = "match.completed"


@dataclass(frozen=True, slots=True)
class UnratedMatch:
    """A completed match that is to be rated and is not yet. code: waits_for_earlier, failing or in_line."""

    match: Match
    code: str
    sentence: str
    waits_for: UUID | None = None


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


def earlier_unrated(match: Match, players: Sequence[UUID]) -> UUID | None:
    """An earlier match of these players in the same queue that is to be rated first, if there is one."""
    earlier = Q(completed_at__lt=match.completed_at) | Q(completed_at=match.completed_at, pk__lt=match.pk)
    return (
        Match.objects.filter(WAITING, earlier, queue=match.queue_id, participants__player_id__in=players)
        .order_by("completed_at", "pk")
        .values_list("pk", flat=True)
        .first()
    )


def unrated_matches(
    *, club_id: UUID | None = None, before: datetime | None = None, limit: int = 100
) -> list[UnratedMatch]:
    """The matches that wait for their rating, the oldest first, each with its reason."""
    waiting = Match.objects.filter(WAITING).select_related("queue").order_by("completed_at", "pk")
    if club_id is not None:
        waiting = waiting.filter(queue__club_id=club_id)
    if before is not None:
        waiting = waiting.filter(completed_at__lte=before)
    matches = list(waiting.prefetch_related("participants")[:limit])
    keys = [str(match.pk) for match in matches]
    failed = dict(
        OutboxEvent.objects.filter(kind=COMPLETED, key__in=keys).exclude(last_error="").values_list("key", "last_error")
    )
    return [_row(match, failed.get(str(match.pk), "")) for match in matches]


def _row(match: Match, error: str) -> UnratedMatch:
    first = earlier_unrated(match, [participant.player_id for participant in match.participants.all()])
    if first is not None:
        sentence = _("Waits for an earlier match of one of its players.")
        return UnratedMatch(match=match, code="waits_for_earlier", sentence=sentence, waits_for=first)
    if error:
        sentence = _("Rating it failed and is tried again: %(error)s") % {"error": error}
        return UnratedMatch(match=match, code="failing", sentence=sentence)
    return UnratedMatch(match=match, code="in_line", sentence=_("Will be rated in a moment."))
