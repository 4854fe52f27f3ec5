"""What every rating engine speaks: beliefs in, beliefs out.

A `Belief` holds numbers on the engine's own scale. `to_club` and `from_club` carry it to and from the one
scale that windows, tiers, priors and plots use: centre 1500, 400 points = odds of ten to one by the
engine's own prediction.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ratings.core.parameters import Parameters
from ratings.core.problems import RatingInputError

__all__ = [
    "CLUB_CENTRE",
    "CLUB_TENFOLD",
    "Belief",
    "Engine",
    "PeriodGame",
    "PlayerFacts",
    "RatingInputError",
    "Signals",
    "Together",
]

CLUB_CENTRE = 1500.0
CLUB_TENFOLD = 400.0


@dataclass(frozen=True, slots=True)
class Belief:
    """What an engine believes of one player; `None` stands for what the engine does not track."""

    rating: float
    deviation: float | None = None
    volatility: float | None = None


@dataclass(frozen=True, slots=True)
class PeriodGame:
    """One game of a rating period: the opponent as believed before the period, and the score (1, 0.5, 0).

    side: +1 when the rated player had the side advantage, -1 when the opponent had it, 0 on neutral ground.
    margin: how clearly the game was decided, in the game's own unit (not negative).
    played: the share (0 to 1) of the game that the rated player and the opponent played; a 0 is "was not played".
    """

    opponent: Belief
    score: float
    side: int = 0
    margin: float | None = None
    played: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Together:
    """What simultaneous games come to: the belief after them, and how far each of them pulls the rating.

    The pulls are in points of the own scale, before the engine rounds their sum or holds it within its bounds.
    """

    belief: Belief
    pulls: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What some engines need to know of a player beyond the belief (FIDE's K depends on the first three).

    first_games: those before the first rating, of a player who has none yet, for an engine with `wants_first_games`.
    """

    games: int = 0
    under_18_until_year_end: bool = False
    has_reached_2400: bool = False
    first_games: tuple[PeriodGame, ...] = ()


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a match beyond its ranks. Everything is optional; per-member values have the shape of the teams.

    margin: how clearly the match was decided, in the game's own unit (not negative).
    games: matches each member had played before (provisional K, experience).
    parties: a party's number per member, equal numbers within a team played together, None for alone.
    quits: whether the member left before the end.
    performance: an individual figure per member, higher is better, None where unknown.
    players: an identity per member; given, a player standing twice is refused and ties are put in order of it.
    facts: what elo_fide needs.
    """

    margin: float | None = None
    games: Sequence[Sequence[int]] | None = None
    parties: Sequence[Sequence[int | None]] | None = None
    quits: Sequence[Sequence[bool]] | None = None
    performance: Sequence[Sequence[float | None]] | None = None
    players: Sequence[Sequence[Hashable]] | None = None
    facts: Sequence[Sequence[PlayerFacts]] | None = None


class Engine(Protocol):
    """The one interface of all rating engines. Pure: nothing is kept between calls.

    Engines of one name and equal parameters are equal, and hash alike.
    """

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The algorithm's name in the registry."""
        ...

    @property
    def parameters(self) -> Parameters:
        """The validated, frozen parameters; `as_dict()` is ready for JSON."""
        ...

    @property
    def centre(self) -> float:
        """The rating on the own scale that stands at the club scale's centre."""
        ...

    @property
    def unit(self) -> float:
        """One point of the club scale on the own scale."""
        ...

    def initial(self, prior: Belief | None = None) -> Belief:
        """A newcomer's belief on the engine's own scale; `prior` (own scale) replaces what it states, within bounds."""
        ...

    def expected(
        self, teams: Sequence[Sequence[Belief]], side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """One probability per team, a draw counting as half; they add up to 1. `side` is the team with the side."""
        ...

    def update(
        self,
        teams: Sequence[Sequence[Belief]],
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """New beliefs in the shape of `teams`. Lower rank is better, equal ranks are a draw.

        `weights`: the share (0 to 1) of the match that each member played; 0 is "did not play" and changes nothing.
        """
        ...

    def margin_multiplier(self, margin: float | None) -> float:
        """How much more a clear result moves, 1 for one whose margin is not known."""
        ...

    @property
    def wants_first_games(self) -> int:
        """Of how many games it makes a first rating, for which it has to know the earlier ones; 0 if it does not."""
        ...

    @property
    def has_periods(self) -> bool:
        """Whether the engine can rate many games as simultaneous."""
        ...

    def rate_period(self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None) -> Belief:
        """The belief after a period whose games count as simultaneous. Engines without periods refuse."""
        ...

    def rate_together(
        self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None
    ) -> Together:
        """The same, and what each game alone contributes to it."""
        ...

    def widen(self, belief: Belief, idle: float) -> Belief:
        """The belief after `idle` days without a match."""
        ...

    def conservative(self, belief: Belief) -> float:
        """Rating minus k deviations, on the club scale (k is a parameter)."""
        ...

    def to_club(self, belief: Belief) -> Belief:
        """The belief on the club scale."""
        ...

    def from_club(self, belief: Belief) -> Belief:
        """The belief on the engine's own scale; a missing deviation or volatility is taken from a newcomer."""
        ...
