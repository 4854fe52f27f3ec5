"""The fairness page: what was predicted when matches were formed, and how they ended. For the staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils.translation import gettext as _

from ladder.core.charts import NARROW_SQUARE, WIDE_SQUARE, Chart, Line, Spec, draw
from ladder.models import Match, Queue
from ladder.selectors.access import Access
from ratings.core.fairness import BAND, LOPSIDED, Fairness, Group, Played, fairness
from ratings.errors import NotFound
from ratings.selectors.health import scales_of

SPANS: Mapping[str, int | None] = {"month": 30, "quarter": 91, "year": 365, "all": None}
USUAL_SPAN, ALL = "quarter", "all"
MOST_MATCHES = 20_000
Charts = tuple[Chart, Chart]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group with its name in words."""

    name: str
    group: Group


@dataclass(frozen=True, slots=True)
class FairnessPage:
    """Everything that the page shows of matches. is_cut: there are older ones that were not read.

    by_queue tells all queues, the other tables and the plot only the chosen one, if one is chosen.
    """

    queue: Queue | None
    queues: tuple[Queue, ...]
    span: str
    since: datetime | None
    is_cut: bool = False
    figures: Fairness | None = None
    by_queue: tuple[GroupRow, ...] = ()
    bands: tuple[GroupRow, ...] = ()
    hours: tuple[GroupRow, ...] = ()
    parties: tuple[GroupRow, ...] = ()
    calibration: Charts | None = None

    @property
    def most_matches(self) -> int:
        """How many of the newest matches are read."""
        return MOST_MATCHES

    @property
    def lopsided_from(self) -> float:
        """The favourite's chance from which a match is called lopsided."""
        return LOPSIDED


def fairness_page(access: Access, queue_slug: str, span: str, *, now: datetime) -> FairnessPage:
    """The figures of one queue (by its address) or of all; three queries, whatever there is.

    span: one of SPANS; empty for the usual one, or everything where that holds no match (two queries more).
    """
    queues = tuple(Queue.objects.filter(club=access.club).order_by("created_at", "id"))
    queue = next((one for one in queues if one.slug == queue_slug), None)
    if queue is None and queue_slug:
        raise NotFound("not_found", _("This club has no such queue."))
    zone = access.club.time_zone
    chosen = span or USUAL_SPAN
    since = _since(chosen, now)
    played = played_matches(queues, zone, since)
    if not played and not span:
        chosen, since = ALL, None
        played = played_matches(queues, zone, since)
    every = fairness(played)
    number = -1 if queue is None else queues.index(queue)
    figures = every if queue is None else fairness([one for one in played if one.queue == number])
    page = FairnessPage(queue=queue, queues=queues, span=chosen, since=since, is_cut=len(played) == MOST_MATCHES)
    if every is None:
        return page
    by_queue = tuple(GroupRow(queues[group.key].name, group) for group in every.queues)
    if figures is None:
        return replace(page, by_queue=by_queue)
    return replace(
        page,
        figures=figures,
        by_queue=by_queue,
        bands=tuple(GroupRow(band_name(group.key), group) for group in figures.bands),
        hours=tuple(GroupRow(hour_name(group.key), group) for group in figures.hours),
        parties=tuple(GroupRow(party_name(group.key), group) for group in figures.parties),
        calibration=_calibration(figures),
    )


def _since(span: str, now: datetime) -> datetime | None:
    days = SPANS[span]
    return None if days is None else now - timedelta(days=days)


def band_name(start: int) -> str:
    """The band of ratings that begins here."""
    return _("%(low)d to %(high)d") % {"low": start, "high": start + BAND}


def hour_name(hour: int) -> str:
    """The hour of the day from its first minute on."""
    return f"{hour:02}:00"


def party_name(size: int) -> str:
    """How many came together, at the most."""
    return _("everybody alone") if size == 1 else _("a party of %(size)d") % {"size": size}


