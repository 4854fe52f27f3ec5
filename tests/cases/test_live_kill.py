"""Invariant 12 with real processes: a killed worker and an emptied store, which is the broker too, lose no result."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.harness.live import LiveApp
from tests.matchmaking.crash import empty_the_store
from tests.matchmaking.test_live_recovery import soon

if TYPE_CHECKING:
    from tests.ladder.world import World


@pytest.fixture
def live_world(live_db: None) -> World:
    """The club at the present moment, as the live processes see it."""
    from tests.ladder.world import build_world

    world = build_world(timezone.now() - timedelta(hours=1))
    world.now = timezone.now()
    return world


def test_invariant_12_results_confirmed_around_a_killed_worker_are_all_rated_once(
    live_app: LiveApp, live_world: World
) -> None:
    from ladder.models import Match
    from ratings.models import RatingEvent
    from ratings.services.verify import verify_ledger
    from tests.ladder.world import play

    world = live_world
    pairs = [(world.alice, world.bob), (world.carol, world.dave), (world.alice, world.carol), (world.bob, world.dave)]
    for number, pair in enumerate(pairs * 4):
        world.now = timezone.now()
        play(world, *pair)
        if number == 6:
            live_app.kill("worker")
    empty_the_store()
    assert Match.objects.filter(rated_at=None).exists(), "some were confirmed while nobody could rate them"

    live_app.restart("worker")

    soon(lambda: not Match.objects.filter(rated_at=None).exists(), seconds=40.0)
    assert RatingEvent.objects.filter(kind="match").count() == 2 * 16
    assert verify_ledger() == []
