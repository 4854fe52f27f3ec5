"""What the ledger is told about a match, and what it answers."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from ratings.core.match_facts import MatchFacts
from ratings.core.rank_rules import RankRules


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """A completed match. `ranks` is one number per team, lower is better, equal is a draw.

    period_ends_at: when its rating period ends, where the model it was formed under has such.
    """

    match_id: UUID
    queue_id: UUID
    season_id: UUID
    teams: tuple[tuple[UUID, ...], ...]
    ranks: tuple[int, ...]
    completed_at: datetime
    rules: RankRules
    period_ends_at: datetime | None = None
    facts: MatchFacts = field(default_factory=MatchFacts)

    @property
    def players(self) -> list[UUID]:
        """Everybody in it, team by team."""
        return [player for team in self.teams for player in team]


@dataclass(frozen=True, slots=True)
class Effect:
    """How a match moved one player's visible rank; positions are None during placement."""

    player_id: UUID
    points_delta: int | None
    position_before: int | None
    position_after: int | None


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """What `apply_match` did. Of a match that was rated before it reports no effects."""

    match_id: UUID
    already_rated: bool
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """What `apply_history` did: matches rated now, and those found rated before."""

    rated: int
    already_rated: int
