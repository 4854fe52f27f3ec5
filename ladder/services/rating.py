"""Completed matches are rated: once each, per player in the order in which they were completed."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.live import tell_after_commit
from ladder.models import Match, OutboxEvent
from ladder.selectors.ratable import Ratable, locked_ratable
from ladder.selectors.unrated import IN_LINE, earlier_unrated
from ladder.services import outbox
from ladder.services.period_entries import enter_period
from ladder.services.settling import COMPLETED
from ratings.core.periods import MATCH
from ratings.errors import NotFound
from ratings.services.ledger import MatchOutcome, apply_match

RATING_CHANGED = "rating.changed"
OVERDUE = timedelta(seconds=15)


# Of each of these players the match that is to be rated next, as a key of its outbox event.
_NEXT = """
SELECT DISTINCT ON (p.player_id) m.id::text FROM ladder_match m JOIN ladder_matchparticipant p ON p.match_id = m.id
WHERE m.queue_id = %s AND p.player_id = ANY(%s)
  AND m.state = 'completed' AND m.unrated_reason = '' AND m.rated_at IS NULL
ORDER BY p.player_id, m.completed_at, m.id
"""


class Outcome(Enum):
    """What became of a request to rate a match; true only for the one that rated it."""

    RATED = "rated"
    ALREADY_RATED = "already rated"
    WAITS = "waits for an earlier match of its players"
    WAITS_LONG = "waits for an earlier match of its players, which waits for the end of its rating period"
    IN_A_PERIOD = "waits for the end of its rating period"
    NOT_RATED = "is not to be rated"

    def __bool__(self) -> bool:
        return self is Outcome.RATED


PAUSES = {Outcome.WAITS: outbox.NOT_YET_PAUSE, Outcome.WAITS_LONG: timedelta(minutes=1)}  # until it is asked again


def rate_match(*, match_id: UUID, now: datetime) -> Outcome:
    """Rate a completed match through the ledger, unless it was already or an earlier one of its players is due first.

    One that was formed under a model with rating periods enters its period instead. May be called any number of
    times, by any number of workers, in any order.
    """
    with transaction.atomic(savepoint=False):
        match = locked_ratable(match_id)
        if match is None:
            raise NotFound("not_found", _("There is no such match."))
        if match.rated_at is not None:
            return Outcome.ALREADY_RATED
        if match.state != Match.State.COMPLETED or match.unrated_reason:
            return Outcome.NOT_RATED
        if match.period != MATCH:
            enter_period(match)
            return Outcome.IN_A_PERIOD
        if match.earlier:
            return Outcome.WAITS if _is_next_in_line(match) else Outcome.WAITS_LONG
        result = apply_match(outcome=_outcome(match), now=now)
        Match.objects.filter(pk=match_id).update(rated_at=now)
        if result.already_rated:
            return Outcome.ALREADY_RATED
        tell_pages(match.club_id, match.lineup.players)
        if match.later:
            take_next(match.queue_id, match.lineup.players, now=now)
    return Outcome.RATED


def _is_next_in_line(match: Ratable) -> bool:
    """Whether one of the earlier matches it waits for is itself to be rated as soon as possible."""
    return earlier_unrated(match.id, match.queue_id, match.completed_at, match.lineup.players, IN_LINE) is not None


def requeue_unrated(*, now: datetime, limit: int = 500) -> int:
    """Put completed matches that were not rated in time, and whose outbox row is gone or spent, back into the outbox.

    Returns how many. Rows that are merely waiting for delivery are left to the sweeper, matches in a rating period to
    the end of it.
    """
    overdue = Match.objects.filter(IN_LINE, completed_at__lte=now - OVERDUE).order_by("completed_at", "id")[:limit]
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
        facts=match.lineup.facts,
    )


def tell_pages(club_id: UUID, players: Collection[UUID]) -> None:
    """Tell open pages that these players' ranks changed."""
    tell_after_commit("match", "rank", players=players)
    tell_after_commit("board", club=club_id)


def tell(queue_id: UUID, club_id: UUID, players: Collection[UUID], *, key: str, now: datetime) -> None:
    """Tell open pages and waiting tickets that these players' ratings in the queue changed."""
    payload = {"players": [str(player) for player in players], "queue": str(queue_id)}
    outbox.record(kind=RATING_CHANGED, key=key, payload=payload, now=now)
    tell_pages(club_id, players)


def take_next(queue_id: UUID, players: Sequence[UUID], *, now: datetime) -> None:
    """Have each player's next match taken at once where it was put off until this one is rated."""
    outbox.bring_forward(kind=COMPLETED, keys=_NEXT, parameters=[queue_id, list(players)], now=now)
