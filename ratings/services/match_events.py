"""A match between the ledger's books and the core: what was recorded at formation, the verdict, the event."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils.translation import gettext as _

from ratings.core.decay import PLAIN_DAYS, Calendar
from ratings.core.rating_match import Formed, Rated, Seat, rate_match
from ratings.core.rating_periods import PeriodMatch, rate_period
from ratings.core.scales import BeliefModel
from ratings.core.types import Belief, PeriodGame
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.selectors.models import belief_model, engine_from
from ratings.services.books import Book
from ratings.services.outcomes import MatchOutcome


@dataclass(slots=True)
class Snapshot:
    """What was recorded when a match was formed, as the core takes it.

    entries: how many took part; formed and teams: what was believed of those in hand, and their sides.
    """

    model: BeliefModel
    formed_at: datetime
    entries: int
    formed: dict[UUID, Formed] = field(default_factory=dict)
    teams: dict[UUID, int] = field(default_factory=dict)

    def check_players(self, outcome: MatchOutcome) -> None:
        """Refuse a result that names others than the match was formed with."""
        named = {player: index for index, team in enumerate(outcome.teams) for player in team}
        if self.teams != named or self.entries != len(named):
            raise DomainError("other_players", _("This match was formed with other players than its result names."))


def snapshots(match_ids: Iterable[UUID]) -> dict[UUID, Snapshot]:
    """By match, what was recorded of those that have a forecast; one query."""
    found: dict[UUID, Snapshot] = {}
    entries = ForecastEntry.objects.filter(forecast__match_id__in=list(match_ids))
    for one in entries.select_related("forecast__rating_model"):
        cast = one.forecast
        if cast.match_id not in found:
            found[cast.match_id] = Snapshot(belief_model(cast.rating_model), cast.created_at, 0)
        belief = Belief(one.rating, one.deviation, one.volatility)
        found[cast.match_id].formed[one.player_id] = Formed(belief, one.idle_days, one.expected)
        found[cast.match_id].teams[one.player_id] = one.team
        found[cast.match_id].entries += 1
    return found


def lock_match(outcome: MatchOutcome) -> tuple[dict[UUID, Book], Snapshot | None]:
    """The books of a match's players, their rows locked in the order of their ids, and what was recorded of it.

    One query, by hand because it is the ledger's busiest: a forecast never changes, so it may be read with the lock.
    Raises DomainError("other_players") when the match was formed with others.
    """
    keys: tuple[Any, ...] = (outcome.match_id, outcome.queue_id, outcome.season_id, outcome.players)
    with connection.cursor() as cursor:
        rows = cursor.execute(_lock_match(), keys).fetchall()
        if any(told[8] is None for told in rows):  # moved to another model while we waited: it is ours now, look again
            rows = cursor.execute(_lock_match(), keys).fetchall()
    books: dict[UUID, Book] = {}
    snapshot: Snapshot | None = None
    for told in rows:
        formed_at, entries, team = told[:3]
        rating, deviation, volatility, days, expected = told[3:8]
        row = PlayerRating.from_db(connection.alias, _rating_fields(), told[20:])
        book = Book.of(row, _model(*told[8:14]))
        books[book.player_id] = book
        if team is not None:
            snapshot = snapshot or Snapshot(_model(*told[14:20]), formed_at, entries)
            snapshot.formed[book.player_id] = Formed(Belief(rating, deviation, volatility), days, expected)
            snapshot.teams[book.player_id] = team
    if snapshot is not None:
        snapshot.check_players(outcome)
    return books, snapshot


def _model(key: UUID, algorithm: str, parameters: str, *rest: Any) -> BeliefModel:
    return BeliefModel(key, engine_from(algorithm, parameters), *rest)


def is_rated(match_id: UUID) -> bool:
    """Whether the match has its events; to be asked with its ratings locked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM ratings_ratingevent WHERE match_id = %s AND kind = 'match' LIMIT 1", [match_id])
        return cursor.fetchone() is not None


@cache
def _rating_fields() -> tuple[str, ...]:
    return tuple(field.attname for field in PlayerRating._meta.concrete_fields)


