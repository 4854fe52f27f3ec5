"""TrueSkill, after the published equations (R. Herbrich, T. Minka, T. Graepel, NIPS 2006). The name is a trade mark
of Microsoft; this is our own implementation of the paper.

Own scale: mu 25, sigma 25/3. Teams of any sizes, draws, partial play; three and more teams by message passing along
the chain of neighbours until it settles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.best_of import best_of
from ratings.core.engine_base import Match
from ratings.core.kernels import trueskill as kernel
from ratings.core.kernels.gauss import win_expectation
from ratings.core.parameters import Parameters, parameter
from ratings.core.team_sum import GaussianParameters, TeamSumEngine, plain_match, plain_members, play_order, unordered
from ratings.core.types import Signals

_TENFOLD = 10.0 / 11.0


@dataclass(frozen=True, kw_only=True)
class TrueSkillParameters(GaussianParameters):
    """The Gaussian parameters and the chance of a draw."""

    draw_probability: float = parameter(0.10, "Chance of a draw between equals.", 0, 0.95)


def draw_margin(draw_probability: float, beta: float, players: int) -> float:
    """The margin within which a match of `players` equals ends drawn: beta sqrt(n) Phi^-1((1 + p) / 2)."""
    if draw_probability == 0.0:
        return 0.0
    return beta * math.sqrt(players) * NormalDist().inv_cdf(0.5 * (1.0 + draw_probability))


class TrueSkill(TeamSumEngine):
    """Team strength is the sum of its members' performances, each varying by beta."""

    name = "trueskill"
    max_teams = 64  # beyond about 60 ranks the chain of neighbours says more than the race does
    parameters_type: ClassVar[type[Parameters]] = TrueSkillParameters

    @property
    def p(self) -> TrueSkillParameters:
        """The parameters with their own type."""
        return cast(TrueSkillParameters, self.parameters)

    @cached_property
    def unit(self) -> float:
        """A four-hundredth of the gap between two certain players at which the prediction is ten to one."""
        return tenfold_gap(0.0) * math.sqrt(2.0) * math.hypot(self.p.beta, self.p.tau) / 400.0

    def margin_between(self, size_a: int, size_b: int) -> float:
        """Draw margin between teams of these sizes."""
        return draw_margin(self.p.draw_probability, self.p.beta, size_a + size_b)

    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """The chance of performing best; close performances, which end drawn, count for the better of the two."""
        self.checked_line_up(teams, side, signals)
        offsets = self.offsets(teams, side, signals)
        means = [sum(m.rating for m in t) + o * self.unit for t, o in zip(teams, offsets, strict=True)]
        variances = [sum(self.drifted(m) + self.p.beta**2 for m in t) for t in teams]
        if len(teams) > 2:
            return best_of(means, [math.sqrt(v) for v in variances])
        p = win_expectation((means[0] - means[1]) / math.sqrt(sum(variances)), 0.0)
        return p, 1.0 - p

    def quality(self, teams: guards.Teams) -> float:
        """The published match quality of two teams: the chance of a draw relative to that of a perfect match.

        Not a probability of a draw: see `draw_chance`.
        """
        gap, variance, noise = self._two(teams)
        return math.sqrt(noise / (noise + variance)) * math.exp(-0.5 * gap * gap / (noise + variance))

    def draw_chance(self, teams: guards.Teams) -> float:
        """The model's own chance that two teams draw."""
        gap, variance, noise = self._two(teams)
        c = math.sqrt(variance + noise)
        margin = self.margin_between(len(teams[0]), len(teams[1]))
        return NormalDist().cdf((margin - gap) / c) - NormalDist().cdf((-margin - gap) / c)

    def _two(self, teams: guards.Teams) -> tuple[float, float, float]:
        self.checked_line_up(teams, None, None)
        a, b = teams
        gap = sum(m.rating for m in a) - sum(m.rating for m in b)
        variance = sum((m.deviation or 0.0) ** 2 for m in (*a, *b))
        return gap, variance, (len(a) + len(b)) * self.p.beta**2

    def results(self, match: Match, lift: Sequence[float], order: Sequence[int]) -> tuple[list[float], list[float]]:
        """Closed form for two teams, the settled chain for more."""
        mean, var = self.sums(match, lift, order, self.p.beta**2)
        sizes = [len(match.teams[i]) for i in order]
        places = [match.places[i] for i in order]
        margins = [self.margin_between(*pair) for pair in pairwise(sizes)]
        shift, shrink = chain(mean, var, margins, places)
        return unordered(shift, order, len(match.teams)), unordered(shrink, order, len(match.teams))


def chain(
    mean: list[float], var: list[float], margins: list[float], places: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Shift and shrink of each team, teams in order of place."""
    drawn = [1.0 if a == b else 0.0 for a, b in pairwise(places)]
    if len(mean) == 2:
        shift, shrink = kernel.pair_result(mean[0] - mean[1], var[0] + var[1], margins[0], drawn[0])
        return [shift, -shift], [shrink, shrink]
    count = len(mean)
    shifts, shrinks = [0.0] * count, [0.0] * count
    kernel.chain_result(count, mean, var, margins, drawn, shifts, shrinks, [0.0] * (4 * count))
    return shifts, shrinks


def tenfold_gap(margin: float) -> float:
    """The t at which win plus half a draw is ten to one, given the margin in the same unit."""
    low, high = 0.0, 40.0 + margin
    for _ in range(200):
        middle = 0.5 * (low + high)
        if win_expectation(middle, margin) < _TENFOLD:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def trueskill_rate(
    teams: Sequence[Sequence[tuple[float, float]]],
    ranks: Sequence[float],
    *,
    beta: float,
    tau: float,
    draw_probability: float,
    weights: Sequence[Sequence[float]] | None = None,
) -> list[list[tuple[float, float]]]:
    """The published update of (mu, sigma) pairs without our bounds, in the shape of `teams`."""
    engine = TrueSkill(TrueSkillParameters(beta=beta, tau=tau, draw_probability=draw_probability))
    match = plain_match(teams, ranks, weights)
    shift, shrink = engine.results(match, match.offsets, play_order(match, None))
    return plain_members(match, tau, shift, shrink, 0.0)
