"""Elo: expected = 1 / (1 + 10^((Rb - Ra) / 400)), change = K (score - expected). Fractions are kept.

Teams stand at the average of those who played, and every member of a team changes alike; a team of more members than
the other divides the same change among them, so that points are conserved whenever all K are equal. Among three and
more teams each pair is a game and counts 1 / (teams - 1): K does not grow with the number of players.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.engine_base import BaseEngine, Match, replaced
from ratings.core.kernels.elo import logit, with_minimum
from ratings.core.kernels.logistic import draw_nu_of, expected_score
from ratings.core.parameters import Parameters, parameter
from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, PeriodGame, PlayerFacts, Signals, Together


@dataclass(frozen=True, kw_only=True)
class EloParameters(Parameters):
    """Elo's parameters, in points."""

    rating: float = parameter(1500.0, "Where a newcomer starts.", -5000, 5000)
    k: float = parameter(32.0, "How far one match can move a rating.", 0.001, 1000)
    provisional_games: int = parameter(0, "Matches for which a newcomer's K applies; 0 is never.", 0, 10_000)
    provisional_k: float = parameter(64.0, "A newcomer's K.", 0.001, 1000)
    minimum_change: float = parameter(0.0, "A decided match moves at least this much.", 0, 100)
    draw_probability: float = parameter(0.0, "Chance of a draw between equals (Davidson); 0: half a win.", 0, 0.95)


class Elo(BaseEngine):
    """A single number per player."""

    name = "elo"
    max_teams = 1000
    tracks_deviation = False
    has_periods = True
    parameters_type: ClassVar[type[Parameters]] = EloParameters

    @property
    def p(self) -> EloParameters:
        """The parameters with their own type."""
        return cast(EloParameters, self.parameters)

    @property
    def centre(self) -> float:
        """Where a newcomer starts."""
        return self.p.rating

    @cached_property
    def nu(self) -> float:
        """Davidson's draw parameter."""
        return draw_nu_of(self.p.draw_probability)

    @cached_property
    def unit(self) -> float:
        """1 without draws; with them ten to one lies further away."""
        half = 4.5 * self.nu
        return 2.0 * math.log(0.5 * (half + math.sqrt(half * half + 40.0))) / math.log(10.0)

    @property
    def conservative_k(self) -> float:
        """There is no deviation to take off."""
        return 0.0

    @property
    def deviation_range(self) -> tuple[float, float]:
        """There is none."""
        return 0.0, 0.0

    def newcomer(self) -> Belief:
        """The start rating."""
        return Belief(self.p.rating)

    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """Two teams: the expected score. More: Luce's choice on the same scale."""
        self.checked_line_up(teams, side, signals)
        offsets = self.offsets(teams, side, signals)
        means = [sum(m.rating for m in t) / len(t) + o * self.unit for t, o in zip(teams, offsets, strict=True)]
        if len(teams) == 2:
            p = self.score_expected(means[0] - means[1])
            return p, 1.0 - p
        best = max(means)
        odds = [math.exp(logit(mean - best)) for mean in means]
        return tuple(one / sum(odds) for one in odds)

    def score_expected(self, gap: float) -> float:
        """Expected score at a rating gap."""
        return expected_score(logit(gap), self.nu)

    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """New ratings; a member who played a share of the match takes that share of the change."""
        match = self.read_match(teams, ranks, weights, signals, side)
        surprises = self._surprises(match)
        new = [
            [
                self.held(one.rating + weight * self.k_of(signals, i, j) * match.multiplier * surprises[i], None, None)
                for j, (one, weight) in enumerate(zip(team, match.weights[i], strict=True))
            ]
            for i, team in enumerate(match.teams)
        ]
        return replaced(match, new)

    def k_of(self, signals: Signals | None, team: int, member: int) -> float:
        """A member's K. Provisional K needs to know how many matches everybody has played."""
        if self.p.provisional_games == 0:
            return self.p.k
        if signals is None or signals.games is None:
            raise RatingInputError("signals.games", "is needed for a provisional K")
        return self.k_after(int(signals.games[team][member]))

    def k_after(self, games: int) -> float:
        """K of a player with so many matches."""
        return self.p.provisional_k if games < self.p.provisional_games else self.p.k

    def _surprises(self, match: Match) -> list[float]:
        """Per team: score minus expectation, the mean over opponents, as each of its members takes it."""
        sizes = [sum(shares) for shares in match.weights]
        means = [
            sum(w * m.rating for w, m in zip(shares, team, strict=True)) / size + offset * self.unit if size else 0.0
            for shares, team, size, offset in zip(match.weights, match.teams, sizes, match.offsets, strict=True)
        ]
        present = [i for i, size in enumerate(sizes) if size > 0.0]
        surprises = [0.0] * len(sizes)
        for i in present:
            for j in present:
                if i == j:
                    continue
                score = 0.5 + 0.5 * ((match.places[i] < match.places[j]) - (match.places[i] > match.places[j]))
                surprise = with_minimum(
                    score - self.score_expected(means[i] - means[j]), score, self.p.minimum_change / self.p.k
                )
                surprises[i] += surprise * min(sizes[i], sizes[j]) / sizes[i] / (len(present) - 1)
        return surprises

    def rate_together(
        self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None
    ) -> Together:
        """The changes of simultaneous games, added up; K is that of the matches played before the period."""
        self.checked_games(belief, results)
        if self.p.provisional_games and facts is None:
            raise RatingInputError("facts", "are needed for a provisional K")
        k = self.k_after(facts.games) if facts is not None else self.p.k
        pulls = tuple(k * self._game_surprise(belief.rating, game) for game in results)
        return Together(self.held(belief.rating + math.fsum(pulls), None, None), pulls)

    def _game_surprise(self, rating: float, game: PeriodGame) -> float:
        """Score minus expectation of one game of a period, as its margin and the shares played make it count."""
        edge = game.side * self.p.side_advantage * self.unit
        surprise = game.score - self.score_expected(rating + edge - game.opponent.rating)
        counted = with_minimum(surprise, game.score, self.p.minimum_change / self.p.k)
        return min(game.played) * self.margin_multiplier(game.margin) * counted

    def widen(self, belief: Belief, idle: float) -> Belief:
        """Nothing: Elo does not know how sure it is."""
        self.check_belief(belief)
        guards.idle_days(idle)
        return belief


def elo_expected(rating: float, opponent: float) -> float:
    """Expected score of `rating` against `opponent`."""
    return expected_score(logit(rating - opponent), 0.0)


def elo_update(rating_a: float, rating_b: float, *, k_a: float, k_b: float, score_a: float) -> tuple[float, float]:
    """Both new ratings after one game; `score_a` is 1, 0.5 or 0."""
    surprise = score_a - elo_expected(rating_a, rating_b)
    return rating_a + k_a * surprise, rating_b - k_b * surprise