@cache
def _lock_match() -> str:
    columns = ", ".join(f"r.{name}" for name in _rating_fields())
    return f"""
    SELECT f.created_at, (SELECT count(*) FROM ratings_forecastentry AS every WHERE every.forecast_id = f.id),
           e.team, e.rating, e.deviation, e.volatility, e.idle_days, e.expected,
           own.id, own.algorithm, own.parameters, own.version, lower(own.valid_during), own.period,
           m.id, m.algorithm, m.parameters, m.version, lower(m.valid_during), m.period, {columns}
    FROM ratings_playerrating AS r
    LEFT JOIN ratings_ratingmodel AS own ON own.id = r.rating_model_id
    LEFT JOIN ratings_forecast AS f ON f.match_id = %s
    LEFT JOIN ratings_ratingmodel AS m ON m.id = f.rating_model_id
    LEFT JOIN ratings_forecastentry AS e ON e.forecast_id = f.id AND e.player_id = r.player_id
    WHERE r.queue_id = %s AND r.season_id = %s AND r.role = '' AND r.player_id = ANY(%s)
    ORDER BY r.id
    FOR NO KEY UPDATE OF r
    """  # noqa: S608 - the columns are those of our own model


def rate_outcomes(
    period: Sequence[tuple[MatchOutcome, Snapshot]],
    books: Mapping[UUID, Book],
    first_games: Mapping[UUID, tuple[PeriodGame, ...]],
    calendar: Calendar = PLAIN_DAYS,
) -> list[tuple[MatchOutcome, list[Rated]]]:
    """The core's verdict on the matches of one rating period, whose participants' books are in hand.

    first_games: the earlier ones of players who have no first rating yet.
    """
    matches = [_in_period(outcome, snapshot, books, calendar) for outcome, snapshot in period]
    first, snapshot = period[0]
    rated = rate_period(snapshot.model, matches, ends_at=first.period_ends_at, first_games=first_games)
    return [(outcome, both) for (outcome, _), both in zip(period, rated, strict=True)]


def _in_period(
    outcome: MatchOutcome, snapshot: Snapshot, books: Mapping[UUID, Book], calendar: Calendar
) -> PeriodMatch:
    _refuse_unplayed(outcome)
    one, other = _seats(outcome, snapshot, books)
    if len(one) > 1 or len(other) > 1:
        raise DomainError("period_of_teams", _("Only matches of one against one are rated by periods."))
    seats = one[0], other[0]
    formed_at, completed_at = snapshot.formed_at, outcome.completed_at
    return PeriodMatch(seats, outcome.ranks, outcome.rules, formed_at, completed_at, outcome.facts, calendar)


def _seats(outcome: MatchOutcome, snapshot: Snapshot, books: Mapping[UUID, Book]) -> list[list[Seat]]:
    return [[Seat(player, books[player].account, snapshot.formed[player]) for player in team] for team in outcome.teams]


def _refuse_unplayed(outcome: MatchOutcome) -> None:
    played = outcome.facts.teams_that_played
    if played is not None and played < 2:
        raise DomainError("nobody_played", _("Of this match fewer than two sides played, so nobody can be rated."))


def rate_outcome(
    outcome: MatchOutcome, snapshot: Snapshot, books: Mapping[UUID, Book], calendar: Calendar = PLAIN_DAYS
) -> list[Rated]:
    """The core's verdict on a match whose participants' books are in hand. Raises DomainError("nobody_played")."""
    _refuse_unplayed(outcome)
    return rate_match(
        snapshot.model,
        outcome.rules,
        _seats(outcome, snapshot, books),
        outcome.ranks,
        formed_at=snapshot.formed_at,
        completed_at=outcome.completed_at,
        facts=outcome.facts,
        calendar=calendar,
    )


def append_match(book: Book, rated: Rated, outcome: MatchOutcome, now: datetime) -> dict[str, Any]:
    """Add the match's event to a participant's book; returns its row."""
    return book.append(
        RatingEvent.Kind.MATCH.value,
        rated.after,
        rated.explanation,
        now=now,
        rules=outcome.rules,
        match_id=outcome.match_id,
    )
