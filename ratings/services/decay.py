"""Idle ranks fade: one `decay` event for each of the club's days that costs, whenever it is written.

Whoever moves a rank settles first what idle days before that have cost, so that the numbers are those of a round made
every night. The round of a season does the same for everybody who is idle.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from ratings.core.decay import ONE_DAY, Calendar, Idleness, Loss, fades, foot_of_tier, losses, played
from ratings.core.ledger import moment
from ratings.core.rank_rules import DIVISION, RankRules
from ratings.core.rating_match import idleness_of
from ratings.core.visible_rank import label
from ratings.models import PlayerRating, RatingEvent
from ratings.services.books import CHANGING_COLUMNS, Book, books_of
from ratings.services.bulk import copy_rows, update_rows

BATCH = 1000  # ratings in one transaction
Waiting = Callable[[Collection[UUID]], Mapping[UUID, Collection[datetime]]]


def nobody_waits(_players: Collection[UUID]) -> Mapping[UUID, Collection[datetime]]:
    """For a caller none of whose players has a match that is not rated yet."""
    return {}


def apply_decay(
    *,
    queue_id: UUID,
    season_id: UUID,
    rules: RankRules,
    calendar: Calendar,
    until: date,
    now: datetime,
    waiting: Waiting = nobody_waits,
) -> int:
    """Settle what the days up to `until` cost everybody in a season of a queue; returns how many events were written.

    A day costs a rating once, whatever is run twice, at once, late, or stopped half-way: ratings are handled by the
    thousand, each thousand in one transaction with its rows locked in the order of their ids.
    waiting: by player, when those matches were completed that are not rated yet; asked for after the lock.
    """
    written = 0
    if not rules.fades:
        return written
    ids = _idle(queue_id, season_id, rules, calendar, until)
    for start in range(0, len(ids), BATCH):
        with transaction.atomic():
            written += _settle(ids[start : start + BATCH], rules, calendar, until, now, waiting)
    return written


def catch_up(
    book: Book,
    rules: RankRules,
    calendar: Calendar,
    until: date,
    *,
    now: datetime,
    waiting: Collection[datetime] = (),
) -> list[dict[str, Any]]:
    """The rows of the decay events that the days up to `until` call for, with the book moved on by them.

    waiting: when the player's matches were completed that are not rated yet; those days are not idle.
    """
    account = book.account
    if not fades(rules, account.rank.position):
        return []
    assert account.rank.position is not None, "without a rank nothing fades"
    idleness = idleness_of(account, calendar)
    for day in sorted(calendar.day_of(at) for at in waiting):
        idleness = played(rules, calendar, idleness, day)
    found = losses(rules, calendar, idleness, account.rank.position, until)
    return [_append(book, rules, calendar, idleness, loss, now) for loss in found]


def catch_up_all(
    books: Iterable[Book],
    rules: RankRules,
    calendar: Calendar,
    until: date,
    *,
    now: datetime,
    waiting: Mapping[UUID, Collection[datetime]] | None = None,
) -> list[dict[str, Any]]:
    """The same for several books; waiting by player."""
    known = waiting or {}
    return [
        row
        for book in books
        for row in catch_up(book, rules, calendar, until, now=now, waiting=known.get(book.player_id, ()))
    ]


def _settle(
    ids: Collection[UUID], rules: RankRules, calendar: Calendar, until: date, now: datetime, waiting: Waiting
) -> int:
    rows = PlayerRating.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("id")
    books = books_of(rows)
    before = {book.id: book.last_seq for book in books}
    known = waiting([book.player_id for book in books])
    events = catch_up_all(books, rules, calendar, until, now=now, waiting=known)
    if events:
        copy_rows(RatingEvent, events)
        changed = [book.changing_values() for book in books if book.last_seq > before[book.id]]
        update_rows(PlayerRating, CHANGING_COLUMNS, changed)
    return len(events)


def _idle(queue_id: UUID, season_id: UUID, rules: RankRules, calendar: Calendar, until: date) -> list[UUID]:
    """Who may have something to lose: in a tier that fades, above its foot, and idle for longer than the grace."""
    feet = {foot_of_tier(rules, index * DIVISION) for index in range(len(rules.places))}
    lowest = min(index for index, (tier, _) in enumerate(rules.places) if tier >= rules.decay_from) * DIVISION
    last_free = until - (rules.decay_grace + rules.decay_every) * ONE_DAY
    rows = PlayerRating.objects.filter(
        queue=queue_id,
        season=season_id,
        role="",
        position__gt=lowest,
        last_match_at__lt=calendar.end_of(last_free),
    )
    return list(rows.exclude(position__in=feet).order_by("id").values_list("pk", flat=True))


def _append(
    book: Book, rules: RankRules, calendar: Calendar, idleness: Idleness, loss: Loss, now: datetime
) -> dict[str, Any]:
    """One day's event, which counts from the end of the day."""
    account = book.account
    ends = min(calendar.end_of(loss.day), now)
    position = loss.position - loss.points
    foot = foot_of_tier(rules, loss.position)
    explanation = {
        "kind": RatingEvent.Kind.DECAY.value,
        "day": loss.day.isoformat(),
        "counts_from": moment(ends),
        "points": loss.points,
        "idle_since": idleness.active_on.isoformat(),
        "idle_days": loss.number,
        "free_days": rules.decay_grace + idleness.banked,
        "rule": {"points": rules.decay_points, "every": rules.decay_every},
        "rank": {
            "before": dict(label(rules, loss.position).as_dict()),
            "after": dict(label(rules, position).as_dict()),
            "foot": dict(label(rules, foot).as_dict()),
        },
    }
    after = replace(
        account,
        rank=replace(account.rank, position=position, losses_at_zero=0),
        reached_at=ends,
        decayed_to=loss.day,
    )
    kind = RatingEvent.Kind.DECAY.value
    return book.append(kind, after, explanation, now=now, rules=rules, decay_date=loss.day)
