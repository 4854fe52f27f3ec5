"""The five models of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011).

Own scale: mu 25, sigma 25/3. Bradley-Terry and Thurstone-Mosteller in full and part pairing, and Plackett-Luce.
Differences from openskill 6.2.0, on purpose: weights are shares of the match played (0 moves nothing), tau 0 is tau 0,
a bigger margin never moves less, v and w are exact in the tails, and predictions use the curve of the update.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.best_of import best_of
from ratings.core.engine_base import Match
from ratings.core.kernels import weng_lin as kernel
from ratings.core.kernels.gauss import win_expectation
from ratings.core.kernels.logistic import draw_nu_of, expected_score
from ratings.core.parameters import Parameters, parameter
from ratings.core.team_sum import GaussianParameters, TeamSumEngine, plain_match, plain_members, play_order, unordered
from ratings.core.trueskill import tenfold_gap
from ratings.core.types import Signals

MODELS = {
    "PlackettLuce": kernel.PLACKETT_LUCE,
    "BradleyTerryFull": kernel.BRADLEY_TERRY_FULL,
    "BradleyTerryPart": kernel.BRADLEY_TERRY_PART,
    "ThurstoneMostellerFull": kernel.THURSTONE_MOSTELLER_FULL,
    "ThurstoneMostellerPart": kernel.THURSTONE_MOSTELLER_PART,
}
_GAUSSIAN = {kernel.THURSTONE_MOSTELLER_FULL, kernel.THURSTONE_MOSTELLER_PART}


@dataclass(frozen=True, kw_only=True)
class WengLinParameters(GaussianParameters):
    """The Gaussian parameters and which model they serve."""

    model: str = parameter("PlackettLuce", "Which of the five models.", choices=tuple(MODELS))
    kappa: float = parameter(0.0001, "The least share of its variance that a match leaves.", 1e-12, 0.5)
    epsilon: float = parameter(0.1, "Draw margin of Thurstone-Mosteller, on the own scale.", 0, 1e4)
    window: int = parameter(4, "Neighbours on either side in part pairing.", 1, guards.MAX_TEAMS)
    draw_probability: float = parameter(
        0.0, "Chance of a draw between equals; 0 leaves ties to the published model.", 0, 0.95
    )


@dataclass(frozen=True, slots=True)
class Sums:
    """Team sums in play order."""

    mean: list[float]
    var: list[float]
    place: list[float]


class WengLin(TeamSumEngine):
    """Team strength is the sum of its members' skills; beta is the noise of a team."""

    name = "weng_lin"
    parameters_type: ClassVar[type[Parameters]] = WengLinParameters

    @property
    def p(self) -> WengLinParameters:
        """The parameters with their own type."""
        return cast(WengLinParameters, self.parameters)

    @cached_property
    def model(self) -> int:
        """The kernel's number of the model."""
        return MODELS[self.p.model]

    @cached_property
    def draw(self) -> float:
        """Davidson's parameter, or the draw margin of Thurstone-Mosteller."""
        if self.model not in _GAUSSIAN:
            return draw_nu_of(self.p.draw_probability)
        if self.p.draw_probability == 0.0:
            return self.p.epsilon
        return NormalDist().inv_cdf(0.5 * (1.0 + self.p.draw_probability)) * self.stretch * math.sqrt(2.0) * self.p.beta

    @property
    def stretch(self) -> float:
        """The part-paired Thurstone-Mosteller works with twice the noise."""
        return 2.0 if self.model == kernel.THURSTONE_MOSTELLER_PART else 1.0

    @cached_property
    def unit(self) -> float:
        """A four-hundredth of the gap between two certain players at which the prediction is ten to one."""
        c = self.stretch * math.sqrt(2.0) * math.hypot(self.p.beta, self.p.tau)
        if self.model in _GAUSSIAN:
            return tenfold_gap(self.draw / c) * c / 400.0
        half = 4.5 * self.draw
        return 2.0 * math.log(0.5 * (half + math.sqrt(half * half + 40.0))) * c / 400.0

    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """Two teams: the curve of the update. More: Luce's choice, or the chance of being best (Gaussian models)."""
        self.checked_line_up(teams, side, signals)
        offsets = self.offsets(teams, side, signals)
        means = [sum(m.rating for m in t) + o * self.unit for t, o in zip(teams, offsets, strict=True)]
        noisy = [sum(self.drifted(m) for m in t) + self.p.beta**2 for t in teams]
        if len(teams) == 2:
            p = self.pair_expectation(means[0] - means[1], sum(noisy))
            return p, 1.0 - p
        if self.model in _GAUSSIAN:
            return best_of(means, [self.stretch * math.sqrt(v) for v in noisy])
        share = 1.0 if self.model == kernel.PLACKETT_LUCE else 2.0 / len(teams)
        c = math.sqrt(share * sum(noisy))
        best = max(means)
        odds = [math.exp((mean - best) / c) for mean in means]
        return tuple(one / sum(odds) for one in odds)

    def pair_expectation(self, gap: float, c2: float) -> float:
        """Win plus half a draw of the first of two teams."""
        c = self.stretch * math.sqrt(c2)
        if self.model in _GAUSSIAN:
            return win_expectation(gap / c, self.draw / c)
        return expected_score(gap / c, self.draw)

    def kept_at_least(self) -> float:
        """Kappa, the least share of its variance that a match leaves."""
        return self.p.kappa

    def results(self, match: Match, lift: Sequence[float], order: Sequence[int]) -> tuple[list[float], list[float]]:
        """What the model says of each team, in the order of the match."""
        mean, var = self.sums(match, lift, order, 0.0)
        shift, shrink = self.model_result(Sums(mean, var, [float(match.places[i]) for i in order]))
        return unordered(shift, order, len(match.teams)), unordered(shrink, order, len(match.teams))

    def model_result(self, sums: Sums) -> tuple[list[float], list[float]]:
        """Shift and shrink of each team, teams in order of place."""
        count = len(sums.mean)
        shift, shrink = [0.0] * count, [0.0] * count
        if self.model == kernel.PLACKETT_LUCE:
            work = [0.0] * (2 * count)
            kernel.plackett_luce(count, sums.mean, sums.var, sums.place, self.p.beta, self.draw, shift, shrink, work)
        else:
            kernel.pairwise(
                self.model, count, sums.mean, sums.var, sums.place, self.p.beta, self.draw, self.p.window, shift, shrink
            )
        return shift, shrink


def weng_lin_rate(
    teams: Sequence[Sequence[tuple[float, float]]],
    ranks: Sequence[float],
    *,
    model: str,
    beta: float,
    tau: float,
    kappa: float = 0.0001,
    epsilon: float = 0.1,
    weights: Sequence[Sequence[float]] | None = None,
) -> list[list[tuple[float, float]]]:
    """The published update of (mu, sigma) pairs without our bounds, in the shape of `teams`."""
    engine = WengLin(WengLinParameters(model=model, beta=beta, tau=tau, kappa=kappa, epsilon=epsilon))
    match = plain_match(teams, ranks, weights)
    shift, shrink = engine.results(match, match.offsets, play_order(match, None))
    return plain_members(match, tau, shift, shrink, kappa)
