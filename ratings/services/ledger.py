"""The ledger: the only door through which a rating or a rank changes. Rows and events are written together."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ratings.core.decay import ONE_DAY, PLAIN_DAYS, Calendar
from ratings.core.periods import MATCH
from ratings.core.rating_match import Rated, corrected
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors.calendars import calendar_of
from ratings.services.books import CHANGING_COLUMNS, Book, books_of
from ratings.services.bulk import insert_and_update
from ratings.services.decay import apply_decay, catch_up_all
from ratings.services.history import apply_history
from ratings.services.match_events import append_match, is_rated, lock_match, rate_outcome
from ratings.services.outcomes import Effect, HistoryResult, LedgerResult, MatchOutcome

__all__ = [
    "Effect",
    "HistoryResult",
    "LedgerResult",
    "MatchOutcome",
    "apply_correction",
    "apply_decay",
    "apply_history",
    "apply_match",
]


def apply_match(*, outcome: MatchOutcome, now: datetime) -> LedgerResult:
    """Rate a completed match once: one event and one changed row per participant, in one transaction.

    The change is found on the beliefs that were recorded at formation and added to what is believed now. A second
    call changes nothing and says `already_rated`. Three queries whatever the size of the teams (lock the ratings and
    read the forecast, look for earlier events, write events and rows), the transaction's own not counted. Where ranks
    fade, two more for the club's calendar: what idle days before the match have cost is written with it.
    Raises DomainError ("no_forecast", "no_rating", "other_players", "nobody_played", "waits_for_period") and then
    changes nothing; the last for a match whose model rates by periods: `apply_history` takes those of one together.
    """
    with transaction.atomic():
        books, snapshot = lock_match(outcome)
        if is_rated(outcome.match_id):
            return LedgerResult(outcome.match_id, already_rated=True)
        if len(books) < len(outcome.players):
            raise DomainError("no_rating", _("A player of this match has no rating in its season."))
        if snapshot is None:
            raise DomainError("no_forecast", _("Nothing was recorded when this match was formed, so it stays unrated."))
        if snapshot.model.period != MATCH:
            raise DomainError("waits_for_period", _("This match is rated with the others of its rating period."))
        calendar, events = _settle_idle_days(outcome, books.values(), now)
        rated = rate_outcome(outcome, snapshot, books, calendar)
        events += [append_match(books[one.player_id], one, outcome, now) for one in rated]
        _write(events, books.values())
    return LedgerResult(outcome.match_id, already_rated=False, effects=tuple(_effect(one) for one in rated))


def apply_correction(
    *,
    player_id: UUID,
    queue_id: UUID,
    season_id: UUID,
    rating_delta: float,
    reason: str,
    actor: UUID,
    now: datetime,
) -> RatingEvent:
    """Shift a hidden rating by hand (`rating_delta` in points of the club scale); the visible rank follows by playing.

    The rating stays on the model that it stands on.
    Raises DomainError ("no_reason", "no_rating").
    """
    if not reason.strip():
        raise DomainError("no_reason", _("A correction needs a reason."))
    with transaction.atomic():
        book = _locked(queue_id, season_id, [player_id]).get(player_id)
        if book is None:
            raise DomainError("no_rating", _("This player has no rating in this season."))
        club = book.account.model.engine.to_club(book.account.belief)
        row = book.append(
            RatingEvent.Kind.CORRECTION.value,
            corrected(book.account, rating_delta),
            {"kind": "correction", "rating_delta": rating_delta, "club_rating": club.rating + rating_delta},
            now=now,
            actor_id=actor,
            reason=reason.strip(),
        )
        _write([row], [book])
    return RatingEvent.objects.get(pk=row["id"])


def _settle_idle_days(
    outcome: MatchOutcome, books: Iterable[Book], now: datetime
) -> tuple[Calendar, list[dict[str, Any]]]:
    """The calendar of the match's season, and the rows of what was still to be lost for the days before the match."""
    if not outcome.rules.fades:
        return PLAIN_DAYS, []
    calendar = calendar_of(queue_id=outcome.queue_id, season_id=outcome.season_id)
    until = calendar.day_of(outcome.completed_at) - ONE_DAY
    return calendar, catch_up_all(books, outcome.rules, calendar, until, now=now)


def _locked(queue_id: UUID, season_id: UUID, player_ids: Sequence[UUID]) -> dict[UUID, Book]:
    """The players' books, their rows locked in the order of their ids."""
    rows = (
        PlayerRating.objects.select_for_update(no_key=True)
        .filter(queue_id=queue_id, season_id=season_id, role="", player_id__in=list(player_ids))
        .order_by("id")
    )
    return {book.player_id: book for book in books_of(rows)}


def _write(events: Sequence[Mapping[str, Any]], books: Iterable[Book]) -> None:
    changed = [book.changing_values() for book in books]
    insert_and_update(RatingEvent, events, PlayerRating, CHANGING_COLUMNS, changed)


def _effect(rated: Rated) -> Effect:
    return Effect(rated.player_id, rated.delta, rated.before.rank.position, rated.after.rank.position)
