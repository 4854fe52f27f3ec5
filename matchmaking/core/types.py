"""What the matchmaker's core speaks: tickets and a policy in, a plan out. All times are seconds since the epoch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Expired", "Proposal", "Seeker", "TickPlan", "WaitingTicket"]


@dataclass(frozen=True, slots=True)
class Seeker:
    """One player of a ticket with what is believed of them, on the club scale (centre 1500, 400 points = 10:1)."""

    player: str
    rating: float
    deviation: float = 350.0


@dataclass(frozen=True, slots=True)
class WaitingTicket:
    """A ticket that searches.

    `sequence` orders equal join times. `search_until` is the least end of the search, for a ticket that came back
    without fault (0: none). `avoid` holds players it must not meet, each with the time until when.
    """

    id: str
    members: tuple[Seeker, ...]
    joined_at: float
    sequence: int = 0
    search_until: float = 0.0
    avoid: Mapping[str, float] = field(default_factory=dict)

    @property
    def rating(self) -> float:
        """The rating it is matched by; a single player's own."""
        return self.members[0].rating if len(self.members) == 1 else _mean([seeker.rating for seeker in self.members])

    @property
    def age_order(self) -> tuple[float, int, str]:
        """Oldest first, in one total order."""
        return (self.joined_at, self.sequence, self.id)

    def waited(self, now: float) -> float:
        """Seconds since it joined; never negative."""
        return max(0.0, now - self.joined_at)

    def fault(self) -> str | None:
        """Why it cannot be matched by anybody, or None for a sound ticket."""
        if not self.members:
            return "no_members"
        if len(self.members) > 1 and len({seeker.player for seeker in self.members}) != len(self.members):
            return "player_twice"
        if not math.isfinite(self.joined_at):
            return "no_join_time"
        for seeker in self.members:
            if not math.isfinite(seeker.rating + seeker.deviation):
                return "no_rating"
        return None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tickets arranged into teams, with the numbers it was formed on.

    teams: ticket ids per side. quality: 0 to 1. gap: rating points between the sides. windows: each ticket's own
    window at that moment, by ticket id.
    """

    teams: tuple[tuple[str, ...], ...]
    quality: float
    gap: float = 0.0
    windows: Mapping[str, float] = field(default_factory=dict)

    @property
    def tickets(self) -> tuple[str, ...]:
        """All its tickets, side by side."""
        return tuple(ticket for team in self.teams for ticket in team)


@dataclass(frozen=True, slots=True)
class Expired:
    """A ticket whose search is over, and the seconds it waited."""

    ticket: str
    waited: float


@dataclass(frozen=True, slots=True)
class TickPlan:
    """What one tick would do. Every ticket given is in exactly one of proposals, expired, broken and waiting.

    proposals: oldest first. broken: ticket id to fault. waiting_reasons: ticket id to why nobody fits right now
    ("alone", "window", "their_window", "avoid"), oldest first. looked_at: candidates looked at.
    """

    proposals: tuple[Proposal, ...]
    expired: tuple[Expired, ...] = ()
    broken: Mapping[str, str] = field(default_factory=dict)
    waiting_reasons: Mapping[str, str] = field(default_factory=dict)
    looked_at: int = 0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
