"""A queue's recorded history as replays read it: one streaming query, in pieces, each time it is walked."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db import connection
from django.db.models import Q

from ratings.core.history import CHUNK, NOBODY, Chunk, Member, Recorded
from ratings.core.rank_rules import RankRules
from ratings.core.replay_steps import Step
from ratings.core.types import Belief
from ratings.models import RatingEvent
from ratings.selectors.models import engine_of

_DAY = timedelta(days=1)
_READ_AT_ONCE = 2_000
# An event is undone unless its undoing was undone again.
_UNDONE = """
WITH RECURSIVE undone (origin, last, depth) AS (
    SELECT e.id, u.id, 1 FROM ratings_ratingevent u JOIN ratings_ratingevent e ON e.id = u.undoes_id
    JOIN ratings_playerrating r ON r.id = e.player_rating_id
    WHERE u.undoes_id IS NOT NULL AND e.undoes_id IS NULL AND r.queue_id = %s
    UNION ALL
    SELECT undone.origin, u.id, undone.depth + 1 FROM undone JOIN ratings_ratingevent u ON u.undoes_id = undone.last
)
SELECT id, kind, match_id FROM ratings_ratingevent
WHERE id IN (SELECT origin FROM undone GROUP BY origin HAVING max(depth) %% 2 = 1)
"""


def history_size(*, queue_id: UUID, until: datetime) -> int:
    """How many matches a replay of the queue reads that stops at `until`."""
    matches = apps.get_model("ladder", "Match")._default_manager
    return matches.filter(_counts(queue_id, until, taken_back(queue_id))).count()


def _counts(queue_id: UUID, until: datetime, undone: "TakenBack", match: str = "") -> Q:
    """The queue's matches that were rated by then and still count, as a condition; `match` is the way to them.

    The tables of play are named, never imported.
    """
    wanted = {"queue_id": queue_id, "state": "completed", "unrated_reason": "", "rated_at__lte": until}
    condition = Q(**{f"{match}{name}": value for name, value in wanted.items()})
    return condition & ~Q(**{f"{match}id__in": undone.matches}) if undone.matches else condition


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What does not count any more: events, and matches whose events they were."""

    events: tuple[UUID, ...]
    matches: tuple[UUID, ...]


def taken_back(queue_id: UUID) -> TakenBack:
    """The queue's events that were undone and not reinstated."""
    with connection.cursor() as cursor:
        cursor.execute(_UNDONE, [queue_id])
        rows = cursor.fetchall()
    matches = {match for _key, kind, match in rows if kind == RatingEvent.Kind.MATCH.value}
    return TakenBack(tuple(row[0] for row in rows), tuple(sorted(matches)))


@dataclass(slots=True)
class QueueHistory:
    """A queue's history until a moment, read anew each time it is walked.

    zone: by whose clocks days are counted, which matters to rating periods. players: the index given to each player
    when first met. seasons: those whose matches were met. digest: after a whole walk SHA-256 over everything that was
    read, so that two walks can be known to have read the same. Memory grows with players, not with matches.
    """

    queue_id: UUID
    until: datetime
    zone: tzinfo = UTC
    players: dict[UUID, int] = field(default_factory=dict)
    seasons: set[UUID] = field(default_factory=set)
    digest: str = ""

    def steps(self, size: int = CHUNK) -> Iterator[Step]:
        """Matches in the order of completion, in pieces of at most `size`, with what lies between them."""
        walk = _Walk(self)
        for seats in _stored(_counts(self.queue_id, self.until, walk.undone, "match__")):
            at, season = seats[0].completed_at, seats[0].season
            if walk.turns(at, season) or len(walk.waiting) == size:
                yield from walk.flush()
                walk.go_on(at, season)
            walk.add(at, seats)
        yield from walk.flush()
        walk.go_on(self.until, None)
        yield from walk.flush()
        self.digest = walk.seen.hexdigest()


@dataclass(slots=True)
class _Walk:
    """A history being read: what waits to be yielded as the next step."""

    history: QueueHistory
    undone: TakenBack = field(init=False)
    priors: Mapping[UUID, Belief] = field(init=False)
    corrections: list[tuple[datetime, UUID, float]] = field(init=False)
    carries: Mapping[UUID, float] = field(init=False)
    waiting: list[Recorded] = field(default_factory=list)
    starts: dict[int, Belief] = field(default_factory=dict)
    shifts: dict[int, float] = field(default_factory=dict)
    widening: float = 0.0
    seen: Any = field(default_factory=hashlib.sha256)

    def __post_init__(self) -> None:
        queue_id, until = self.history.queue_id, self.history.until
        self.undone = taken_back(queue_id)
        self.priors = priors(queue_id, until)
        self.corrections = corrections(queue_id, until, self.undone)[::-1]
        self.carries = season_carries(queue_id)
        self.history.players.clear()
        self.history.seasons.clear()

    def index(self, player: UUID) -> int:
        """The player's index; whom we meet for the first time starts from the own prior."""
        players = self.history.players
        if player not in players:
            players[player] = len(players)
            prior = self.priors.get(player)
            if prior is not None:
                self.starts[players[player]] = prior
            self.note(player, prior)
        return players[player]

    def turns(self, at: datetime, season: UUID) -> bool:
        """Whether something happens to ratings before the next match."""
        return season not in self.history.seasons or bool(self.corrections and self.corrections[-1][0] <= at)

    def go_on(self, at: datetime, season: UUID | None) -> None:
        """Take up what happened up to `at`, and a season's beginning if it is a further one."""
        while self.corrections and self.corrections[-1][0] <= at:
            when, player, points = self.corrections.pop()
            number = self.index(player)
            self.shifts[number] = self.shifts.get(number, 0.0) + points
            self.note(when, player, points)
        seen = self.history.seasons
        if season is not None and season not in seen:
            if seen:
                self.widening = self.carries.get(season, 0.0)
                self.note(self.widening)
            seen.add(season)

    def add(self, at: datetime, seats: Sequence["_Seat"]) -> None:
        """Take in the next match."""
        self.waiting.append(_recorded(seats, self.index, day_of(at, self.history.zone)))
        self.note(at.timestamp(), seats[0].margin, seats[0].side, [self.told(seat) for seat in seats])

    def told(self, seat: "_Seat") -> tuple[object, ...]:
        """What a participant adds to the digest; plain values, because this is the busiest line of a walk."""
        return (self.history.players[seat.player], seat.team, seat.rank, *seat[_BESIDES:])

    def note(self, *told: object) -> None:
        """Add to what the digest is over."""
        self.seen.update(repr(told).encode())

    def flush(self) -> Iterator[Step]:
        """What was gathered, if it is anything."""
        if self.waiting or self.shifts or self.widening:
            yield Step(Chunk.of(self.waiting), self.starts, self.shifts, self.widening)
        self.waiting, self.starts, self.shifts, self.widening = [], {}, {}, 0.0


