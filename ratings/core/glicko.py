"""Glicko and Glicko-2.

Sources: M. E. Glickman, "The Glicko system" (1999) and "Example of the Glicko-2 system" (2013). Own scale: 1500 is
the centre, 400 points are odds of ten to one. Per match by default; `rate_period` takes many games at once.

Teams are rated as a composite: a team stands at the mean rating and the mean square deviation of its members, and
each member moves by the team's surprise in proportion to the own variance. Among three and more teams each pair is
a game, and all games of a match together carry as much information as the same order does under Plackett-Luce.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.engine_base import BaseEngine, Match, replaced, with_deviation
from ratings.core.kernels import glicko as kernel
from ratings.core.kernels.logistic import curve, draw_nu_of, expected_score
from ratings.core.parameters import Parameters, parameter
from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, PeriodGame, PlayerFacts, Signals, Together

SCALE = 400.0 / math.log(10.0)  # 173.7178, points of rating in one unit of logit


@dataclass(frozen=True, kw_only=True)
class GlickoParameters(Parameters):
    """Glicko's parameters, in points of its own scale."""

    rating: float = parameter(1500.0, "Where a newcomer starts.", -5000, 5000)
    deviation: float = parameter(350.0, "How uncertain a newcomer is.", 1, 2000)
    deviation_floor: float = parameter(30.0, "No rating ever counts as more certain than this.", 0.001, 350)
    deviation_ceiling: float = parameter(350.0, "No rating ever counts as less certain than this.", 1, 2000)
    draw_probability: float = parameter(0.0, "Chance of a draw between equals (Davidson); 0: half a win.", 0, 0.95)
    period_days: float = parameter(1.0, "Length of an idle period in days.", 0.01, 3650)
    conservative_k: float = parameter(2.0, "Deviations taken off for the conservative value.", 0, 5)
    c: float = parameter(4.83, "Growth of the deviation per idle period: RD^2 + c^2 t.", 0, 1000)

    def check_together(self) -> None:
        """The floor lies below the ceiling and a newcomer between them."""
        if not self.deviation_floor < self.deviation_ceiling:
            raise RatingInputError("deviation_floor", "must be below deviation_ceiling")
        if not self.deviation_floor <= self.deviation <= self.deviation_ceiling:
            raise RatingInputError("deviation", "must lie between deviation_floor and deviation_ceiling")


@dataclass(frozen=True, kw_only=True)
class Glicko2Parameters(GlickoParameters):
    """Glicko-2's parameters; `c` is not used, the volatility takes its place."""

    period_days: float = parameter(4.7, "Length of an idle period in days.", 0.01, 3650)
    volatility: float = parameter(0.06, "A newcomer's volatility.", 0.000001, 1)
    tau: float = parameter(0.5, "How fast the volatility may change; 0.3 to 1.2 are usual.", 0.01, 3)
    volatility_cap: float = parameter(0.1, "No volatility ever counts as higher than this.", 0.0001, 10)

    def check_together(self) -> None:
        """A newcomer's volatility lies below the cap."""
        super().check_together()
        if self.volatility > self.volatility_cap:
            raise RatingInputError("volatility", "must not be above volatility_cap")


@dataclass(frozen=True, slots=True)
class _Team:
    mu: float
    phi: float


