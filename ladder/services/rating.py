"""Completed matches are rated: once each, per player in the order in which they were completed."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.live import tell_after_commit
from ladder.models import Match, MatchParticipant, OutboxEvent, Queue, SeasonRules
from ladder.selectors.matches import Lineup, lineups
from ladder.selectors.seasons import rank_rules
from ladder.selectors.unrated import WAITING, earlier_unrated
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
        locked = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("queue")
        match = locked.filter(pk=match_id).first()
        if match is None:
            raise NotFound("not_found", _("There is no such match."))
        if match.rated_at is not None:
            return Outcome.ALREADY_RATED
        if match.state != Match.State.COMPLETED or match.unrated_reason:
            return Outcome.NOT_RATED
        lineup = lineups([match.pk])[match.pk]
        if earlier_unrated(match, lineup.players) is not None:
            return Outcome.WAITS
        rules = SeasonRules.objects.get(season=match.season_id, queue=match.queue_id)
        result = apply_match(outcome=outcome_of(match, lineup, rules), now=now)
        match.rated_at = now
        match.save(update_fields=["rated_at"])
        if result.already_rated:
            return Outcome.ALREADY_RATED
        tell(match.queue, lineup.players, key=str(match.pk), now=now)
        _nudge_next(match, lineup.players)
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


def outcome_of(match: Match, lineup: Lineup, rules: SeasonRules) -> MatchOutcome:
    """A completed match as the ledger takes it."""
    assert match.completed_at is not None
    return MatchOutcome(
        match_id=match.pk,
        queue_id=match.queue_id,
        season_id=match.season_id,
        teams=lineup.sides,
        ranks=lineup.ranks,
        completed_at=match.completed_at,
        rules=rank_rules(rules),
    )


def tell(queue: Queue, players: Collection[UUID], *, key: str, now: datetime) -> None:
    """Tell open pages and waiting tickets that these players' ratings in the queue changed."""
    payload = {"players": [str(player) for player in players], "queue": str(queue.pk)}
    outbox.record(kind=RATING_CHANGED, key=key, payload=payload, now=now)
    for topic in ("match", "rank"):
        tell_after_commit(topic, players=players)
    tell_after_commit("board", club=queue.club_id)


def _nudge_next(match: Match, players: Sequence[UUID]) -> None:
    """Wake the workers for each player's next match, which may have waited for this one."""
    following = (
        MatchParticipant.objects.filter(
            player_id__in=players, match__in=Match.objects.filter(WAITING, queue=match.queue_id).exclude(pk=match.pk)
        )
        .order_by("player_id", "match__completed_at", "match_id")
        .distinct("player_id")
    )
    keys = {str(match_id) for match_id in following.values_list("match_id", flat=True)}
    if keys:
        waiting = OutboxEvent.objects.filter(kind=COMPLETED, key__in=keys, delivered_at__isnull=True)
        for event_id in waiting.values_list("pk", flat=True):
            outbox.nudge(event_id)