def priors(queue_id: UUID, until: datetime) -> dict[UUID, Belief]:
    """By player the first placement in the queue, on the club scale; without those of whom nothing was known."""
    first = (
        RatingEvent.objects.filter(
            kind=RatingEvent.Kind.PLACEMENT,
            player_rating__queue_id=queue_id,
            player_rating__role="",
            player_rating__created_at__lte=until,
        )
        .order_by("player_rating__player_id", "player_rating__created_at", "player_rating_id", "seq")
        .distinct("player_rating__player_id")
        .select_related("rating_model", "player_rating")
        .defer("canonical")
    )
    found: dict[UUID, Belief] = {}
    for event in first.iterator(_READ_AT_ONCE):
        if event.rating_model is not None and event.explanation.get("source") != "newcomer":
            own = Belief(event.rating_after, event.deviation_after, event.volatility_after)
            found[event.player_rating.player_id] = engine_of(event.rating_model).to_club(own)
    return found


def corrections(queue_id: UUID, until: datetime, undone: TakenBack) -> list[tuple[datetime, UUID, float]]:
    """What the staff added to ratings by hand and did not take back: when, to whom, club points; oldest first."""
    events = (
        RatingEvent.objects.filter(
            kind=RatingEvent.Kind.CORRECTION,
            player_rating__queue_id=queue_id,
            player_rating__role="",
            created_at__lte=until,
        )
        .exclude(pk__in=undone.events)
        .order_by("created_at", "id")
    )
    told = events.values_list("created_at", "player_rating__player_id", "explanation__rating_delta")
    return [(when, player, float(points)) for when, player, points in told.iterator(_READ_AT_ONCE)]


def season_carries(queue_id: UUID) -> dict[UUID, float]:
    """By season, how much its beginning widens the deviation of who played before, in club points."""
    rules = apps.get_model("ladder", "SeasonRules")._default_manager.filter(queue_id=queue_id)
    told = rules.values_list("season_id", "rank_rules")
    return {season: float(RankRules.from_json(stored).carry_deviation) for season, stored in told}


class _Seat(NamedTuple):
    """A participant with the match, as the query gives it."""

    match: UUID
    completed_at: datetime
    season: UUID
    margin: float | None
    side: int | None
    team: int
    rank: int
    player: UUID
    party: int | None
    share_played: float
    performance: float | None
    left_early: bool


_BESIDES = _Seat._fields.index("party")  # from there on: what is known of a participant besides the place
_COLUMNS = (
    "match_id",
    "match__completed_at",
    "match__season_id",
    "match__margin",
    "match__side",
    "team__index",
    "team__rank",
    "player_id",
    "party",
    "share_played",
    "performance",
    "left_early",
)


def _stored(which: Q) -> Iterator[list[_Seat]]:
    """The participants of each match, side by side, matches in the order of completion."""
    seats = apps.get_model("ladder", "MatchParticipant")._default_manager.filter(which)
    rows = seats.order_by("match__completed_at", "match_id", "team__index", "id").values_list(*_COLUMNS)
    for _match, group in groupby(map(_Seat._make, rows.iterator(_READ_AT_ONCE)), key=attrgetter("match")):
        yield list(group)


def day_of(at: datetime, zone: tzinfo) -> float:
    """A moment as a day number by the clocks of a zone, the time of day as its fraction."""
    local = at.astimezone(zone)
    midnight = datetime(local.year, local.month, local.day, tzinfo=UTC)
    return local.toordinal() + (local.replace(tzinfo=UTC) - midnight) / _DAY


def _recorded(seats: Sequence[_Seat], index: Callable[[UUID], int], day: float) -> Recorded:
    """A match as the core reads it."""
    first = seats[0]
    sides = [list(group) for _team, group in groupby(seats, key=attrgetter("team"))]
    return Recorded(
        teams=tuple(tuple(_member(seat, index) for seat in side) for side in sides),
        ranks=tuple(float(side[0].rank) for side in sides),
        side=NOBODY if first.side is None else first.side,
        margin=math.nan if first.margin is None else first.margin,
        day=day,
    )


def _member(seat: _Seat, index: Callable[[UUID], int]) -> Member:
    return Member(
        player=index(seat.player),
        weight=seat.share_played,
        performance=math.nan if seat.performance is None else seat.performance,
        quit=seat.left_early,
        party=NOBODY if seat.party is None else seat.party,
    )
