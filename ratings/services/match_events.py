"""A match between the ledger's books and the core: what was recorded at formation, the verdict, the event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from ratings.core.rating_match import Formed, Rated, Seat, rate_match
from ratings.core.types import Belief, Engine
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.selectors.models import engine_from, engine_of
from ratings.services.books import Book
from ratings.services.outcomes import MatchOutcome


@dataclass(slots=True)
class Snapshot:
    """What was recorded when a match was formed, as the core takes it. `teams`: every participant's side."""

    rating_model_id: UUID
    engine: Engine
    formed_at: datetime
    formed: dict[UUID, Formed] = field(default_factory=dict)
    teams: dict[UUID, int] = field(default_factory=dict)

    def check_players(self, outcome: MatchOutcome, formed: int | None = None) -> None:
        """Refuse a result that names others than the `formed` players (default: all here) the match was formed with."""
        named = {player: index for index, team in enumerate(outcome.teams) for player in team}
        if self.teams != named or (formed is not None and formed != len(named)):
            raise DomainError("other_players", _("This match was formed with other players than its result names."))


def snapshots(match_ids: Iterable[UUID]) -> dict[UUID, Snapshot]:
    """By match, what was recorded of those that have a forecast; one query."""
    found: dict[UUID, Snapshot] = {}
    entries = ForecastEntry.objects.filter(forecast__match_id__in=list(match_ids))
    for one in entries.select_related("forecast__rating_model"):
        cast = one.forecast
        if cast.match_id not in found:
            found[cast.match_id] = Snapshot(cast.rating_model_id, engine_of(cast.rating_model), cast.created_at)
        belief = Belief(one.rating, one.deviation, one.volatility)
        found[cast.match_id].formed[one.player_id] = Formed(belief, one.idle_days, one.expected)
        found[cast.match_id].teams[one.player_id] = one.team
    return found


def lock_match(outcome: MatchOutcome) -> tuple[dict[UUID, Book], Snapshot | None]:
    """The books of a match's players, their rows locked in the order of their ids, and what was recorded of it.

    One query, by hand because it is the ledger's busiest: a forecast never changes, so it may be read with the lock.
    Raises DomainError("other_players") when the match was formed with others.
    """
    keys = [outcome.match_id, outcome.queue_id, outcome.season_id, outcome.players]
    rows = list(PlayerRating.objects.raw(_LOCK_MATCH, keys))
    books = {row.player_id: Book.of(row) for row in rows}
    told: list[Any] = [row for row in rows if getattr(row, "formed_team", None) is not None]
    if not told:
        return books, None
    first = told[0]
    engine = engine_from(first.formed_algorithm, first.formed_parameters)
    snapshot = Snapshot(first.formed_model, engine, first.formed_at)
    for row in told:
        belief = Belief(row.formed_rating, row.formed_deviation, row.formed_volatility)
        snapshot.formed[row.player_id] = Formed(belief, row.formed_idle, row.formed_expected)
        snapshot.teams[row.player_id] = row.formed_team
    snapshot.check_players(outcome, first.formed_entries)
    return books, snapshot


_LOCK_MATCH = """
SELECT r.*, e.team AS formed_team, e.rating AS formed_rating, e.deviation AS formed_deviation,
       e.volatility AS formed_volatility, e.idle_days AS formed_idle, e.expected AS formed_expected,
       f.created_at AS formed_at, m.id AS formed_model, m.algorithm AS formed_algorithm,
       m.parameters AS formed_parameters,
       (SELECT count(*) FROM ratings_forecastentry AS one WHERE one.forecast_id = f.id) AS formed_entries
FROM ratings_playerrating AS r
LEFT JOIN ratings_forecast AS f ON f.match_id = %s
LEFT JOIN ratings_ratingmodel AS m ON m.id = f.rating_model_id
LEFT JOIN ratings_forecastentry AS e ON e.forecast_id = f.id AND e.player_id = r.player_id
WHERE r.queue_id = %s AND r.season_id = %s AND r.role = '' AND r.player_id = ANY(%s)
ORDER BY r.id
FOR NO KEY UPDATE OF r
"""


def rate_outcome(outcome: MatchOutcome, snapshot: Snapshot, books: Mapping[UUID, Book]) -> list[Rated]:
    """The core's verdict on a match whose participants' books are in hand."""
    seats = [
        [Seat(player, books[player].account, snapshot.formed[player]) for player in team] for team in outcome.teams
    ]
    return rate_match(
        snapshot.engine,
        outcome.rules,
        seats,
        outcome.ranks,
        formed_at=snapshot.formed_at,
        completed_at=outcome.completed_at,
    )


def append_match(
    book: Book, rated: Rated, outcome: MatchOutcome, rating_model_id: UUID, now: datetime
) -> dict[str, Any]:
    """Add the match's event to a participant's book; returns its row."""
    return book.append(
        RatingEvent.Kind.MATCH.value,
        rated.after,
        rated.explanation,
        now=now,
        rules=outcome.rules,
        match_id=outcome.match_id,
        rating_model_id=rating_model_id,
    )
