"""What each week did to a queue's ratings, read from the ledger. For the staff: everything here is hidden rating."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from ratings.core.health import ACTIVE_WEEKS, ESTABLISHED_AFTER, GROUPS, PLAY, Week, without_gaps
from ratings.models import RatingModel
from ratings.selectors.models import engine_of

_ACTIVE = "active"
Scale = tuple[UUID, float, float]


def weekly_health(*, queue_id: UUID, zone: str, since: datetime | None = None) -> tuple[Week, ...]:
    """The queue's weeks (from Monday, in the time zone `zone`) since a moment, in order, without gaps.

    Two queries, whatever there is. Every number is carried to the club scale by the model that it was written under.
    An event stands where it counts: an imported match when it was played, not when it was written down.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SQL, _arguments(queue_id, zone, since))
        told = cursor.fetchall()
    weeks: dict[date, Week] = {}
    for row in told:
        weeks[row[0]] = _joined(weeks.get(row[0], Week(row[0])), row)
    return without_gaps(list(weeks.values()))


def _joined(week: Week, row: Sequence[Any]) -> Week:
    """The week with one more row of the query taken in."""
    _starts, kind, count, total, established, lifted, squares, middle = row
    if kind == _ACTIVE:
        low, median, high = middle
        return replace(week, active=count, low=low, median=median, high=high)
    if GROUPS[kind] == PLAY:
        told = {"established": established, "lifted": lifted or 0.0, "squares": squares or 0.0}
        return replace(week, matches=count, by_play=total, **told)
    return replace(week, sums={**week.sums, GROUPS[kind]: week.sums.get(GROUPS[kind], 0.0) + total})


def _arguments(queue_id: UUID, zone: str, since: datetime | None) -> Mapping[str, Any]:
    scales = scales_of(queue_id)
    return {
        "queue": queue_id,
        "zone": zone,
        "since": since,
        "models": [model for model, _centre, _unit in scales],
        "centres": [centre for _model, centre, _unit in scales],
        "units": [unit for _model, _centre, unit in scales],
        "established": ESTABLISHED_AFTER,
        "weeks": ACTIVE_WEEKS,
    }


def scales_of(*queue_ids: UUID) -> list[Scale]:
    """The queues' models, each with the centre of its own scale and one club point on it; one query."""
    found = []
    for model in RatingModel.objects.filter(queue_id__in=queue_ids):
        engine = engine_of(model)
        found.append((model.pk, engine.centre, engine.unit))
    return found


# One row a week and kind of change, and one a week for its active players. An event begins on the scale of the event
# before it (asked for only where the queue had several models); a rating carried into a new season changes nothing
# and is left out.
_SQL = """
WITH scale AS (
    SELECT * FROM unnest(%(models)s::uuid[], %(centres)s::float8[], %(units)s::float8[]) AS s (model, centre, unit)
), standing AS (
    SELECT r.id, r.player_id, r.earlier_games
    FROM ratings_playerrating AS r WHERE r.queue_id = %(queue)s AND r.role = ''
), told AS (
    SELECT e.kind, e.match_id, e.seq, s.player_id, e.effective_at AS at,
           (e.rating_after - own.centre) / own.unit AS after,
           (e.rating_before - coalesce(was.centre, own.centre)) / coalesce(was.unit, own.unit) AS before,
           e.kind = 'match' AND s.earlier_games + (e.state_after ->> 'games')::int > %(established)s AS established
    FROM standing AS s
    JOIN ratings_ratingevent AS e ON e.player_rating_id = s.id
    JOIN scale AS own ON own.model = e.rating_model_id
    LEFT JOIN ratings_ratingevent AS p
           ON (SELECT count(*) FROM scale) > 1 AND p.player_rating_id = e.player_rating_id AND p.seq = e.seq - 1
    LEFT JOIN scale AS was ON was.model = p.rating_model_id
    WHERE e.kind <> 'placement' OR e.explanation ->> 'source' IS DISTINCT FROM 'earlier_season'
), change AS (
    SELECT date_trunc('week', at AT TIME ZONE %(zone)s)::date AS week, *
    FROM told WHERE %(since)s::timestamptz IS NULL OR at >= %(since)s
), a_match AS (
    SELECT week, match_id, sum(after - before) AS total, sum(after - before) FILTER (WHERE established) AS lifted
    FROM change WHERE kind = 'match' GROUP BY week, match_id
), of_week AS (
    SELECT week, count(*) AS matches, sum(total) AS total, sum(lifted) AS lifted, sum(lifted * lifted) AS squares
    FROM a_match GROUP BY week
), players AS (
    SELECT week, count(DISTINCT player_id) FILTER (WHERE established) AS established
    FROM change WHERE kind = 'match' GROUP BY week
), last_of AS (
    SELECT DISTINCT ON (week, player_id) week, player_id, at, after
    FROM change WHERE kind = 'match' ORDER BY week, player_id, at DESC, seq DESC
), active AS (
    SELECT DISTINCT ON (w.week, l.player_id) w.week, l.after
    FROM (SELECT generate_series(min(week), max(week), interval '7 days')::date AS week FROM change) AS w
    JOIN last_of AS l ON l.week BETWEEN w.week - 7 * (%(weeks)s - 1) AND w.week
    ORDER BY w.week, l.player_id, l.at DESC
)
SELECT week, 'match' AS kind, matches AS count, total, established, lifted, squares, NULL::float8[] AS middle
FROM of_week JOIN players USING (week)
UNION ALL
SELECT week, kind, count(*), sum(after - before), 0, 0, 0, NULL
FROM change WHERE kind <> 'match' GROUP BY week, kind
UNION ALL
SELECT week, 'active', count(*), 0, 0, 0, 0,
       percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY 1500 + after)
FROM active GROUP BY week
"""
