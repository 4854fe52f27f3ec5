"""Fixtures of the matchmaking tests. Models are imported late: this file is read before Django has its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.matchmaking.hall import Hall


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    """A club with an open queue that matches by the quick preset; everything is committed."""
    from tests.ladder.world import build_world
    from tests.matchmaking.hall import Hall

    hall = Hall(build_world())
    hall.preset("quick")
    for player in (hall.world.alice, hall.world.bob, hall.world.carol, hall.world.dave):
        hall.rate(player, 1500.0)
    hall.tick()
    hall.later(1)
    return hall
