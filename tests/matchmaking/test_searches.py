"""How searches ended, and how long the waits of those were that ended in a match."""

from __future__ import annotations

import pytest

from matchmaking.selectors.searches import searches
from tests.harness.queries import assert_queries
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def found(hall: Hall):
    return searches([hall.world.queue], "Europe/Berlin", None)


def test_nobody_searched_yet(hall: Hall) -> None:
    assert (found(hall).total, found(hall).ends, found(hall).nobody_share) == (None, (), None)


def test_a_wait_is_from_joining_to_the_match_that_everybody_accepted(hall: Hall) -> None:
    alice, bob = hall.world.alice, hall.world.bob
    hall.join(alice)
    hall.later(30)
    hall.join(bob)
    hall.tick(4)
    hall.accept(alice)
    hall.accept(bob)

    waits = found(hall)

    assert waits.total is not None
    assert (waits.total.players, waits.total.half) == (2, pytest.approx((34 + 4) / 2))
    assert [(one.key, one.players) for one in waits.bands] == [(1400, 2)]
    assert [(one.matched, one.nobody) for one in waits.ends] == [(2, 0)]


def test_what_was_waited_before_a_check_that_failed_is_part_of_the_wait(hall: Hall) -> None:
    alice, bob, carol = hall.world.alice, hall.world.bob, hall.world.carol
    hall.join(alice, bob)
    hall.tick()
    hall.accept(alice)
    hall.decline(bob)
    hall.later(60)
    hall.join(carol)
    hall.tick()
    hall.accept(alice)
    hall.accept(carol)

    waits = found(hall)

    assert waits.total is not None
    assert (waits.total.players, waits.total.half) == (2, pytest.approx((62 + 1) / 2))


def test_a_search_that_found_nobody_is_counted_in_its_hour(hall: Hall) -> None:
    hall.rate(hall.world.alice, 2400.0)
    hall.join(hall.world.alice, hall.world.bob)
    joined_hour = hall.now.hour + 1  # Berlin's winter
    hall.tick(301)

    waits = found(hall)

    assert [(one.hour, one.nobody, one.matched) for one in waits.ends] == [(joined_hour, 2, 0)]
    assert waits.nobody_share == 1.0


def test_searches_cost_three_queries(hall: Hall) -> None:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()

    with assert_queries(3, "models with their scales, waits, ends"):
        found(hall)
