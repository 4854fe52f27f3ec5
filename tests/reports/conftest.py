"""Fixtures of the tests of stored reports. Models are imported late: pytest reads this file before Django is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ladder.world import World


@pytest.fixture
def world(db: None) -> World:
    """The club in its first season, begun sixty days ago."""
    from tests.web_record.stage import past_world

    return past_world()


@pytest.fixture
def shared_world(transactional_db: None) -> World:
    """The same, committed, for tests with several connections."""
    from tests.web_record.stage import past_world

    return past_world()
