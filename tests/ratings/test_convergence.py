"""The rank converges to the rating: the promise of the specification, simulated with fixed seeds."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from ratings.core.visible_rank import DEFAULT_RULES, RankState, Result, apply_result

PLAYERS, MATCHES = 600, 320
TOP = 1500


@dataclass(frozen=True)
class Course:
    """median, slow: matches until within one division for half and for 95% of players. near: share of matches there."""

    median: int
    slow: int
    near: float


@pytest.mark.parametrize(("start", "median", "slow"), [(-500, 30, 50), (500, 40, 75), (-1000, 65, 90), (1000, 75, 115)])
def test_the_rank_comes_within_a_division_of_the_target_and_stays(start: int, median: int, slow: int) -> None:
    course = _simulate(start)

    assert course.median <= median
    assert course.slow <= slow
    assert course.near >= 0.93


def _simulate(start: int) -> Course:
    """Players with a stable rating and even results, beginning `start` points from their target."""
    rng = random.Random(start)
    waits, near, seen = [], 0, 0
    for _ in range(PLAYERS):
        target = rng.randrange(max(-start, 0), TOP)
        distances = _distances(target, start, rng)
        arrived = next((number for number, gap in enumerate(distances, 1) if gap <= 100), MATCHES)
        waits.append(arrived)
        seen += MATCHES - arrived
        near += sum(gap <= 100 for gap in distances[arrived:])
    waits.sort()
    return Course(waits[PLAYERS // 2], waits[PLAYERS * 95 // 100], near / seen)


def _distances(target: int, start: int, rng: random.Random) -> list[int]:
    state, distances = RankState(position=target + start), []
    for _ in range(MATCHES):
        result = Result.WIN if rng.random() < 0.5 else Result.LOSS
        rating = 800.0 + target + 0.5
        state = apply_result(DEFAULT_RULES, state, result, club_rating=rating, deviation=60.0, played=99).state
        assert state.position is not None
        distances.append(abs(state.position - target))
    return distances
