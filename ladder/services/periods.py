"""Rating periods are closed: the matches that waited for the end of theirs are rated together.

A period ends with the calendar week or month of its club. It is cut short when its season closes or another model
comes into force: what has been played so far is rated then, what is still to come as it comes.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from psycopg.errors import LockNotAvailable

from ladder.models import Match, Queue, Season, SeasonRules
from ladder.selectors.matches import lineups
from ladder.selectors.seasons import rank_rules
from ladder.selectors.unrated import IN_A_PERIOD, WAITING
from ladder.services import outbox
from ladder.services.backlog import in_turn, outcome_of
from ladder.services.period_entries import enter_periods
from ladder.services.rating import take_next, tell
from ladder.services.settling import COMPLETED
from ratings.services.ledger import apply_history

logger = logging.getLogger(__name__)

GRACE = timedelta(seconds=30)  # a result agreed in a period's last moment may still be on its way into the database


@dataclass(frozen=True, slots=True)
class Group:
    """Matches that are rated together: of one queue and season, formed under one model, their period's end the same."""

    queue_id: UUID
    season_id: UUID
    rating_model_id: UUID
    ends_at: datetime

    def waiting(self) -> Q:
        """Which matches these are, as long as they wait."""
        return IN_A_PERIOD & Q(
            queue=self.queue_id,
            season=self.season_id,
            forecast__rating_model=self.rating_model_id,
            period_ends_at=self.ends_at,
        )


def close_due(*, now: datetime) -> int:
    """Rate every period that is over, the oldest first; returns how many matches. May run late, and twice at once.

    A period that cannot be rated keeps its error for the staff and holds up no other one.
    """
    cut_short(now=now)
    enter_periods()
    return sum(_try(group, now=now) for group in _due(now))


def cut_short(*, now: datetime, season: Season | None = None) -> int:
    """End, as of now, the periods that have no future: their season closes, or their model is no longer in force.

    season: look at this one alone. Returns how many matches need not wait any longer.
    """
    ended = Q(season__state__in=[Season.State.CLOSING, Season.State.CLOSED])
    superseded = Q(forecast__rating_model__valid_during__endswith__lte=now)
    rows = Match.objects.filter(IN_A_PERIOD, ended | superseded, period_ends_at__gt=now)
    return (rows if season is None else rows.filter(season=season)).update(period_ends_at=now)


def _due(now: datetime) -> list[Group]:
    rows = (
        Match.objects.filter(IN_A_PERIOD, period_ends_at__lte=now - GRACE)
        .order_by("period_ends_at", "queue_id", "season_id", "forecast__rating_model_id")
        .values_list("queue_id", "season_id", "forecast__rating_model_id", "period_ends_at")
        .distinct()
    )
    return [Group(queue, season, model, end) for queue, season, model, end in rows if end is not None]


def _try(group: Group, *, now: datetime) -> int:
    try:
        with transaction.atomic():
            rated = _close(group, now=now)
    except Exception as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return 0  # somebody else closes it, or a last result enters it at this moment
        logger.exception("the rating period %s failed and will be tried again", group)
        keys = [str(key) for key in Match.objects.filter(group.waiting()).values_list("pk", flat=True)]
        outbox.keep_error(kind=COMPLETED, payloads={key: {"match_id": key} for key in keys}, error=error, now=now)
        return 0
    if rated:
        take_next(group.queue_id, sorted({player for lineup in rated for player in lineup}), now=now)
    return len(rated)


def _close(group: Group, *, now: datetime) -> list[list[UUID]]:
    """The players of each match that was rated now; whoever comes second does not wait for the first."""
    waiting = Match.objects.filter(group.waiting()).order_by("completed_at", "pk")
    batch = list(waiting.select_for_update(no_key=True, of=("self",), nowait=True))
    if not batch:
        return []
    before = Match.objects.filter(WAITING, queue=group.queue_id, completed_at__lte=batch[-1].completed_at)
    others = list(before.exclude(pk__in=[match.pk for match in batch]).only("pk", "queue_id", "completed_at"))
    who = lineups(match.pk for match in (*batch, *others))
    ready = in_turn(batch, others, who)
    if ready:
        rules = rank_rules(SeasonRules.objects.get(season=group.season_id, queue=group.queue_id))
        outcomes = [outcome_of(match, who[match.pk], rules) for match in ready]
        apply_history(outcomes=outcomes, newcomers={}, now=now)
        Match.objects.filter(pk__in=[match.pk for match in ready]).update(rated_at=now)
        players = sorted({player for match in ready for player in who[match.pk].players})
        club = Queue.objects.values_list("club_id", flat=True).get(pk=group.queue_id)
        tell(group.queue_id, club, players, key=f"from {ready[0].pk} to {ready[-1].pk}", now=now)
    return [who[match.pk].players for match in ready]
