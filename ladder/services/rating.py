"""Completed matches are rated: once each, per player in the order in which they were completed."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.live import tell_after_commit
from ladder.models import Match, MatchParticipant, OutboxEvent
from ladder.selectors.ratable import Ratable, locked_ratable
from ladder.selectors.unrated import WAITING
from ladder.services import outbox
from ladder.services.settling import COMPLETED
from ratings.errors import NotFound
from ratings.services.ledger import MatchOutcome, apply_match

RATING_CHANGED = "rating.changed"
OVERDUE = timedelta(seconds=15)


class Outcome(Enum):
    """What became of a request to rate a match; true only for the one that rated it."""

    RATED = "rated"
    ALREADY_RATED = "already rated"
    WAITS = "waits for an earlier match of its players"
    NOT_RATED = "is not to be rated"

    def __bool__(self) -> bool:
        return self is Outcome.RATED


def rate_match(*, match_id: UUID, now: datetime) -> Outcome:
    """Rate a completed match through the ledger, unless it was already or an earlier one of its players is due first.

    May be called any number of times, by any number of workers, in any order.
    """
    with transaction.atomic(savepoint=False):
        match = locked_ratable(match_id)
        if match is None:
            raise NotFound("not_found", _("There is no such match."))
        if match.rated_at is not None:
            return Outcome.ALREADY_RATED
        if match.state != Match.State.COMPLETED or match.unrated_reason:
            return Outcome.NOT_RATED
        if match.earlier:
            return Outcome.WAITS
        result = apply_match(outcome=_outcome(match), now=now)
        Match.objects.filter(pk=match_id).update(rated_at=now)
        if result.already_rated:
            return Outcome.ALREADY_RATED
        tell(match.queue_id, match.club_id, match.lineup.players, key=str(match_id), now=now)
        if match.later:
            _nudge_next(match.queue_id, match.lineup.players)
    return Outcome.RATED


def requeue_unrated(*, now: datetime, limit: int = 500) -> int:
    """Put completed matches that were not rated in time, and whose outbox row is gone or spent, back into the outbox.

    Returns how many. Rows that are merely waiting for delivery are left to the sweeper.
    """
    overdue = Match.objects.filter(WAITING, completed_at__lte=now - OVERDUE).order_by("completed_at", "id")[:limit]
    again = 0
    for match_id in overdue.values_list("pk", flat=True):
        with transaction.atomic():
            event = OutboxEvent.objects.select_for_update().filter(kind=COMPLETED, key=str(match_id)).first()
            if event is None:
                outbox.record(kind=COMPLETED, key=str(match_id), payload={"match_id": str(match_id)}, now=now)
                again += 1
            elif event.delivered_at is not None:
                event.delivered_at, event.next_attempt_at, event.attempts = None, now, 0
                event.save(update_fields=["delivered_at", "next_attempt_at", "attempts"])
                outbox.nudge(event.pk)
                again += 1
    return again


def _outcome(match: Ratable) -> MatchOutcome:
    assert match.completed_at is not None
    return MatchOutcome(
        match_id=match.id,
        queue_id=match.queue_id,
        season_id=match.season_id,
        teams=match.lineup.sides,
        ranks=match.lineup.ranks,
        completed_at=match.completed_at,
        rules=match.rules,
    )


def tell(queue_id: UUID, club_id: UUID, players: Collection[UUID], *, key: str, now: datetime) -> None:
    """Tell open pages and waiting tickets that these players' ratings in the queue changed."""
    payload = {"players": [str(player) for player in players], "queue": str(queue_id)}
    outbox.record(kind=RATING_CHANGED, key=key, payload=payload, now=now)
    for topic in ("match", "rank"):
        tell_after_commit(topic, players=players)
    tell_after_commit("board", club=club_id)


def _nudge_next(queue_id: UUID, players: Sequence[UUID]) -> None:
    """Wake the workers for each player's next match, which may have waited for this one."""
    following = (
        MatchParticipant.objects.filter(player_id__in=players, match__in=Match.objects.filter(WAITING, queue=queue_id))
        .order_by("player_id", "match__completed_at", "match_id")
        .distinct("player_id")
    )
    keys = {str(match_id) for match_id in following.values_list("match_id", flat=True)}
    waiting = OutboxEvent.objects.filter(kind=COMPLETED, key__in=keys, delivered_at__isnull=True)
    for event_id in waiting.values_list("pk", flat=True):
        outbox.nudge(event_id)