def _calibration(figures: Fairness) -> Charts:
    """Predicted against observed; a prediction that holds lies on the diagonal."""
    points = [(one.predicted, one.observed) for one in figures.calibration]
    spec = Spec(
        x=(0.0, 1.0),
        y=(0.0, 1.0),
        names=[(tenth / 10, f"{tenth * 10}%") for tenth in range(0, 11, 2)],
        lines=[Line(points, is_marked=True)],
        diagonal=True,
        rows=6,
        told=lambda value: f"{100 * value:.0f}%",
    )
    return draw(spec, WIDE_SQUARE), draw(spec, NARROW_SQUARE)


def played_matches(queues: Sequence[Queue], zone: str, since: datetime | None) -> list[Played]:
    """The newest completed and rated matches of these queues since a moment, at most MOST_MATCHES; two queries."""
    numbers = {queue.pk: number for number, queue in enumerate(queues)}
    if not numbers:
        return []
    scales = {model: (centre, unit) for model, centre, unit in scales_of(*numbers)}
    keys = {"queues": list(numbers), "since": since, "zone": zone, "most": MOST_MATCHES}
    with connection.cursor() as cursor:
        cursor.execute(_SQL, {**keys, "imported": Match.Source.IMPORT.value})
        return [_played(row, numbers, scales) for row in cursor.fetchall()]


def _played(row: Sequence[Any], numbers: Mapping[UUID, int], scales: Mapping[UUID, tuple[float, float]]) -> Played:
    queue, model, hour, quality, limit, chances, rating, ranks, scores, margin, party = row
    centre, unit = scales[model]
    return Played(
        queue=numbers[queue],
        chances=tuple(chances),
        places=tuple(ranks),
        rating=1500.0 + (rating - centre) / unit,
        hour=hour,
        party=party,
        quality=quality,
        is_one_sided=_is_one_sided(scores, margin, limit),
    )


def _is_one_sided(scores: Sequence[int | None], margin: float | None, limit: int | None) -> bool | None:
    """Whether two sides ended by the queue's limit or more apart: by their scores, else by the margin told apart."""
    known = [score for score in scores if score is not None]
    apart = abs(known[0] - known[1]) if len(known) == 2 else margin
    if limit is None or apart is None or len(scores) != 2:
        return None
    return apart >= limit


# One row per match. Each member's forecast holds the chance of the own side; the hour is that of formation, and of
# imported matches nobody knows it.
_SQL = """
WITH chosen AS (
    SELECT m.id, m.queue_id, m.formed_at, m.completed_at, m.source, m.margin, q.stomp_margin
    FROM ladder_match AS m JOIN ladder_queue AS q ON q.id = m.queue_id
    WHERE m.queue_id = ANY(%(queues)s) AND m.state = 'completed' AND m.rated_at IS NOT NULL
      AND m.reversed_at IS NULL
      AND (%(since)s::timestamptz IS NULL OR m.completed_at >= %(since)s)
    ORDER BY m.completed_at DESC, m.id DESC LIMIT %(most)s
)
SELECT c.queue_id, f.rating_model_id,
       CASE WHEN c.source <> %(imported)s THEN extract(hour FROM c.formed_at AT TIME ZONE %(zone)s)::int END,
       f.quality, c.stomp_margin, believed.chances, believed.rating, sides.ranks, sides.scores, c.margin,
       (SELECT coalesce(max(together.players), 1)
        FROM (SELECT count(*) AS players FROM ladder_matchparticipant AS p
              WHERE p.match_id = c.id AND p.party IS NOT NULL GROUP BY p.team_id, p.party) AS together)
FROM chosen AS c
JOIN ratings_forecast AS f ON f.match_id = c.id
JOIN LATERAL (
    SELECT array_agg(one.chance ORDER BY one.team) AS chances, sum(one.total) / sum(one.members) AS rating
    FROM (SELECT e.team, max(e.expected) AS chance, sum(e.rating) AS total, count(*) AS members
          FROM ratings_forecastentry AS e WHERE e.forecast_id = f.id GROUP BY e.team) AS one
) AS believed ON true
JOIN LATERAL (
    SELECT array_agg(t.rank ORDER BY t.index) AS ranks, array_agg(t.score ORDER BY t.index) AS scores
    FROM ladder_matchteam AS t WHERE t.match_id = c.id
) AS sides ON true
ORDER BY c.completed_at, c.id
"""
