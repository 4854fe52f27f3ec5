"""Fixtures of the ledger's tests. Models are imported inside: this file is read before Django is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ratings.world import World


@pytest.fixture
def world(db: None) -> World:
    """A club with the standard rules."""
    from tests.ratings.world import make_world

    return make_world()


@pytest.fixture
def quick_world(db: None) -> World:
    """A club without placement."""
    from tests.ratings.world import QUICK, make_world

    return make_world(QUICK)


@pytest.fixture
def shared_world(transactional_db: None) -> World:
    """A club that other threads see."""
    from tests.ratings.world import make_world

    return make_world()
