"""Fixtures of the pages of figures. Models are imported late: pytest reads this file before Django has its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ladder.world import World


@pytest.fixture
def world(db: None) -> World:
    """A club whose season began sixty days ago, so that everything in it has happened by now."""
    from tests.web_record.stage import past_world

    return past_world()
