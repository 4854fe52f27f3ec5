"""Pages of the club of tests/ladder/world.py, at the present moment, with signed-in clients.

Models are imported late: pytest reads this file before Django has its database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

if TYPE_CHECKING:
    from ladder.models import Player
    from tests.ladder.world import World


@pytest.fixture
def world(db: None) -> World:
    """The club in the hands of its members; its clock goes on from now."""
    from matchmaking.store import clock
    from tests.ladder.world import build_world

    made = build_world()
    made.now = clock()
    return made


@pytest.fixture
def as_() -> Callable[[Player], Client]:
    """A client signed in as somebody: `as_(world.alice).get(...)`."""

    def signed_in(player: Player) -> Client:
        client = Client()
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in
