"""Many results that wait at once, after an outage or a rush: rated in batches, in the order of their completion."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction

from ladder.models import Match, OutboxEvent, Queue, SeasonRules
from ladder.selectors.matches import Lineup, lineups
from ladder.selectors.seasons import rank_rules
from ladder.selectors.unrated import IN_A_PERIOD, IN_LINE, WAITING
from ladder.services.period_entries import enter_periods
from ladder.services.rating import tell
from ladder.services.settling import COMPLETED
from ratings.core.visible_rank import RankRules
from ratings.errors import DomainError
from ratings.services.ledger import MatchOutcome, apply_history

logger = logging.getLogger(__name__)

WORTH_A_BATCH = 40
FRESH = timedelta(seconds=2)


def relieve(*, now: datetime, least: int = WORTH_A_BATCH, limit: int = 1000) -> int:
    """Rate a batch if at least so many results wait that were not just confirmed; returns how many were rated.

    Results whose rating failed before are left to the single door, which keeps their error.
    """
    waiting = OutboxEvent.objects.filter(
        kind=COMPLETED, delivered_at__isnull=True, last_error="", created_at__lte=now - FRESH
    )
    if waiting[:least].count() < least:
        return 0
    try:
        with transaction.atomic():
            events = waiting.select_for_update(skip_locked=True).order_by("id")[:limit]
            return _rate({UUID(event.key): event.pk for event in events}, now=now)
    except DomainError as refusal:
        logger.warning("a batch of %s results is left to be rated one by one: %s", limit, refusal.message)
        return 0


def _rate(events: Mapping[UUID, int], *, now: datetime) -> int:
    if enter_periods(events):
        entered = Match.objects.filter(IN_A_PERIOD, pk__in=events).values_list("pk", flat=True)
        _acknowledge([events[match_id] for match_id in entered], now=now)
    batch = list(Match.objects.filter(IN_LINE, pk__in=events).order_by("completed_at", "pk"))
    if not batch:
        return 0
    before = Match.objects.filter(WAITING, completed_at__lte=batch[-1].completed_at).exclude(pk__in=events)
    others = list(before.only("pk", "queue_id", "completed_at"))
    who = lineups(match.pk for match in (*batch, *others))
    ready = [match.pk for match in in_turn(batch, others, who)]
    locked = (
        Match.objects.select_for_update(no_key=True, of=("self",))
        .select_related("queue")
        .filter(IN_LINE, pk__in=ready)
        .order_by("queue_id", "completed_at", "pk")
    )
    matches = list(locked)
    for queue, group in groupby(matches, key=lambda match: match.queue):
        _rate_queue(queue, list(group), who, now=now)
    _acknowledge([events[match.pk] for match in matches], now=now)
    return len(matches)


def _acknowledge(event_ids: Sequence[int], *, now: datetime) -> None:
    OutboxEvent.objects.filter(pk__in=event_ids).update(delivered_at=now, last_error="")


def in_turn(batch: Sequence[Match], others: Sequence[Match], who: Mapping[UUID, Lineup]) -> list[Match]:
    """Those of the batch that wait for no match outside it, directly or through one that does, in their order."""
    outside = {match.pk for match in others}
    blocked: set[tuple[UUID, UUID]] = set()
    ready = []
    for match in sorted((*batch, *others), key=lambda match: (match.completed_at, match.pk)):
        seats = {(match.queue_id, player) for player in who[match.pk].players}
        if match.pk in outside or seats & blocked:
            blocked |= seats
        else:
            ready.append(match)
    return ready


def _rate_queue(queue: Queue, matches: Sequence[Match], who: Mapping[UUID, Lineup], *, now: datetime) -> None:
    stored = SeasonRules.objects.filter(queue=queue, season__in={match.season_id for match in matches})
    rules = {one.season_id: one for one in stored}
    outcomes = [outcome_of(match, who[match.pk], rank_rules(rules[match.season_id])) for match in matches]
    apply_history(outcomes=outcomes, newcomers={}, now=now)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(rated_at=now)
    players = sorted({player for outcome in outcomes for player in outcome.players})
    tell(queue.pk, queue.club_id, players, key=f"from {matches[0].pk} to {matches[-1].pk}", now=now)


def outcome_of(match: Match, lineup: Lineup, rules: RankRules) -> MatchOutcome:
    """A completed match as the ledger takes it."""
    assert match.completed_at is not None
    return MatchOutcome(
        match_id=match.pk,
        queue_id=match.queue_id,
        season_id=match.season_id,
        teams=lineup.sides,
        ranks=lineup.ranks,
        completed_at=match.completed_at,
        rules=rules,
        period_ends_at=match.period_ends_at,
        facts=lineup.facts,
    )
