"""What TrueSkill and the Weng-Lin models share: Gaussian skills whose weighted sum is the team's strength."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.engine_base import BaseEngine, Match, with_deviation
from ratings.core.parameters import Parameters, parameter
from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, Signals

_DAYS_A_YEAR = 365.0
_FIT = 20.0  # beta and sigma further apart than this belong to two different scales
_SMALLEST_DEVIATION = 1e-12


@dataclass(frozen=True, kw_only=True)
class GaussianParameters(Parameters):
    """Mean, deviation and noise on the engine's own scale."""

    mu: float = parameter(25.0, "Where a newcomer starts.", -1e5, 1e5)
    sigma: float = parameter(25.0 / 3.0, "How uncertain a newcomer is.", 1e-6, 1e5)
    beta: float = parameter(25.0 / 6.0, "How much a performance varies; half of sigma unless given.", 1e-6, 1e5)
    tau: float = parameter(25.0 / 300.0, "Drift of the skill per match; a hundredth of sigma unless given.", 0, 1e5)
    deviation_floor: float = parameter(0.0, "No rating ever counts as more certain than this; tau also holds it up.", 0)
    deviation_ceiling: float = parameter(50.0 / 3.0, "The most uncertainty; twice sigma unless given.", 1e-6, 1e6)
    yearly_drift: float = parameter(
        92.2, "Points of the club scale by which a year without a match widens: sqrt(deviation^2 + drift^2).", 0, 2000
    )
    conservative_k: float = parameter(3.0, "Deviations taken off for the conservative value.", 0, 5)

    @classmethod
    def completed(cls, given: dict[str, object]) -> dict[str, object]:
        """Beta, tau and the ceiling follow sigma where they are not given."""
        sigma = given.get("sigma")
        if isinstance(sigma, bool) or not isinstance(sigma, int | float):
            return given
        return {"beta": sigma / 2, "tau": sigma / 100, "deviation_ceiling": 2 * sigma, **given}

    def check_together(self) -> None:
        """Beta fits sigma, tau is no larger than beta's scale, the floor lies below the ceiling."""
        if not self.sigma / _FIT <= self.beta <= self.sigma * _FIT:
            raise RatingInputError("beta", f"{self.beta:g} does not fit a sigma of {self.sigma:g}: another scale?")
        if self.tau > self.sigma:
            raise RatingInputError("tau", f"{self.tau:g} is larger than sigma, {self.sigma:g}")
        if not self.deviation_floor <= self.sigma <= self.deviation_ceiling:
            raise RatingInputError("deviation_ceiling", "deviation_floor, sigma and deviation_ceiling must rise")


