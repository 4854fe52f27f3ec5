"""Fixtures of the door tests. Models are imported late: pytest reads this file before Django has its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ladder.world import World


@pytest.fixture
def world(db: None) -> World:
    """The club at the start of its first season."""
    from tests.ladder.world import build_world

    return build_world()


@pytest.fixture
def shared_world(transactional_db: None) -> World:
    """The same, committed, for tests with several connections."""
    from tests.ladder.world import build_world

    return build_world()
