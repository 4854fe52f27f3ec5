"""Two models' losses match by match: the same blocks for the same matches, and an error that keeps its promise."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.paired import MOST_BLOCKS, Blocks, difference


def blocks_of(losses: list[float], cuts: tuple[int, ...] = ()) -> Blocks:
    """The blocks of these losses, taken in in pieces."""
    found = Blocks()
    for piece in np.split(np.array(losses), list(cuts)):
        found.add(piece)
    return found


@given(st.lists(st.floats(0, 5), max_size=700), st.lists(st.integers(0, 700), max_size=3))
def test_blocks_do_not_depend_on_how_the_history_is_cut(losses: list[float], cuts: list[int]) -> None:
    assert blocks_of(losses).means == blocks_of(losses, tuple(sorted(cuts))).means


@pytest.mark.parametrize(("matches", "size", "blocks"), [(0, 1, 0), (127, 1, 127), (128, 2, 64), (5000, 64, 78)])
def test_any_history_leaves_a_handful_of_blocks(matches: int, size: int, blocks: int) -> None:
    found = blocks_of([0.7] * matches)

    assert (found.size, len(found.means)) == (size, blocks)
    assert len(found.means) < MOST_BLOCKS


def test_a_difference_is_the_mean_of_the_pairs() -> None:
    one = blocks_of([0.5, 0.9] * 30).as_dict()
    other = blocks_of([0.4, 0.6] * 30).as_dict()

    found = difference(one, other)

    assert found is not None
    assert found.mean == pytest.approx(0.2)
    assert found.is_certain


def test_the_same_predictions_do_not_differ() -> None:
    one = blocks_of([0.5, 0.9] * 30).as_dict()

    found = difference(one, one)

    assert found is not None
    assert (found.mean, found.error, found.is_certain) == (0.0, 0.0, False)


def test_other_matches_too_few_or_none_are_not_compared() -> None:
    long, short, few = (blocks_of([0.5] * count).as_dict() for count in (60, 59, 10))

    assert difference(long, short) is None
    assert difference(few, few) is None
    assert difference(long, None) is None


def test_chance_is_called_a_difference_one_time_in_twenty_and_a_real_one_nearly_always() -> None:
    rng = random.Random(3)

    def certain(gap: float) -> bool:
        base = [rng.uniform(0.2, 1.2) for _match in range(2000)]
        one = blocks_of([loss + gap + rng.gauss(0.0, 0.15) for loss in base]).as_dict()
        found = difference(one, blocks_of(base).as_dict())
        assert found is not None
        return found.is_certain

    assert sum(certain(0.0) for _run in range(200)) <= 22
    assert sum(certain(0.02) for _run in range(50)) == 50
