"""The hidden rating on the club scale: for the matchmaker and the staff, never for a player's page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ratings.core.ledger import idle_days
from ratings.core.rating_match import aged_belief
from ratings.core.types import Belief, Engine
from ratings.models import PlayerRating
from ratings.selectors.models import engine_of


@dataclass(frozen=True, slots=True)
class ClubBelief:
    """What is believed of a player, in points of the club scale, aged to the moment asked for.

    conservative: the cautious value by the engine's own rule.
    """

    rating: float
    deviation: float
    conservative: float


def club_belief(row: PlayerRating, now: datetime) -> ClubBelief:
    """The one reading of a stored rating that every reader uses: aged from the last match, on the club scale.

    By the model that the rating itself stands on; no query if `rating_model` was fetched with the row.
    """
    belief = Belief(row.rating, row.deviation, row.volatility)
    return on_club_scale(engine_of(row.rating_model), belief, since=row.last_match_at or row.created_at, now=now)


def on_club_scale(engine: Engine, belief: Belief, *, since: datetime, now: datetime) -> ClubBelief:
    """The same from plain values; since: when ageing last began anew."""
    aged = aged_belief(engine, belief, idle_days(since, now))
    club = engine.to_club(aged)
    return ClubBelief(club.rating, club.deviation or 0.0, engine.conservative(aged))


def club_beliefs(
    *, queue_id: UUID, season_id: UUID, player_ids: Iterable[UUID], now: datetime
) -> dict[UUID, ClubBelief]:
    """By player, without those who have no rating there yet; one query."""
    rows = PlayerRating.objects.filter(queue_id=queue_id, season_id=season_id, role="", player_id__in=list(player_ids))
    return {row.player_id: club_belief(row, now) for row in rows.select_related("rating_model")}
