"""A match on its way to the ledger, read and locked by one statement: this is the busiest read of a worker."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from ladder.selectors.matches import Lineup
from ladder.selectors.seasons import parsed_rules
from ratings.core.match_facts import MatchFacts, SeatFacts
from ratings.core.visible_rank import RankRules

_READ = """
SELECT m.queue_id, m.season_id, q.club_id, m.state, m.unrated_reason, m.completed_at, m.rated_at, m.period_ends_at,
       coalesce(v.period, 'match'), c.time_zone, r.rank_rules::text,
       s.players, s.sides, s.parties, s.shares, s.figures, s.leavers, s.percents, s.reasons,
       m.margin, m.side,
       ARRAY(SELECT coalesce(t.rank, 0)::int FROM ladder_matchteam t WHERE t.match_id = m.id ORDER BY t.index) AS ranks,
       EXISTS (SELECT 1 FROM ladder_match o
               WHERE o.queue_id = m.queue_id AND o.state = 'completed' AND o.unrated_reason = '' AND o.rated_at IS NULL
                 AND (o.completed_at, o.id) < (m.completed_at, m.id)
                 AND EXISTS (SELECT 1 FROM ladder_matchparticipant a JOIN ladder_matchparticipant b USING (player_id)
                             WHERE a.match_id = o.id AND b.match_id = m.id)) AS earlier,
       EXISTS (SELECT 1 FROM ladder_match o
               WHERE o.queue_id = m.queue_id AND o.state = 'completed' AND o.unrated_reason = '' AND o.rated_at IS NULL
                 AND (o.completed_at, o.id) > (m.completed_at, m.id)
                 AND EXISTS (SELECT 1 FROM ladder_matchparticipant a JOIN ladder_matchparticipant b USING (player_id)
                             WHERE a.match_id = o.id AND b.match_id = m.id)) AS later
FROM ladder_match m JOIN ladder_queue q ON q.id = m.queue_id JOIN ladder_club c ON c.id = q.club_id
CROSS JOIN LATERAL (
    SELECT array_agg(p.player_id ORDER BY t.index, p.player_id) AS players,
           array_agg(t.index::int ORDER BY t.index, p.player_id) AS sides,
           array_agg(p.party::int ORDER BY t.index, p.player_id) AS parties,
           array_agg(p.share_played ORDER BY t.index, p.player_id) AS shares,
           array_agg(p.performance ORDER BY t.index, p.player_id) AS figures,
           array_agg(p.left_early ORDER BY t.index, p.player_id) AS leavers,
           array_agg(p.points_percent::int ORDER BY t.index, p.player_id) AS percents,
           array_agg(p.points_reason::text ORDER BY t.index, p.player_id) AS reasons
    FROM ladder_matchparticipant p JOIN ladder_matchteam t ON t.id = p.team_id WHERE p.match_id = m.id
) AS s
JOIN ladder_seasonrules r ON r.season_id = m.season_id AND r.queue_id = m.queue_id
LEFT JOIN ratings_forecast f ON f.match_id = m.id LEFT JOIN ratings_ratingmodel v ON v.id = f.rating_model_id
WHERE m.id = %s
FOR NO KEY UPDATE OF m
"""


@dataclass(frozen=True, slots=True)
class Ratable:
    """What rating a match needs.

    period: when the model that it was formed under rates ("match", "week" or "month"), by the clocks of time_zone.
    earlier, later: whether unrated matches of its players stand before, or after, it.
    """

    id: UUID
    queue_id: UUID
    season_id: UUID
    club_id: UUID
    state: str
    unrated_reason: str
    completed_at: datetime | None
    rated_at: datetime | None
    period_ends_at: datetime | None
    period: str
    time_zone: str
    rules: RankRules
    lineup: Lineup
    earlier: bool
    later: bool


def locked_ratable(match_id: UUID) -> Ratable | None:
    """The match, locked until the transaction ends; None if there is no such match.

    Whether an earlier match waits may be told from just before the lock: it can only have been rated since, and
    then this match is merely asked to come again.
    """
    with connection.cursor() as cursor:
        cursor.execute(_READ, [match_id])
        row = cursor.fetchone()
    if row is None:
        return None
    queue, season, club, state, unrated_reason, completed_at, rated_at = row[:7]
    period_ends_at, period, time_zone, rules, *line, ranks, earlier, later = row[7:]
    return Ratable(
        id=match_id,
        queue_id=queue,
        season_id=season,
        club_id=club,
        state=state,
        unrated_reason=unrated_reason,
        completed_at=completed_at,
        rated_at=rated_at,
        period_ends_at=period_ends_at,
        period=period,
        time_zone=time_zone,
        rules=parsed_rules(rules),
        lineup=_lineup(line, ranks),
        earlier=earlier,
        later=later,
    )


def _lineup(line: Sequence[Any], ranks: list[int]) -> Lineup:
    """From the columns of the participants, one array each, and what is known of the match."""
    *columns, margin, side = line
    teams: dict[int, list[UUID]] = {}
    seats: dict[int, list[SeatFacts]] = {}
    for player, index, *known in zip(*columns, strict=True):
        teams.setdefault(index, []).append(player)
        seats.setdefault(index, []).append(SeatFacts(*known))
    return Lineup(
        sides=tuple(tuple(team) for team in teams.values()),
        ranks=tuple(ranks),
        facts=MatchFacts.of(margin, side, list(seats.values())),
    )
