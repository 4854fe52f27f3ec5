"""How long people waited for the matches they got, and how many found nobody. For the staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from ladder.models import Queue
from ratings.core.fairness import BAND
from ratings.selectors.health import scales_of


@dataclass(frozen=True, slots=True)
class Waits:
    """Waits in seconds of those who were matched: the half, nine in ten and nineteen in twenty waited at most this."""

    key: int
    players: int
    half: float
    nine: float
    most: float


@dataclass(frozen=True, slots=True)
class Ends:
    """How searches that began in an hour ended: a match, nobody fitted in time, called off by the player."""

    hour: int
    matched: int
    nobody: int
    cancelled: int

    @property
    def nobody_share(self) -> float | None:
        """Of those who stayed to the end, how many found nobody."""
        stayed = self.matched + self.nobody
        return self.nobody / stayed if stayed else None


@dataclass(frozen=True, slots=True)
class Searches:
    """The waits of all, by rating band and by hour of the day in the club's time zone, and how searches ended."""

    total: Waits | None
    bands: tuple[Waits, ...]
    hours: tuple[Waits, ...]
    ends: tuple[Ends, ...]

    @property
    def nobody(self) -> int:
        """Searches that found nobody."""
        return sum(one.nobody for one in self.ends)

    @property
    def nobody_share(self) -> float | None:
        """Of those who stayed to the end, how many found nobody."""
        stayed = self.nobody + sum(one.matched for one in self.ends)
        return self.nobody / stayed if stayed else None


def searches(queues: Sequence[Queue], zone: str, since: datetime | None) -> Searches:
    """The waits of these queues since a moment; three queries.

    A wait ends with the ready check that everybody accepted: what was waited before one that failed is part of it.
    """
    keys: dict[str, Any] = {"queues": [queue.pk for queue in queues], "zone": zone, "since": since, "band": BAND}
    scales = scales_of(*keys["queues"])
    keys["models"] = [model for model, _centre, _unit in scales]
    keys["centres"] = [centre for _model, centre, _unit in scales]
    keys["units"] = [unit for _model, _centre, unit in scales]
    told = _rows(_WAITS, keys)
    waits = [(kind, Waits(key, players, *spans)) for kind, key, players, spans in told if spans is not None]
    return Searches(
        total=next((one for kind, one in waits if kind == "all"), None),
        bands=tuple(one for kind, one in waits if kind == "band"),
        hours=tuple(one for kind, one in waits if kind == "hour"),
        ends=tuple(Ends(*row) for row in _rows(_ENDS, keys)),
    )


def _rows(sql: str, keys: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, keys)
        return list(cursor.fetchall())


# The rating is the one the match was formed on, carried to the club scale; the hour is the one somebody joined in.
_WAITS = """
WITH scale AS (
    SELECT * FROM unnest(%(models)s::uuid[], %(centres)s::float8[], %(units)s::float8[]) AS s (model, centre, unit)
), waits AS (
    SELECT extract(epoch FROM p.matched_at - p.ticket_created_at)::float8 AS waited,
           (floor((1500 + (e.rating - s.centre) / s.unit) / %(band)s) * %(band)s)::int AS band,
           extract(hour FROM p.ticket_created_at AT TIME ZONE %(zone)s)::int AS hour
    FROM ladder_match AS m
    JOIN ladder_matchparticipant AS p ON p.match_id = m.id
    LEFT JOIN ratings_forecast AS f ON f.match_id = m.id
    LEFT JOIN ratings_forecastentry AS e ON e.forecast_id = f.id AND e.player_id = p.player_id
    LEFT JOIN scale AS s ON s.model = f.rating_model_id
    WHERE m.queue_id = ANY(%(queues)s) AND m.assigned_at IS NOT NULL AND p.ticket_created_at IS NOT NULL
      AND (%(since)s::timestamptz IS NULL OR m.formed_at >= %(since)s)
)
SELECT CASE WHEN grouping(hour) = 0 THEN 'hour' WHEN grouping(band) = 0 THEN 'band' ELSE 'all' END,
       coalesce(hour, band, 0), count(*), percentile_cont(ARRAY[0.5, 0.9, 0.95]) WITHIN GROUP (ORDER BY waited)
FROM waits GROUP BY GROUPING SETS ((), (band), (hour))
HAVING grouping(band) = 1 OR band IS NOT NULL
ORDER BY 1, 2
"""

_ENDS = """
SELECT extract(hour FROM t.joined_at AT TIME ZONE %(zone)s)::int AS hour,
       count(*) FILTER (WHERE t.state = 'assigned'),
       count(*) FILTER (WHERE t.state = 'expired' AND t.end_reason = 'nobody_fitted'),
       count(*) FILTER (WHERE t.state = 'cancelled')
FROM matchmaking_ticket AS t
WHERE t.queue_id = ANY(%(queues)s) AND t.ended_at IS NOT NULL
  AND (%(since)s::timestamptz IS NULL OR t.ended_at >= %(since)s)
GROUP BY 1 ORDER BY 1
"""
