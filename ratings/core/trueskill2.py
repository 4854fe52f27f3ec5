"""TrueSkill 2, as far as its signals are public: T. Minka, R. Cleven, Y. Zaykov, "TrueSkill 2: an improved Bayesian
skill rating system" (Microsoft Research, 2018). The name is a trade mark of Microsoft.

On top of TrueSkill: experience offset, squad offset (`party_offset`), quit penalty, an individual figure as a bounded
extra observation, and correlated modes. Each is off by default, because players chase what is measured; with all of
them off this is TrueSkill to the last bit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.kernels import trueskill2 as kernel
from ratings.core.parameters import Parameters, parameter
from ratings.core.problems import RatingInputError
from ratings.core.trueskill import TrueSkill, TrueSkillParameters
from ratings.core.types import Belief, Signals

Teams = tuple[tuple[Belief, ...], ...]


@dataclass(frozen=True, kw_only=True)
class TrueSkill2Parameters(TrueSkillParameters):
    """TrueSkill's parameters and a weight for each signal."""

    experience_offset: float = parameter(
        0.0, "Points by which a newcomer's first performances differ from the own skill.", -1000, 1000
    )
    experience_games: float = parameter(30.0, "Matches after which that has faded to a third.", 1, 1000)
    quit_penalty: float = parameter(0.0, "Points that leaving before the end costs on top.", 0, 200)
    performance_weight: float = parameter(0.0, "Weight of an individual figure against the result.", 0, 1)
    performance_cap: float = parameter(40.0, "The most points that one individual figure may move.", 0, 400)
    mode_correlation: float = parameter(0.0, "Share of a change that another mode of the game takes over.", 0, 1)


class TrueSkill2(TrueSkill):
    """TrueSkill with signals."""

    name = "trueskill2"
    parameters_type: ClassVar[type[Parameters]] = TrueSkill2Parameters

    @property
    def q(self) -> TrueSkill2Parameters:
        """The parameters with their own type."""
        return cast(TrueSkill2Parameters, self.parameters)

    def expected(
        self, teams: guards.Teams, side: int | None = None, signals: Signals | None = None
    ) -> tuple[float, ...]:
        """TrueSkill's, with everybody performing as the experience says."""
        self.checked_line_up(teams, side, signals)
        return super().expected(self._lifted(teams, signals, 1.0), side, signals)

    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> Teams:
        """TrueSkill's, then the individual figures, then what quitting costs."""
        match = self.read_match(teams, ranks, weights, signals, side)
        performing = super().update(self._lifted(teams, signals, 1.0), ranks, weights, signals, side)
        new = self._lifted(performing, signals, -1.0)
        if signals is None:
            return new
        if signals.performance is not None and self.q.performance_weight > 0.0:
            new = self._seen(new, signals.performance, match.weights)
        if signals.quits is not None and self.q.quit_penalty > 0.0:
            new = self._penalised(new, signals.quits, match.weights)
        return new

    def _lifted(self, teams: guards.Teams, signals: Signals | None, sign: float) -> Teams:
        """Skills turned into performances (sign 1) or back (-1)."""
        if self.q.experience_offset == 0.0:
            return tuple(map(tuple, teams))
        if signals is None or signals.games is None:
            raise RatingInputError("signals.games", "is needed for an experience offset")
        offset = sign * self.q.experience_offset * self.unit
        return tuple(
            tuple(
                Belief(one.rating + kernel.experience_lift(games, offset, self.q.experience_games), one.deviation)
                for one, games in zip(team, row, strict=True)
            )
            for team, row in zip(teams, signals.games, strict=True)
        )

    def _seen(
        self, teams: Teams, figures: Sequence[Sequence[float | None]], weights: Sequence[Sequence[float]]
    ) -> Teams:
        """Every figure as one bounded observation of a skill around the mean of the match."""
        members = [one for team in teams for one in team]
        shares = [share for row in weights for share in row]
        known = [math.nan if figure is None else figure for row in figures for figure in row]
        scores = [figure if share > 0.0 else math.nan for figure, share in zip(known, shares, strict=True)]
        if kernel.standard_scores(len(scores), scores, scores) == 0:
            return teams
        level = sum(one.rating for one in members) / len(members)
        remaining = iter(scores)
        return tuple(tuple(self._observed(one, level, next(remaining)) for one in team) for team in teams)

    def _observed(self, one: Belief, level: float, score: float) -> Belief:
        if math.isnan(score):
            return one
        rating, variance = kernel.observed(
            one.rating,
            (one.deviation or 0.0) ** 2,
            level,
            score,
            self.q.beta,
            self.q.performance_weight,
            self.q.performance_cap * self.unit,
        )
        return self.held(rating, math.sqrt(variance), None)

    def _penalised(self, teams: Teams, quits: Sequence[Sequence[bool]], weights: Sequence[Sequence[float]]) -> Teams:
        cost = self.q.quit_penalty * self.unit
        return tuple(
            tuple(
                self.held(one.rating - cost, one.deviation, None) if left and share > 0.0 else one
                for one, left, share in zip(team, row, shares, strict=True)
            )
            for team, row, shares in zip(teams, quits, weights, strict=True)
        )

    def carried(self, other_mode: Belief, before: Belief, after: Belief) -> Belief:
        """The belief in another mode of the same game after a change in this one: the correlated share of the move."""
        for one in (other_mode, before, after):
            self.check_belief(one)
        share = self.q.mode_correlation * (after.rating - before.rating)
        return self.held(other_mode.rating + share, other_mode.deviation, None)
