"""What all engines share: the club scale, the bounds on what leaves an engine, and the reading of a match."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from ratings.core import guards
from ratings.core.parameters import Parameters
from ratings.core.problems import RatingInputError
from ratings.core.types import CLUB_CENTRE, Belief, PeriodGame, PlayerFacts, Signals, Together

RATING_SPAN = 10_000.0  # points of the club scale around its centre that a rating may reach


@dataclass(frozen=True, slots=True)
class Match:
    """A checked match: places (0 best, equal for a draw), weights, points of the club scale given to each team."""

    teams: tuple[tuple[Belief, ...], ...]
    places: tuple[int, ...]
    weights: tuple[tuple[float, ...], ...]
    offsets: tuple[float, ...]
    multiplier: float


class BaseEngine(ABC):
    """Scale, bounds and guards. Subclasses state `centre`, `unit` and what a belief must hold."""

    name: ClassVar[str]
    tracks_deviation: ClassVar[bool] = True
    tracks_volatility: ClassVar[bool] = False
    has_periods: ClassVar[bool] = False
    max_teams: ClassVar[int] = guards.MAX_TEAMS
    sums_members: ClassVar[bool] = False
    parameters_type: ClassVar[type[Parameters]] = Parameters

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.parameters!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BaseEngine) and (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, self.parameters))

    @property
    def wants_first_games(self) -> int:
        """None: whoever is new has a rating from the start."""
        return 0

    @property
    @abstractmethod
    def centre(self) -> float:
        """The rating on the own scale that stands at the club scale's centre."""

    @property
    @abstractmethod
    def unit(self) -> float:
        """One point of the club scale on the own scale."""

    @property
    @abstractmethod
    def conservative_k(self) -> float:
        """How many deviations `conservative` takes off."""

    @abstractmethod
    def newcomer(self) -> Belief:
        """A newcomer without a prior, on the own scale."""

    @property
    @abstractmethod
    def deviation_range(self) -> tuple[float, float]:
        """Floor and ceiling of the deviation on the own scale."""

    @abstractmethod
    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """One probability per team, a draw counting as half."""

    @abstractmethod
    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """New beliefs in the shape of `teams`."""

    @abstractmethod
    def widen(self, belief: Belief, idle: float) -> Belief:
        """The belief after `idle` days without a match."""

    def initial(self, prior: Belief | None = None) -> Belief:
        """A newcomer's belief; what the prior leaves out is a newcomer's, and it is held within the bounds."""
        fresh = self.newcomer()
        if prior is None:
            return fresh
        self.check_belief(prior, deviation=False, volatility=False)
        deviation = fresh.deviation if prior.deviation is None else prior.deviation
        volatility = fresh.volatility if prior.volatility is None else prior.volatility
        return self.held(
            prior.rating,
            deviation if self.tracks_deviation else None,
            volatility if self.tracks_volatility else None,
        )

    def held(self, rating: float, deviation: float | None, volatility: float | None) -> Belief:
        """A belief within the engine's bounds; arithmetic that left the numbers ends at a bound, never at NaN."""
        low, high = self.rating_range
        if deviation is not None:
            floor, ceiling = self.deviation_range
            deviation = min(max(guards.finite(deviation, ceiling), floor), ceiling)
        return Belief(min(max(guards.finite(rating, self.centre), low), high), deviation, volatility)

    @cached_property
    def rating_range(self) -> tuple[float, float]:
        """Lowest and highest rating on the own scale."""
        return self.centre - RATING_SPAN * self.unit, self.centre + RATING_SPAN * self.unit

    def check_belief(self, belief: Belief, *, deviation: bool | None = None, volatility: bool | None = None) -> None:
        """Refuse a belief this engine cannot use."""
        guards.belief(
            belief,
            deviation=self.tracks_deviation if deviation is None else deviation,
            volatility=self.tracks_volatility if volatility is None else volatility,
        )

    def to_club(self, belief: Belief) -> Belief:
        """The belief in points of the club scale (volatility, a pure number in Glicko-2, is left as it is)."""
        self.check_belief(belief, deviation=False, volatility=False)
        deviation = None if belief.deviation is None else belief.deviation / self.unit
        return Belief(CLUB_CENTRE + (belief.rating - self.centre) / self.unit, deviation, belief.volatility)

    def from_club(self, belief: Belief) -> Belief:
        """The belief on the own scale; what the engine tracks and the belief lacks is a newcomer's."""
        self.check_belief(belief, deviation=False, volatility=False)
        deviation = None if belief.deviation is None else belief.deviation * self.unit
        rating = self.centre + (belief.rating - CLUB_CENTRE) * self.unit
        return self.initial(Belief(rating, deviation, belief.volatility))

    def conservative(self, belief: Belief) -> float:
        """Rating minus k deviations in points of the club scale."""
        club = self.to_club(belief)
        return club.rating - self.conservative_k * (club.deviation or 0.0)

    def rate_period(self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None) -> Belief:
        """The belief after simultaneous games, whatever their order; refused by engines without periods."""
        return self.rate_together(belief, results, facts).belief

    def rate_together(
        self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None
    ) -> Together:
        """Refused: only Elo (FIDE), Glicko and Glicko-2 have rating periods."""
        del belief, results, facts  # one answer, whatever the games
        raise RatingInputError("results", f"{self.name} rates match by match and has no rating periods")

    def checked_games(self, belief: Belief, results: Sequence[PeriodGame]) -> None:
        """Refuse a period that cannot be rated."""
        self.check_belief(belief)
        if len(results) > guards.MAX_PERIOD_GAMES:
            raise RatingInputError("results", f"must be at most {guards.MAX_PERIOD_GAMES}, got {len(results)}")
        for position, game in enumerate(results):
            guards.belief(
                game.opponent, deviation=self.tracks_deviation, volatility=False, field=f"results[{position}].opponent"
            )
            guards.number(f"results[{position}].score", game.score, 0.0, 1.0)
            if game.side not in (-1, 0, 1):
                raise RatingInputError(f"results[{position}].side", f"must be -1, 0 or 1, got {game.side!r}")
            if game.margin is not None:
                guards.number(f"results[{position}].margin", game.margin, 0.0)
            for share in game.played:
                guards.number(f"results[{position}].played", share, 0.0, 1.0)

    def checked_line_up(self, teams: guards.Teams, side: int | None, signals: Signals | None) -> None:
        """Refuse teams, side or signals that cannot be rated."""
        guards.teams(
            teams, deviation=self.tracks_deviation, volatility=self.tracks_volatility, max_teams=self.max_teams
        )
        guards.side(side, len(teams))
        guards.signals(signals, teams)

    def read_match(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None,
        signals: Signals | None,
        side: int | None,
    ) -> Match:
        """Check everything about a match, then state it in the form the formulas take."""
        self.checked_line_up(teams, side, signals)
        guards.ranks(ranks, len(teams))
        guards.weights(weights, teams)
        order = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
        full = tuple((1.0,) * len(team) for team in teams)
        return Match(
            teams=tuple(tuple(team) for team in teams),
            places=tuple(order[rank] for rank in ranks),
            weights=full if weights is None else tuple(tuple(map(float, row)) for row in weights),
            offsets=self.offsets(teams, side, signals),
            multiplier=self.margin_multiplier(None if signals is None else signals.margin),
        )

    def margin_multiplier(self, margin: float | None) -> float:
        """How much more a clear result moves: min(cap, 1 + weight * curve(margin)), 1 for one that is not known."""
        if margin is None:
            return 1.0
        power = self.parameters.margin_power
        log = math.log1p(margin)
        curve = math.expm1(power * log) / power if power > 0.0 else log
        return min(self.parameters.margin_cap, 1.0 + self.parameters.margin_weight * curve)

    def offsets(self, teams: guards.Teams, side: int | None, signals: Signals | None) -> tuple[float, ...]:
        """Points of the club scale given to each team: side advantage and what its parties are worth together."""
        given = [0.0] * len(teams)
        if side is not None:
            given[side] += self.parameters.side_advantage
        if signals is not None and signals.parties is not None and self.parameters.party_offset != 0.0:
            for position, row in enumerate(signals.parties):
                given[position] += self.parameters.party_offset * self._party_share(row)
        return tuple(given)

    def _party_share(self, row: Sequence[int | None]) -> float:
        """Further members over all parties of a team, each counted for every member of its party."""
        sizes = [row.count(party) for party in row if party is not None]
        together = float(sum(size - 1 for size in sizes))
        return together if self.sums_members else together / len(row)


def replaced(match: Match, new: Sequence[Sequence[Belief]]) -> tuple[tuple[Belief, ...], ...]:
    """New beliefs in the shape of the match; who did not play keeps the old one untouched."""
    return tuple(
        tuple(fresh if weight > 0.0 else old for old, fresh, weight in zip(team, row, shares, strict=True))
        for team, row, shares in zip(match.teams, new, match.weights, strict=True)
    )


def with_deviation(belief: Belief, deviation: float) -> Belief:
    """The same belief with another deviation."""
    return replace(belief, deviation=deviation)
