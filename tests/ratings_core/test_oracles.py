"""Equality with public libraries on random input, where those are right.

Left out, and why (all seen in the pinned versions):
openskill 6.2.0: weights (stretched to 1..2), margins (backwards for an upset), tau 0 (taken as not given), the
asymptotes of v and vt in the far tails (about 1 % off), predictions (another beta than its updates).
trueskill 0.4.5: weight 0 (raised to 0.0001), results of three and more teams beyond its 10 sweeps.
"""

import random

import pytest
import trueskill
from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from ratings.core.trueskill import trueskill_rate
from ratings.core.weng_lin import MODELS, weng_lin_rate

Teams = list[list[tuple[float, float]]]
OPENSKILL = {
    kind.__name__: kind
    for kind in (PlackettLuce, BradleyTerryFull, BradleyTerryPart, ThurstoneMostellerFull, ThurstoneMostellerPart)
}


def random_teams(rng: random.Random, count: int, spread: float) -> Teams:
    return [[(rng.gauss(25, spread), rng.uniform(0.5, 9.0)) for _ in range(rng.randint(1, 4))] for _ in range(count)]


def even_teams(rng: random.Random, count: int) -> Teams:
    """Teams of one size and close skills: openskill's v and vt leave the published curve in the tails."""
    size = rng.randint(1, 4)
    return [[(rng.gauss(25, 1.0), rng.uniform(0.5, 9.0)) for _ in range(size)] for _ in range(count)]


def flat(teams: Teams) -> list[float]:
    return [number for team in teams for one in team for number in one]


@pytest.mark.parametrize("model", MODELS)
def test_weng_lin_equals_openskill(model: str) -> None:
    rng = random.Random(model)
    for _ in range(150):
        count = rng.randint(2, 6)
        teams = even_teams(rng, count) if model.startswith("Thurstone") else random_teams(rng, count, spread=4.0)
        ranks = [rng.randint(1, 4) for _ in teams]
        oracle = OPENSKILL[model](tau=25 / 300)
        rated = oracle.rate([[oracle.rating(*one) for one in team] for team in teams], ranks=ranks)

        ours = weng_lin_rate(teams, ranks, model=model, beta=25 / 6, tau=25 / 300)

        expected = [[(one.mu, one.sigma) for one in team] for team in rated]
        assert flat(ours) == pytest.approx(flat(expected), abs=1e-9)


def oracle_rate(
    environment: trueskill.TrueSkill, teams: Teams, ranks: list[int], weights: list[list[float]] | None = None
) -> list[float]:
    groups = [tuple(trueskill.Rating(*one) for one in team) for team in teams]
    rated = environment.rate(groups, ranks=ranks, weights=weights, min_delta=1e-15)
    return [float(number) for team in rated for one in team for number in (one.mu, one.sigma)]


@pytest.mark.parametrize("draw_probability", [0.0, 0.1, 0.4])
def test_trueskill_equals_trueskill_for_two_teams(draw_probability: float) -> None:
    rng = random.Random(draw_probability)
    environment = trueskill.TrueSkill(draw_probability=draw_probability, backend="mpmath")
    for _ in range(60):
        teams = random_teams(rng, 2, spread=6.0)
        ranks = rng.choice([[0, 1], [1, 0], [0, 0]] if draw_probability else [[0, 1], [1, 0]])
        weights = [[rng.uniform(0.1, 1.0) for _ in team] for team in teams]

        ours = trueskill_rate(
            teams, ranks, beta=25 / 6, tau=25 / 300, draw_probability=draw_probability, weights=weights
        )

        assert flat(ours) == pytest.approx(oracle_rate(environment, teams, ranks, weights), abs=1e-9)


def test_trueskill_equals_trueskill_for_three_teams_as_far_as_its_ten_sweeps_go() -> None:
    rng = random.Random(3)
    environment = trueskill.TrueSkill(backend="mpmath")
    for _ in range(15):
        teams = [team[:1] for team in random_teams(rng, 3, spread=3.0)]
        ranks = [0, 1, 2]

        ours = trueskill_rate(teams, ranks, beta=25 / 6, tau=25 / 300, draw_probability=0.1)

        assert flat(ours) == pytest.approx(oracle_rate(environment, teams, ranks), abs=2e-4)
