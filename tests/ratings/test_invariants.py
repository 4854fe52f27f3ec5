"""What holds for the ledger whatever happens to it (architecture.md, invariants 1, 2 and 7)."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise

import pytest

from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.services.ledger import MatchOutcome, apply_correction, apply_match
from ratings.services.model_change import change_model
from ratings.services.verify import verify_ledger
from tests.harness.threads import run_together
from tests.ratings.world import CAST, World, put_in_force

pytestmark = pytest.mark.service


@pytest.mark.parametrize("seed", range(3))
def test_invariant_1_events_chain_and_rows_equal_their_last_event(world: World, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        _something_happens(world, rng)

    assert verify_ledger() == []
    for row in PlayerRating.objects.all():
        events = list(row.events.order_by("seq"))
        assert all(a.rating_after == b.rating_before and a.hash == b.previous_hash for a, b in pairwise(events))
        assert (row.rating, row.position, row.last_seq) == (
            events[-1].rating_after,
            events[-1].position_after,
            len(events),
        )
        moved = sum(event.rating_after - event.rating_before for event in events)
        assert row.rating == pytest.approx(events[0].rating_before + moved)


@pytest.mark.parametrize("seed", range(3))
def test_invariant_1_holds_through_changes_of_model_whether_or_not_everybody_was_moved(world: World, seed: int) -> None:
    rng = random.Random(seed)
    for algorithm in ("elo", "trueskill", "glicko2", "weng_lin", "glicko", "elo_fide", "trueskill2"):
        for _ in range(10):
            _something_happens(world, rng)
        late = world.form(["alice"], ["bob"])
        model = put_in_force(world, algorithm)
        if rng.random() < 0.5:
            change_model(
                queue_id=world.queue.pk,
                season_ids=[world.season.pk, world.next_season.pk],
                new_model=model,
                values={},
                actor=None,
                reason="",
                now=world.now,
            )
        _something_happens(world, rng)
        apply_match(outcome=world.outcome(late), now=world.now)

    assert verify_ledger() == []
    for row in PlayerRating.objects.all():
        last = row.events.latest("seq")
        assert (row.rating_model_id, row.rating, row.deviation) == (
            last.rating_model_id,
            last.rating_after,
            last.deviation_after,
        )


@pytest.mark.race
def test_invariant_2_four_workers_and_every_match_delivered_twice_rate_each_once(shared_world: World) -> None:
    world, rng = shared_world, random.Random(5)
    outcomes = [world.outcome(world.form(*[[name] for name in rng.sample(CAST, 2)])) for _ in range(24)]
    loads = [rng.sample(outcomes, len(outcomes)) for _ in range(4)]

    results = run_together(*[lambda load=load: _rate_all(world, load) for load in loads], timeout=60)

    assert sum(results) == len(outcomes)
    assert RatingEvent.objects.filter(kind="match").count() == 2 * len(outcomes)
    assert sum(row.games for row in PlayerRating.objects.all()) == 2 * len(outcomes)
    assert verify_ledger() == []


def test_invariant_7_a_match_is_rated_by_the_model_and_beliefs_of_its_formation(world: World) -> None:
    formed = world.form(["alice"], ["bob"])
    entry = ForecastEntry.objects.get(forecast=formed, player=world.players["alice"])
    for _ in range(5):
        world.play("alice", "carol")

    apply_match(outcome=world.outcome(formed), now=world.now)

    event = world.last_event("alice")
    told = event.explanation["formed"]
    assert (told["rating"], told["deviation"]) == (entry.rating, entry.deviation)
    assert event.explanation["expected"] == entry.expected
    assert event.rating_model_id == formed.rating_model_id


def _something_happens(world: World, rng: random.Random) -> None:
    """A match in one of two seasons, a match formed early and rated late, a correction or a long pause."""
    one, other = rng.sample(CAST, 2)
    season = rng.choice((world.season, world.season, world.next_season))
    kind = rng.randrange(8)
    if kind == 0:
        world.now += timedelta(days=rng.randrange(1, 400))
    elif kind == 1 and PlayerRating.objects.filter(player=world.players[one], season=world.season).exists():
        apply_correction(
            player_id=world.id(one),
            queue_id=world.queue.pk,
            season_id=world.season.pk,
            rating_delta=rng.uniform(-300.0, 300.0),
            reason="seen",
            actor=world.id(other),
            now=world.now,
        )
    elif kind == 2:
        early = world.form([one], [other], season=season)
        world.play(one, other, season=season)
        apply_match(outcome=world.outcome(early, rng.choice(((1, 2), (2, 1), (1, 1)))), now=world.now)
    else:
        world.play(one, other, draw=rng.random() < 0.2, season=season)


def _rate_all(world: World, outcomes: list[MatchOutcome]) -> int:
    """How many of them this worker was the one to rate."""
    return sum(not apply_match(outcome=outcome, now=world.now).already_rated for outcome in outcomes)
