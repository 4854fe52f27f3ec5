"""Who stood where before a moment, read from the ledger by one statement.

Where a player stood is what the last event left of those that counted before the moment (`RatingEvent.effective_at`).
Who is no longer in the club is left out, as on the board of now, and stays in the standings of a closed season.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import connection

from ladder.selectors.board_order import EPOCH, Entry, Key, key_then, listed
from ladder.selectors.board_rows import Bounds
from ladder.selectors.ladders import Ladder
from ladder.selectors.name_search import patterns
from ratings.models import RatingEvent

_PLACING = -1  # stands for the missing position of those in placement, below every rank
_ABOVE_ALL = 2**31 - 1
_LAST_ID = UUID(int=2**128 - 1)

# stood: at which position p each player stood, after which event. The index of events answers that alone.
# ranks: how many stood at each position, and above it.
_STATEMENT = """
WITH stood AS MATERIALIZED (
    SELECT r.id, r.player_id, e.seq, coalesce(e.position_after, -1) AS p
    FROM ratings_playerrating AS r CROSS JOIN LATERAL (
        SELECT seq, position_after, kind FROM ratings_ratingevent
        WHERE player_rating_id = r.id AND effective_at < %(until)s ORDER BY seq DESC LIMIT 1
    ) AS e
    WHERE r.queue_id = %(queue)s AND r.season_id = %(season)s AND r.role = '' AND r.games > 0
      AND CASE e.kind WHEN 'match' THEN true WHEN 'placement' THEN false ELSE (
          SELECT (state_after ->> 'games')::int > 0 FROM ratings_ratingevent
          WHERE player_rating_id = r.id AND seq = e.seq) END
      AND (%(final)s OR NOT (
          EXISTS (SELECT FROM ladder_membership AS m
                  WHERE m.club_id = %(club)s AND m.state <> 'active' AND m.player_id = r.player_id)
          OR EXISTS (SELECT FROM ladder_player AS u WHERE NOT u.is_active AND u.id = r.player_id)))
), ranks AS MATERIALIZED (
    SELECT p, count(*) AS many, (sum(count(*)) OVER (ORDER BY p DESC) - count(*))::int AS above FROM stood GROUP BY p
)
SELECT told.total, page.* FROM (SELECT coalesce(sum(many), 0)::int AS total FROM ranks) AS told
LEFT JOIN ({part}) AS page ON true
"""
_ROWS = """
SELECT p, above, wins, reached, id, player_id, handle, display_name, draws, losses, placement_left FROM (
    SELECT s.p, k.above, s.id, s.player_id, u.handle, u.display_name, (x.state_after ->> 'wins')::int AS wins,
           (x.state_after ->> 'draws')::int AS draws, (x.state_after ->> 'losses')::int AS losses,
           (x.state_after ->> 'placement_left')::int AS placement_left,
           CASE WHEN s.p < 0 THEN 'epoch'
                ELSE coalesce((x.state_after ->> 'position_reached_at')::timestamptz, 'epoch') END AS reached
    FROM ranks AS k JOIN stood AS s USING (p)
    JOIN ratings_ratingevent AS x ON x.player_rating_id = s.id AND x.seq = s.seq
    JOIN ladder_player AS u ON u.id = s.player_id
    WHERE {where}
) AS row
"""
_INSIDE = "s.p >= %(low)s AND s.p < %(high)s"
# Only the positions that can hold one of the rows in question are looked at row by row.
_DOWNWARDS = """s.p <= %(p)s AND k.above < %(limit)s + (
    SELECT coalesce(max(above + many), 0) FROM ranks WHERE p >= %(p)s)"""
_UPWARDS = """s.p >= %(p)s AND k.above + k.many > (
    SELECT coalesce(max(above + many), 0) FROM ranks WHERE p > %(p)s) - %(limit)s"""
_KEY = "(%(down)s, %(fewer)s, %(reached)s, %(key)s)"
_FIRST, _LAST = "p DESC, wins DESC, reached, id", "p, wins, reached DESC, id DESC"
_HAS_NAME = """
    upper(u.handle) LIKE upper(%(by_handle)s) OR upper(u.display_name) LIKE upper(%(by_name)s)
    OR upper(u.display_name) LIKE upper(%(by_word)s)"""


def _part(where: str, order: str, compared: str) -> str:
    rows = _ROWS.replace("{where}", f"{_INSIDE} AND {where}")
    return f"{rows} WHERE (-p, -wins, reached, id) {compared} {_KEY} ORDER BY {order} LIMIT %(limit)s"


class Part(Enum):
    """Which rows are read, in terms of a place in the order."""

    BELOW = _part(_DOWNWARDS, _FIRST, ">")
    ABOVE = _part(_UPWARDS, _LAST, "<")
    AROUND = f"({_part(_UPWARDS, _LAST, '<')}) UNION ALL ({_part(_DOWNWARDS, _FIRST, '>=')})"
    NAMED = f"{_ROWS.replace('{where}', _HAS_NAME)} ORDER BY {_FIRST} LIMIT %(limit)s"
    ALL = _ROWS.replace("{where}", _INSIDE)


@dataclass(frozen=True, slots=True)
class DayRead:
    """Rows in order, the place of each of their positions, and how many stood on the whole board."""

    entries: list[Entry]
    places: Mapping[int, int]
    total: int


@dataclass(frozen=True, slots=True)
class Day:
    """The board before a moment; bounds: those positions alone."""

    ladder: Ladder
    until: datetime
    bounds: Bounds | None = None

    @property
    def top(self) -> Key:
        """A place above everybody."""
        high = self.bounds.high if self.bounds else None
        return Key(_ABOVE_ALL if high is None else high, 0, EPOCH, _LAST_ID)

    def key_of(self, handle: str) -> Key | None:
        """Where somebody stood, None for who was not on the board; one query."""
        events = RatingEvent.objects.filter(
            player_rating__in=listed(self.ladder).filter(player__handle=handle), effective_at__lt=self.until
        )
        row = events.order_by("-seq").values("player_rating_id", "position_after", "state_after").first()
        return key_then(row["player_rating_id"], row["position_after"], row["state_after"]) if row else None

    def beside(self, part: Part, key: Key, limit: int) -> DayRead:
        """Up to `limit` rows below, above, or on both sides of a place in the order; one query."""
        position = _PLACING if key.position is None else key.position
        reached = EPOCH if key.position is None else key.reached_at
        place = {"down": -position, "fewer": -key.wins, "reached": reached, "key": key.rating_id}
        return self._read(part, {"p": position, "limit": limit, **place})

    def named(self, text: str, limit: int) -> DayRead:
        """The highest of those whose name holds the text; one query."""
        told = dict(zip(("by_handle", "by_name", "by_word"), patterns(text), strict=True))
        return self._read(Part.NAMED, {"limit": limit, **told})

    def everybody(self) -> DayRead:
        """All rows; one query."""
        return self._read(Part.ALL, {})

    def _read(self, part: Part, told: Mapping[str, Any]) -> DayRead:
        bounds, season = self.bounds or Bounds(_PLACING, None), self.ladder.season
        assert season is not None
        values = {
            "until": self.until,
            "club": self.ladder.queue.club_id,
            "queue": self.ladder.queue.pk,
            "season": season.pk,
            "final": self.ladder.is_final,
            "low": bounds.low,
            "high": _ABOVE_ALL if bounds.high is None else bounds.high,
            **told,
        }
        with connection.cursor() as cursor:
            cursor.execute(_STATEMENT.replace("{part}", part.value), values)
            (total, *first), *others = cursor.fetchall()
        rows = [first, *(row[1:] for row in others)] if first[0] is not None else []
        entries = sorted((_entry(row) for row in rows), key=lambda entry: entry.key.order)
        places = {row[0]: row[1] + 1 for row in rows if row[0] != _PLACING}
        return DayRead(entries, places, total)


def _entry(row: Sequence[Any]) -> Entry:
    position, _above, wins, reached, rating_id, player_id, handle, name, draws, losses, placement_left = row
    key = Key(None if position == _PLACING else position, wins, reached, rating_id)
    return Entry(key, player_id, handle, name or handle, draws, losses, placement_left)