class TeamSumEngine(BaseEngine):
    """Reads a match into team sums, asks the model for shift and shrink, hands both down to the members."""

    sums_members = True
    parameters_type: ClassVar[type[Parameters]] = GaussianParameters

    @property
    def g(self) -> GaussianParameters:
        """The Gaussian parameters with their own type."""
        return cast(GaussianParameters, self.parameters)

    @property
    def centre(self) -> float:
        """Where a newcomer starts."""
        return self.g.mu

    @property
    def conservative_k(self) -> float:
        """A parameter, 3 by default: a newcomer starts at the bottom."""
        return self.g.conservative_k

    @cached_property
    def deviation_range(self) -> tuple[float, float]:
        """Parameters both."""
        return max(self.g.deviation_floor, _SMALLEST_DEVIATION), self.g.deviation_ceiling

    def newcomer(self) -> Belief:
        """Mu and sigma."""
        return Belief(self.g.mu, self.g.sigma)

    def widen(self, belief: Belief, idle: float) -> Belief:
        """Variance grows in proportion to time, up to the ceiling."""
        self.check_belief(belief)
        drift = self.g.yearly_drift * self.unit
        grown = math.sqrt((belief.deviation or 0.0) ** 2 + drift**2 * guards.idle_days(idle) / _DAYS_A_YEAR)
        return with_deviation(belief, min(grown, max(self.g.deviation_ceiling, belief.deviation or 0.0)))

    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """New beliefs; a member of weight 0 only drifts by tau."""
        match = self.read_match(teams, ranks, weights, signals, side)
        lift = [offset * self.unit for offset in match.offsets]
        shift, shrink = self.results(match, lift, play_order(match, signals))
        return tuple(
            tuple(
                self._moved(member, weight, shift[i] * match.multiplier, shrink[i])
                for member, weight in zip(team, match.weights[i], strict=True)
            )
            for i, team in enumerate(match.teams)
        )

    def _moved(self, member: Belief, weight: float, shift: float, shrink: float) -> Belief:
        rating, variance = moved(member.rating, self.drifted(member), weight, shift, shrink, self.kept_at_least())
        return self.held(rating, math.sqrt(variance), None)

    def drifted(self, member: Belief) -> float:
        """A member's variance, the drift of one match included."""
        return (member.deviation or 0.0) ** 2 + self.g.tau**2

    def sums(self, match: Match, lift: Sequence[float], order: Sequence[int], noise: float) -> tuple[list[float], ...]:
        """Mean and variance of each team in play order, `noise` being each member's own variance on top."""
        mean, var = [], []
        for i in order:
            pairs = list(zip(match.weights[i], match.teams[i], strict=True))
            mean.append(lift[i] + sum(w * one.rating for w, one in pairs))
            var.append(sum(w * w * (self.drifted(one) + noise) for w, one in pairs))
        return mean, var

    def kept_at_least(self) -> float:
        """The least share of its variance that a match leaves; TrueSkill's own never reaches 0."""
        return 0.0

    def results(self, match: Match, lift: Sequence[float], order: Sequence[int]) -> tuple[list[float], list[float]]:
        """Shift and shrink of each team, in the order of the match."""
        raise NotImplementedError


def moved(
    rating: float, variance: float, weight: float, shift: float, shrink: float, kappa: float
) -> tuple[float, float]:
    """One member after the match: (rating, variance). The variance never falls below kappa of itself."""
    share = 1.0 - weight * weight * variance * shrink
    return rating + weight * variance * shift, variance * max(share, kappa)


def play_order(match: Match, signals: Signals | None) -> list[int]:
    """Indexes of the teams that played, by place; ties by the players' identities where given, else as they stand."""
    present = [i for i, shares in enumerate(match.weights) if sum(shares) > 0.0]
    if signals is None or signals.players is None:
        return sorted(present, key=lambda i: match.places[i])
    names = [sorted(map(str, row)) for row in signals.players]
    return sorted(present, key=lambda i: (match.places[i], names[i]))


def unordered(values: Sequence[float], order: Sequence[int], count: int) -> list[float]:
    """Values in play order put back into the order of the match, 0 for who did not play."""
    back = [0.0] * count
    for value, i in zip(values, order, strict=True):
        back[i] = value
    return back


def plain_match(
    teams: Sequence[Sequence[tuple[float, float]]],
    ranks: Sequence[float],
    weights: Sequence[Sequence[float]] | None,
) -> Match:
    """A match of bare (mu, sigma) pairs whose values are not checked."""
    guards.ranks(ranks, len(teams))
    places = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    shares = weights or [[1.0] * len(team) for team in teams]
    return Match(
        teams=tuple(tuple(Belief(mu, sigma) for mu, sigma in team) for team in teams),
        places=tuple(places[rank] for rank in ranks),
        weights=tuple(tuple(map(float, row)) for row in shares),
        offsets=(0.0,) * len(teams),
        multiplier=1.0,
    )


def plain_members(
    match: Match, tau: float, shift: Sequence[float], shrink: Sequence[float], kappa: float
) -> list[list[tuple[float, float]]]:
    """The members of a plain match after it, unbounded."""
    changed = []
    for i, team in enumerate(match.teams):
        row = []
        for one, weight in zip(team, match.weights[i], strict=True):
            variance = (one.deviation or 0.0) ** 2 + tau * tau
            rating, after = moved(one.rating, variance, weight, shift[i], shrink[i], kappa)
            row.append((rating, math.sqrt(after)))
        changed.append(row)
    return changed
