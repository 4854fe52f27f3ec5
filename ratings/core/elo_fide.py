"""The rating of FIDE, Handbook B.02 in force from 1 March 2024, 8.3.1 as amended from 1 October 2025.

Sums are kept in hundredths as exact fractions and rounded once per period, half away from zero.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, cast

from ratings.core import guards
from ratings.core.engine_base import BaseEngine, replaced
from ratings.core.parameters import Parameters, parameter
from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, PeriodGame, PlayerFacts, Signals, Together

FLOOR = 1400  # below it a player has no published rating; the arithmetic goes on
MOST_INITIAL = 2200
LEAST_INITIAL_GAMES = 5
_HYPOTHETICAL = (1800, 1800)
_GAP = 400
_FULL_GAP_FROM = 2650
_MOST_K_TIMES_GAMES = 700
_TENFOLD_GAP = 200.0 * math.sqrt(2.0) * 1.3351777361189363  # where the normal curve behind the table is ten to one

# Table 8.1.2: the largest difference for which the higher-rated player is expected to score .50, .51, ... .99.
_LARGEST_DIFFERENCE = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
    197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517,
    559, 619, 735,
)  # fmt: skip

# Table 8.1.1: the difference that a score of .50, .51, ... 1.00 stands for.
_DIFFERENCE = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184,
    193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501,
    538, 589, 677, 800,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FideParameters(Parameters):
    """What a club may choose; the rest is the Handbook's."""

    rating: float = parameter(1500.0, "Where a newcomer without a first rating stands.", 0, 4000)
    full_difference_from_2650: bool = parameter(
        True, "From 1 October 2025: a player of 2650 or more keeps gaps above 400 as they are."
    )
    first_rating: bool = parameter(
        False, "A newcomer's first five games make a first rating; needs rating periods. Off: they change the start."
    )


@dataclass(frozen=True, slots=True)
class FidePeriod:
    """A period's arithmetic: K after the limit of 700, score minus expectation per game, and the rounded change."""

    k_used: int
    deltas: tuple[Fraction, ...]

    @property
    def sum_delta(self) -> Fraction:
        """Score minus expectation, added up."""
        return sum(self.deltas, Fraction(0))

    @property
    def change(self) -> int:
        """K times the sum, rounded once, half away from zero."""
        return away_from_zero(self.k_used * self.sum_delta)


def expected_hundredths(difference: float) -> int:
    """Table 8.1.2: the expected score in hundredths at a rating difference (rounded to whole points first)."""
    size = math.floor(abs(difference) + 0.5)
    higher = 50 + bisect_left(_LARGEST_DIFFERENCE, size)
    return higher if difference >= 0 else 100 - higher


def k_factor(rating: float, facts: PlayerFacts) -> int:
    """8.3.3: 40 for the first 30 games, 10 for good once 2400 was reached, 40 for juniors below 2300, else 20."""
    if facts.games < 30:
        return 40
    if facts.has_reached_2400:
        return 10
    return 40 if facts.under_18_until_year_end and rating < 2300 else 20


def counted_gap(rating: float, opponent: float, *, full_difference_from_2650: bool) -> float:
    """8.3.1: own minus the opponent's rating; more than 400 counts as 400, not for the own side from 2650 on."""
    gap = rating - opponent
    if full_difference_from_2650 and rating >= _FULL_GAP_FROM:
        return gap
    return min(max(gap, -_GAP), _GAP)


def period(
    rating: float,
    k: int,
    games: Sequence[tuple[float, float]],
    *,
    full_difference_from_2650: bool,
    factors: Sequence[Fraction] | None = None,
) -> FidePeriod:
    """8.3.1 to 8.3.4 for games of (opponent, score); `factors` make games count more or less than the Handbook does."""
    counts = [Fraction(1)] * len(games) if factors is None else factors
    deltas = []
    for (opponent, score), factor in zip(games, counts, strict=True):
        gap = counted_gap(rating, opponent, full_difference_from_2650=full_difference_from_2650)
        deltas.append(factor * (Fraction(score) - Fraction(expected_hundredths(gap), 100)))
    played = sum(1 for factor in counts if factor)
    used = k if k * played <= _MOST_K_TIMES_GAMES else _MOST_K_TIMES_GAMES // played
    return FidePeriod(used, tuple(deltas))


def initial_rating(opponents: Sequence[float], score: float) -> int:
    """8.2: the first rating, from the average of the opponents and two more of 1800, each drawn; at most 2200."""
    if len(opponents) < LEAST_INITIAL_GAMES:
        raise RatingInputError("opponents", f"must be at least {LEAST_INITIAL_GAMES} games, got {len(opponents)}")
    guards.number("score", score, 0.0, float(len(opponents)))
    field = [Fraction(guards.number("opponents", one)) for one in opponents] + [Fraction(one) for one in _HYPOTHETICAL]
    average = away_from_zero(sum(field, Fraction(0)) / len(field))
    hundredths = away_from_zero((Fraction(score) + 1) * 100 / len(field))
    gap = _DIFFERENCE[hundredths - 50] if hundredths >= 50 else -_DIFFERENCE[50 - hundredths]
    return min(average + gap, MOST_INITIAL)


