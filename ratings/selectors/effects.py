"""What a match did to the ranks of its players, for the page of the match."""

from dataclasses import dataclass
from uuid import UUID

from ratings.models import RatingEvent
from ratings.selectors.explanations import Explanation, explanation


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


def match_effects(*, match_id: UUID) -> list[MatchEffect]:
    """What the match did to each of its players, in a stable order; one query, empty before it is rated."""
    events = (
        RatingEvent.objects.filter(match_id=match_id, kind=RatingEvent.Kind.MATCH)
        .select_related("player_rating")
        .order_by("id")
    )
    return [_effect(event) for event in events]


def undoing_sentences(*, match_id: UUID, player_id: UUID) -> tuple[str, ...]:
    """What taking the match back last did to this player's own rank, in words; one query, empty if it never was."""
    events = RatingEvent.objects.filter(match=match_id, player_rating__player=player_id, undoes__isnull=False)
    last = events.order_by("-seq").first()
    return () if last is None else explanation(last).sentences


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
