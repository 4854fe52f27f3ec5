"""What the club's ratings say about one another: the pairs that `fit_transfer` measures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from ratings.core.priors import untracked_deviation
from ratings.core.transfer import Pair, Transfer, fit_transfer
from ratings.core.types import Belief, Engine
from ratings.models import RatingModel
from ratings.selectors.models import engine_of
from ratings.selectors.prior_basis import PriorBasis

FEWEST_MATCHES = 10  # in one season of each queue, so that neither rating is a mere guess
MOST_PAIRS = 5_000  # of each kind, those who played here last

# Of each player the season here played last, and of the same game and of the other games that queue played most.
_PAIRS = """
WITH here AS (
    SELECT DISTINCT ON (player_id) player_id, rating_model_id, rating, deviation, games, last_match_at
    FROM ratings_playerrating
    WHERE queue_id = %(queue)s AND role = '' AND games >= %(games)s
    ORDER BY player_id, last_match_at DESC, id DESC
), there AS (
    SELECT DISTINCT ON (r.player_id, q.game_id = %(game)s)
           r.player_id, q.game_id = %(game)s AS is_same_game, r.rating_model_id, r.rating, r.deviation, r.games
    FROM ratings_playerrating AS r
    JOIN ladder_queue AS q ON q.id = r.queue_id AND q.club_id = %(club)s AND q.id <> %(queue)s
    WHERE r.role = '' AND r.games >= %(games)s AND r.player_id IN (SELECT player_id FROM here)
    ORDER BY r.player_id, q.game_id = %(game)s, r.games DESC, r.last_match_at DESC, r.id DESC
), ranked AS (
    SELECT there.*, here.rating_model_id AS here_model, here.rating AS here_rating,
           here.deviation AS here_deviation, here.games AS here_games,
           row_number() OVER (PARTITION BY is_same_game ORDER BY last_match_at DESC, player_id) AS place
    FROM here JOIN there USING (player_id)
)
SELECT is_same_game, rating_model_id, rating, deviation, games, here_model, here_rating, here_deviation, here_games
FROM ranked WHERE place <= %(most)s
ORDER BY is_same_game, place
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What could be measured for a queue, and on how many players; None where they are too few."""

    same_game: Transfer | None
    same_game_players: int
    other_game: Transfer | None
    other_game_players: int


def measured(basis: PriorBasis) -> Measured:
    """How ratings in the club's other queues hang together with those in this one, by its players; two queries.

    In the same game a rating keeps its full weight and the offset is measured; in another game the distance from the
    middle counts by its weight.
    """
    keys = {"queue": basis.queue_id, "game": basis.game_id, "club": basis.club_id}
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, {**keys, "games": FEWEST_MATCHES, "most": MOST_PAIRS})
        rows = cursor.fetchall()
    engines = _engines({row[index] for row in rows for index in (1, 5)})
    same = [_pair(row, engines) for row in rows if row[0]]
    other = [_pair(row, engines) for row in rows if not row[0]]
    return Measured(fit_transfer(same, weight=1.0), len(same), fit_transfer(other, offset=0.0), len(other))


def _engines(keys: set[UUID]) -> dict[UUID, Engine]:
    return {model.pk: engine_of(model) for model in RatingModel.objects.filter(pk__in=keys)} if keys else {}


def _pair(row: tuple[Any, ...], engines: Mapping[UUID, Engine]) -> Pair:
    return _club(engines[row[1]], *row[2:5]), _club(engines[row[5]], *row[6:9])


def _club(engine: Engine, rating: float, deviation: float | None, games: int) -> Belief:
    """A stored rating on the club scale, with an honest deviation also where its engine keeps none."""
    club = engine.to_club(Belief(rating, deviation))
    return club if club.deviation is not None else Belief(club.rating, untracked_deviation(games))