def away_from_zero(value: Fraction) -> int:
    """Rounded to a whole number, halves away from zero."""
    size = math.floor(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


class EloFide(BaseEngine):
    """Elo as FIDE applies it. Meant for periods; a single match is a period of one game."""

    name = "elo_fide"
    tracks_deviation = False
    has_periods = True
    parameters_type: ClassVar[type[Parameters]] = FideParameters

    @property
    def p(self) -> FideParameters:
        """The parameters with their own type."""
        return cast(FideParameters, self.parameters)

    @property
    def centre(self) -> float:
        """1500 stands at the club scale's centre."""
        return 1500.0

    @property
    def unit(self) -> float:
        """The table follows a normal curve, on which ten to one lies at 378 points."""
        return _TENFOLD_GAP / 400.0

    @property
    def wants_first_games(self) -> int:
        """Five, where the club wants first ratings."""
        return LEAST_INITIAL_GAMES if self.p.first_rating else 0

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
        """By the table, on team averages. Three and more teams: the mean over the pairs, which adds up to 1."""
        self.checked_line_up(teams, side, signals)
        offsets = self.offsets(teams, side, signals)
        means = [sum(m.rating for m in t) / len(t) + o * self.unit for t, o in zip(teams, offsets, strict=True)]
        pairs = len(teams) * (len(teams) - 1) / 2
        shares = [
            sum(expected_hundredths(mean - other) for j, other in enumerate(means) if j != i)
            for i, mean in enumerate(means)
        ]
        return tuple(share / 100 / pairs for share in shares)

    def update(
        self,
        teams: guards.Teams,
        ranks: Sequence[float],
        weights: Sequence[Sequence[float]] | None = None,
        signals: Signals | None = None,
        side: int | None = None,
    ) -> tuple[tuple[Belief, ...], ...]:
        """Every member plays each other team's average, as one period; without facts K is that of 30 games and more."""
        match = self.read_match(teams, ranks, weights, signals, side)
        facts = None if signals is None else signals.facts
        present = [i for i, shares in enumerate(match.weights) if sum(shares) > 0.0]
        new = []
        for i, team in enumerate(match.teams):
            games = [(Fraction(match.places[i] < match.places[j]) - Fraction(match.places[i] > match.places[j]) + 1) / 2
                     for j in present if j != i]  # fmt: skip
            others = [self._average(match.teams[j], match.weights[j], match.offsets[j]) for j in present if j != i]
            own = match.offsets[i] * self.unit
            row = []
            for j, one in enumerate(team):
                about = PlayerFacts(games=30) if facts is None else facts[i][j]
                change = self._change(one.rating, own, list(zip(others, games, strict=True)), about)
                share = Fraction(match.weights[i][j]) * Fraction(match.multiplier) / max(len(others), 1)
                row.append(self.held(one.rating + away_from_zero(change * share), None, None))
            new.append(row)
        return replaced(match, new)

    def _average(self, team: Sequence[Belief], shares: Sequence[float], offset: float) -> float:
        total = sum(w * one.rating for w, one in zip(shares, team, strict=True))
        return total / sum(shares) + offset * self.unit

    def _change(
        self, rating: float, own: float, games: Sequence[tuple[float, Fraction]], facts: PlayerFacts
    ) -> Fraction:
        k = k_factor(rating, facts)
        against = [(opponent - own, float(score)) for opponent, score in games]
        done = period(rating, k, against, full_difference_from_2650=self.p.full_difference_from_2650)
        return k * done.sum_delta

    def rate_together(
        self, belief: Belief, results: Sequence[PeriodGame], facts: PlayerFacts | None = None
    ) -> Together:
        """A period's games at once, rounded once. Without facts K is that of 30 games and more.

        A newcomer's games pull at nothing where first ratings are wanted: from the fifth on they make one together.
        """
        self.checked_games(belief, results)
        if not results:
            return Together(belief, ())
        if facts is not None and facts.games < self.wants_first_games:
            return Together(self._first(belief, (*facts.first_games, *results)), (0.0,) * len(results))
        edge = self.p.side_advantage * self.unit
        done = period(
            belief.rating,
            k_factor(belief.rating, facts or PlayerFacts(games=30)),
            [(game.opponent.rating - game.side * edge, game.score) for game in results],
            full_difference_from_2650=self.p.full_difference_from_2650,
            factors=[self._factor(game) for game in results],
        )
        after = self.held(belief.rating + done.change, None, None)
        return Together(after, tuple(float(done.k_used * delta) for delta in done.deltas))

    def _first(self, belief: Belief, games: Sequence[PeriodGame]) -> Belief:
        """The first rating, once there are games enough; until then what was believed before."""
        counted = [game for game in games if min(game.played) > 0.0]
        if len(counted) < LEAST_INITIAL_GAMES:
            return belief
        rating = initial_rating([game.opponent.rating for game in counted], sum(game.score for game in counted))
        return self.held(float(rating), None, None)

    def _factor(self, game: PeriodGame) -> Fraction:
        """How much a game counts, 1 for one that was played whole and whose margin does not matter."""
        if min(game.played) <= 0.0:
            return Fraction(0)
        return Fraction(game.played[0]) * Fraction(self.margin_multiplier(game.margin))

    def widen(self, belief: Belief, idle: float) -> Belief:
        """Nothing: FIDE's rating does not know how sure it is."""
        self.check_belief(belief)
        guards.idle_days(idle)
        return belief