class Glicko(BaseEngine):
    """Rating and deviation."""

    name = "glicko"
    has_periods = True
    parameters_type: ClassVar[type[Parameters]] = GlickoParameters

    @property
    def p(self) -> GlickoParameters:
        """The parameters with their own type."""
        return cast(GlickoParameters, self.parameters)

    @property
    def centre(self) -> float:
        """1500, as published; where newcomers start is a parameter of its own."""
        return 1500.0

    @cached_property
    def unit(self) -> float:
        """1 without draws; with Davidson's draws the expected score is flatter and ten to one lies further away."""
        half = 4.5 * self.nu
        root = 0.5 * (half + math.sqrt(half * half + 40.0))
        return 2.0 * math.log(root) / math.log(10.0)

    @cached_property
    def nu(self) -> float:
        """Davidson's draw parameter."""
        return draw_nu_of(self.p.draw_probability)

    @property
    def conservative_k(self) -> float:
        """A parameter, 2 by default."""
        return self.p.conservative_k

    @cached_property
    def deviation_range(self) -> tuple[float, float]:
        """Parameters both."""
        return self.p.deviation_floor, self.p.deviation_ceiling

    def newcomer(self) -> Belief:
        """Start rating and deviation."""
        return Belief(self.p.rating, self.p.deviation)

    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """Two teams: the curve of the update at the joint deviation. More: Luce's choice on the same strengths."""
        self.checked_line_up(teams, side, signals)
        offsets = self.offsets(teams, side, signals)
        lines = [self._composite(team, (1.0,) * len(team), offset) for team, offset in zip(teams, offsets, strict=True)]
        if len(lines) == 2:
            a, b = lines
            p = expected_score(kernel.discount(math.hypot(a.phi, b.phi)) * (a.mu - b.mu), self.nu)
            return p, 1.0 - p
        g = kernel.discount(math.sqrt(2.0 * sum(line.phi**2 for line in lines) / len(lines)))
        best = max(line.mu for line in lines)
        odds = [math.exp(g * (line.mu - best)) for line in lines]
        return tuple(one / sum(odds) for one in odds)

    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """One match as one rating period of every member."""
        match = self.read_match(teams, ranks, weights, signals, side)
        new = [
            [
                self._moved(member, weight * information, weight * surprise, match.multiplier)
                for member, weight in zip(team, shares, strict=True)
            ]
            for team, shares, (information, surprise) in zip(match.teams, match.weights, self._sums(match), strict=True)
        ]
        return replaced(match, new)

    def _composite(self, team: Sequence[Belief], shares: Sequence[float], offset: float) -> _Team:
        total = sum(shares)
        if total <= 0.0:
            return _Team(0.0, 0.0)
        rating = sum(w * one.rating for w, one in zip(shares, team, strict=True)) / total
        variance = sum(w * (one.deviation or 0.0) ** 2 for w, one in zip(shares, team, strict=True)) / total
        return _Team((rating - 1500.0 + offset * self.unit) / SCALE, math.sqrt(variance) / SCALE)

    def _sums(self, match: Match) -> Iterator[tuple[float, float]]:
        """Information and surprise of each team's games against the others."""
        lines = [self._composite(*one) for one in zip(match.teams, match.weights, match.offsets, strict=True)]
        played = [sum(shares) > 0.0 for shares in match.weights]
        share = kernel.field_share(sum(played))
        for i, line in enumerate(lines):
            information = surprise = 0.0
            for j, other in enumerate(lines):
                if i == j or not (played[i] and played[j]):
                    continue
                g = kernel.discount(other.phi)
                expected, variance = curve(g * (line.mu - other.mu), self.nu)
                score = 0.5 + 0.5 * ((match.places[i] < match.places[j]) - (match.places[i] > match.places[j]))
                information += share * g * g * variance
                surprise += share * g * (score - expected)
            yield information, surprise

    def rate_together(
        self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None
    ) -> Together:
        """Many games as simultaneous, whoever the player is; without games the deviation grows by one period.

        A margin moves the rating further and says nothing about deviation and volatility, as in a single match.
        """
        del facts
        self.checked_games(belief, results)
        games = [self._game_sums(belief.rating, game) for game in results]
        information, surprise = (math.fsum(column) for column in zip(*games, strict=True)) if games else (0.0, 0.0)
        phi, sigma = self._certainty(belief, information, surprise)
        pulls = tuple(
            SCALE * self.margin_multiplier(game.margin) * phi * phi * gained
            for game, (_, gained) in zip(results, games, strict=True)
        )
        return Together(self.held(belief.rating + math.fsum(pulls), SCALE * phi, sigma), pulls)

    def _game_sums(self, rating: float, game: PeriodGame) -> tuple[float, float]:
        """Information and surprise of one game of a period."""
        if min(game.played) <= 0.0:
            return 0.0, 0.0
        g = kernel.discount((game.opponent.deviation or 0.0) / SCALE)
        edge = game.side * self.p.side_advantage * self.unit
        expected, variance = curve(g * (rating + edge - game.opponent.rating) / SCALE, self.nu)
        weight = game.played[0]
        return weight * (g * g * variance), weight * (g * (game.score - expected))

    def _moved(self, belief: Belief, information: float, surprise: float, multiplier: float) -> Belief:
        """The belief after one period of these sums."""
        phi, sigma = self._certainty(belief, information, surprise)
        return self.held(belief.rating + SCALE * multiplier * phi * phi * surprise, SCALE * phi, sigma)

    def _certainty(self, belief: Belief, information: float, surprise: float) -> tuple[float, float | None]:
        """phi and sigma after a period. Glicko: no drift inside a period, idle time is `widen`'s."""
        del surprise
        return kernel.deviation_after((belief.deviation or 0.0) / SCALE, 0.0, information), None

    def widen(self, belief: Belief, idle: float) -> Belief:
        """RD <- min(sqrt(RD^2 + c^2 t), ceiling), t in periods."""
        self.check_belief(belief)
        periods = guards.idle_days(idle) / self.p.period_days
        grown = math.sqrt((belief.deviation or 0.0) ** 2 + self.p.c**2 * periods)
        return with_deviation(belief, min(grown, max(self.p.deviation_ceiling, belief.deviation or 0.0)))


