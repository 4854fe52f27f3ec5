"""What newcomers of a queue are placed by: the queue's settings, the club's answers, ratings in its other queues."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.apps import apps
from django.db import connection

from ratings.core.assessments import Assessments
from ratings.core.ledger import idle_days
from ratings.core.prior_rules import PriorRules
from ratings.core.priors import OtherRating
from ratings.core.rating_match import aged_belief
from ratings.core.types import Belief
from ratings.selectors.models import engine_from

# Of every rating in another queue the last state that counted by then, whenever it was written: an imported match
# counts from the day it was played on, anything that staff did from the moment they did it.
_AS_THEN = """
SELECT DISTINCT ON (wanted.player, r.queue_id)
       wanted.player, r.queue_id, q.name, q.game_id, m.algorithm, m.parameters,
       e.rating_after, e.deviation_after, e.volatility_after, e.games, e.played_at, wanted.at
FROM unnest(%s::uuid[], %s::timestamptz[]) AS wanted (player, at)
JOIN ratings_playerrating AS r ON r.player_id = wanted.player AND r.role = '' AND r.created_at <= wanted.at
JOIN ladder_queue AS q ON q.id = r.queue_id AND q.club_id = %s AND q.id <> %s
CROSS JOIN LATERAL (
    SELECT event.*, (event.state_after ->> 'games')::int AS games,
           (event.state_after ->> 'last_match_at')::timestamptz AS played_at
    FROM ratings_ratingevent AS event
    WHERE event.player_rating_id = r.id AND event.effective_at <= wanted.at
    ORDER BY event.seq DESC
    LIMIT 1
) AS e
JOIN ratings_ratingmodel AS m ON m.id = e.rating_model_id
WHERE e.games > 0
ORDER BY wanted.player, r.queue_id, e.played_at DESC, r.id DESC
"""


@dataclass(frozen=True, slots=True)
class PriorBasis:
    """A queue as its newcomers meet it."""

    queue_id: UUID
    game_id: UUID
    club_id: UUID
    rules: PriorRules
    assessments: Assessments


def prior_basis(queue_id: UUID) -> PriorBasis:
    """The queue's settings and the club's answers; one query."""
    queues = apps.get_model("ladder", "Queue")._default_manager
    told = queues.values_list("game_id", "club_id", "prior_rules", "club__self_assessments")
    game_id, club_id, rules, answers = told.get(pk=queue_id)
    return PriorBasis(queue_id, game_id, club_id, PriorRules.from_json(rules), Assessments.from_json(answers))


def other_ratings(basis: PriorBasis, wanted: Mapping[UUID, datetime]) -> dict[UUID, list[OtherRating]]:
    """By player, what the club's other queues made of them up to the moment given for each; one query.

    Of every queue the season played last counts, as it stood then, if anything was played in it.
    """
    if not wanted:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_AS_THEN, [list(wanted), list(wanted.values()), basis.club_id, basis.queue_id])
        rows = cursor.fetchall()
    found: dict[UUID, list[OtherRating]] = {}
    for player, queue, name, game, algorithm, parameters, rating, deviation, volatility, games, played_at, at in rows:
        engine = engine_from(algorithm, parameters)
        days = idle_days(played_at, at)
        club = engine.to_club(aged_belief(engine, Belief(rating, deviation, volatility), days))
        found.setdefault(player, []).append(OtherRating(queue, name, game == basis.game_id, club, games, days))
    return found
