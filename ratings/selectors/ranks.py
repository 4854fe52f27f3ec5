"""Where somebody stands, in what a player may see: rank, place, counts, the way so far. No hidden number."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from ratings.core.visible_rank import RankLabel, label
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors.explanations import Explanation, explanation
from ratings.selectors.rules import rank_rules


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the leaderboard: equal positions share it, and the next place counts everybody above (1, 1, 3).

    place: None for who is not ranked. of: everybody listed, with a game in the season.
    """

    place: int | None
    of: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One player in one queue and season.

    rank, best, place: None during placement, when `placement_played` of `placement_of` matches are done (both None
    once there is a rank). shield: matches left in which the rank cannot fall out of its division.
    """

    player_id: UUID
    rank: RankLabel | None
    best: RankLabel | None
    place: int | None
    of: int
    games: int
    wins: int
    draws: int
    losses: int
    placement_played: int | None
    placement_of: int | None
    shield: int
    last_match_at: datetime | None


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The rank after one event. at: when the match was completed, or the event written."""

    at: datetime
    position: int
    rank: RankLabel
    delta: int | None
    kind: str
    match_id: UUID | None
    event_id: UUID


@dataclass(frozen=True, slots=True)
class MatchEffect:
    """What a match did to one player's rank. explanation: meant for that player's own eyes.

    before, after, points_delta: None during placement, of which `placement` tells (played, of).
    """

    player_id: UUID
    result: str
    points_delta: int | None
    before: str | None
    after: str | None
    position_before: int | None
    position_after: int | None
    placement: tuple[int, int] | None
    notes: tuple[str, ...]
    explanation: Explanation

    @property
    def sentence(self) -> str:
        """The explanation in one line."""
        return str(self.explanation)


def standing(*, player_id: UUID, queue_id: UUID, season_id: UUID, hidden: Collection[UUID] = ()) -> Standing | None:
    """Where the player stands, None without a rating there. `hidden`: players not counted on the board. 3 queries."""
    row = PlayerRating.objects.filter(player_id=player_id, queue_id=queue_id, season_id=season_id, role="").first()
    if row is None:
        return None
    rules = rank_rules(queue_id=queue_id, season_id=season_id)
    place = place_of(queue_id=queue_id, season_id=season_id, position=row.position, hidden=hidden)
    in_placement = row.position is None
    return Standing(
        player_id=player_id,
        rank=None if row.position is None else label(rules, row.position),
        best=None if row.peak_position is None else label(rules, row.peak_position),
        place=place.place,
        of=place.of,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        placement_played=row.games if in_placement else None,
        placement_of=row.games + max(row.placement_left, 1) if in_placement else None,
        shield=row.shield,
        last_match_at=row.last_match_at,
    )


def place_of(*, queue_id: UUID, season_id: UUID, position: int | None, hidden: Collection[UUID] = ()) -> Place:
    """The place that belongs to a position: one more than the players above it. One query."""
    listed = PlayerRating.objects.filter(queue_id=queue_id, season_id=season_id, role="", games__gt=0)
    if hidden:
        listed = listed.exclude(player_id__in=list(hidden))
    above = Q(position__gt=position) if position is not None else Q(position__isnull=False)
    counts = listed.aggregate(of=Count("id"), above=Count("id", filter=above))
    return Place(None if position is None else counts["above"] + 1, counts["of"])


def rank_history(*, player_id: UUID, queue_id: UUID, season_id: UUID) -> list[HistoryPoint]:
    """The rank after every event since placement ended, oldest first; 2 queries."""
    rules = rank_rules(queue_id=queue_id, season_id=season_id)
    events = RatingEvent.objects.filter(
        player_rating__player_id=player_id,
        player_rating__queue_id=queue_id,
        player_rating__season_id=season_id,
        player_rating__role="",
        position_after__isnull=False,
    ).order_by("seq")
    fields = ("id", "kind", "match_id", "position_after", "points_delta", "created_at", "explanation__completed_at")
    return [
        HistoryPoint(
            at=datetime.fromisoformat(row["explanation__completed_at"] or row["created_at"].isoformat()),
            position=row["position_after"],
            rank=label(rules, row["position_after"]),
            delta=row["points_delta"],
            kind=row["kind"],
            match_id=row["match_id"],
            event_id=row["id"],
        )
        for row in events.values(*fields)
    ]


def match_effects(*, match_id: UUID) -> list[MatchEffect]:
    """What the match did to each of its players, in a stable order; one query, empty before it is rated."""
    events = (
        RatingEvent.objects.filter(match_id=match_id, kind=RatingEvent.Kind.MATCH)
        .select_related("player_rating")
        .order_by("id")
    )
    return [_effect(event) for event in events]


def _effect(event: RatingEvent) -> MatchEffect:
    rank = event.explanation["rank"]
    return MatchEffect(
        player_id=event.player_rating.player_id,
        result=event.explanation["result"],
        points_delta=event.points_delta,
        before=rank["before"] and rank["before"]["name"],
        after=rank["after"] and rank["after"]["name"],
        position_before=event.position_before,
        position_after=event.position_after,
        placement=tuple(rank["placement"]) if rank["placement"] else None,
        notes=tuple(rank["notes"]),
        explanation=explanation(event),
    )