class Glicko2(Glicko):
    """Rating, deviation and volatility."""

    name = "glicko2"
    tracks_volatility = True
    parameters_type: ClassVar[type[Parameters]] = Glicko2Parameters

    @property
    def p(self) -> Glicko2Parameters:
        """The parameters with their own type."""
        return cast(Glicko2Parameters, self.parameters)

    def newcomer(self) -> Belief:
        """Start rating, deviation and volatility."""
        return Belief(self.p.rating, self.p.deviation, self.p.volatility)

    def held(self, rating: float, deviation: float | None, volatility: float | None) -> Belief:
        """Also the volatility within its cap."""
        kept = super().held(rating, deviation, None)
        cap = self.p.volatility_cap
        capped = self.p.volatility if volatility is None else min(guards.finite(volatility, cap), cap)
        return Belief(kept.rating, kept.deviation, capped)

    def _certainty(self, belief: Belief, information: float, surprise: float) -> tuple[float, float | None]:
        """Steps 5 to 7, the volatility capped before it is used."""
        phi = (belief.deviation or 0.0) / SCALE
        sigma = min(belief.volatility or self.p.volatility, self.p.volatility_cap)
        sigma = min(kernel.volatility_after(phi, sigma, information, surprise, self.p.tau), self.p.volatility_cap)
        return kernel.deviation_after(phi, sigma * sigma, information), sigma

    def widen(self, belief: Belief, idle: float) -> Belief:
        """phi^2 grows by sigma^2 for each idle period (step 6); rating and volatility stay."""
        self.check_belief(belief)
        periods = guards.idle_days(idle) / self.p.period_days
        drift = SCALE * min(belief.volatility or 0.0, self.p.volatility_cap)
        grown = math.sqrt((belief.deviation or 0.0) ** 2 + drift**2 * periods)
        return with_deviation(belief, min(grown, max(self.p.deviation_ceiling, belief.deviation or 0.0)))


def glicko_period(
    rating: float, rd: float, games: Sequence[tuple[float, float, float]], *, c: float, periods: float, rd_max: float
) -> tuple[float, float]:
    """The published Glicko period without our bounds. `games` are (opponent rating, opponent rd, score)."""
    rd = min(math.sqrt(rd * rd + c * c * periods), rd_max)
    information, surprise = _published_sums(rating, games)
    phi = kernel.deviation_after(rd / SCALE, 0.0, information)
    return rating + SCALE * phi * phi * surprise, SCALE * phi


def glicko2_period(
    rating: float, rd: float, volatility: float, games: Sequence[tuple[float, float, float]], *, tau: float
) -> tuple[float, float, float]:
    """The published Glicko-2 period without our bounds. `games` are (opponent rating, opponent rd, score)."""
    information, surprise = _published_sums(rating, games)
    sigma = kernel.volatility_after(rd / SCALE, volatility, information, surprise, tau)
    phi = kernel.deviation_after(rd / SCALE, sigma * sigma, information)
    return rating + SCALE * phi * phi * surprise, SCALE * phi, sigma


def _published_sums(rating: float, games: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    information = surprise = 0.0
    for opponent, rd, score in games:
        g = kernel.discount(rd / SCALE)
        expected, variance = curve(g * (rating - opponent) / SCALE, 0.0)
        information += g * g * variance
        surprise += g * (score - expected)
    return information, surprise
