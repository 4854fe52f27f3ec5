"""The worlds of the other test folders, for faults that others met. Models are imported late: see tests/conftest.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ladder.world import World
    from tests.matchmaking.hall import Hall


@pytest.fixture
def world(db: None) -> World:
    """The club at the start of its first season."""
    from tests.ladder.world import build_world

    return build_world()


@pytest.fixture
def past(db: None) -> World:
    """The club sixty days later, for pages, which read the clock themselves."""
    from tests.web_record.stage import past_world

    return past_world()


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    """The club at play, everybody rated 1500, windows by the quick preset; committed."""
    from tests.ladder.world import build_world
    from tests.matchmaking.hall import Hall

    hall = Hall(build_world())
    hall.preset("quick")
    for player in (hall.world.alice, hall.world.bob, hall.world.carol, hall.world.dave):
        hall.rate(player, 1500.0)
    hall.tick()
    hall.later(1)
    return hall
