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
from ratings.models import ForecastEntry, RatingEvent
from ratings.selectors.models import engine_of
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

    def check_players(self, outcome: MatchOutcome) -> None:
        """Refuse a result that names others than the match was formed with."""
        if self.teams != {player: index for index, team in enumerate(outcome.teams) for player in team}:
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
        points_delta=rated.delta,
        match_id=outcome.match_id,
        rating_model_id=rating_model_id,
    )
