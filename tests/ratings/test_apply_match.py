"""The door through which matches are rated."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.core.registry import get_engine
from ratings.core.types import Belief
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.services.ledger import MatchOutcome, apply_correction, apply_match
from ratings.services.models import model_in_force
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ratings.world import World

pytestmark = pytest.mark.service


def test_a_match_moves_both_by_what_the_engine_says(world: World) -> None:
    engine = get_engine("glicko2", model_in_force(queue_id=world.queue.pk, at=world.now).parameters)

    world.play("alice", "bob")

    (alice,), (bob,) = engine.update([[Belief(1500.0, 350.0, 0.06)], [Belief(1500.0, 350.0, 0.06)]], [1, 2])
    for name, belief in (("alice", alice), ("bob", bob)):
        row = world.rating(name)
        assert (row.rating, row.deviation, row.volatility) == (belief.rating, belief.deviation, belief.volatility)


def test_counts_and_last_match_follow(world: World) -> None:
    world.play("alice", "bob")
    world.play("alice", "bob", draw=True)

    alice, bob = world.rating("alice"), world.rating("bob")

    assert (alice.games, alice.wins, alice.draws, alice.losses) == (2, 1, 1, 0)
    assert (bob.games, bob.wins, bob.draws, bob.losses) == (2, 0, 1, 1)
    assert alice.last_match_at == world.now


def test_B01_one_match_delivered_by_eight_threads_is_rated_once(shared_world: World) -> None:
    outcome = shared_world.outcome(shared_world.form(["alice"], ["bob"]))

    results = run_together(*[lambda: apply_match(outcome=outcome, now=shared_world.now)] * 8)

    assert sorted(result.already_rated for result in results) == [False] + [True] * 7
    assert RatingEvent.objects.filter(kind="match").count() == 2
    assert shared_world.rating("alice").games == 1


def test_B03_two_matches_of_one_player_at_once_keep_both(shared_world: World) -> None:
    first = shared_world.outcome(shared_world.form(["bob"], ["alice"]))
    second = shared_world.outcome(shared_world.form(["alice"], ["carol"]))

    results = run_together(
        lambda: apply_match(outcome=first, now=shared_world.now),
        lambda: apply_match(outcome=second, now=shared_world.now),
    )

    assert [result.already_rated for result in results] == [False, False]
    events = list(RatingEvent.objects.filter(player_rating__player=shared_world.players["alice"], kind="match"))
    start = RatingEvent.objects.get(player_rating__player=shared_world.players["alice"], kind="placement")
    moved = sum(event.explanation["evidence"]["rating"] - event.explanation["formed"]["rating"] for event in events)
    assert len(events) == 2
    assert shared_world.rating("alice").rating == pytest.approx(start.rating_after + moved)


def test_B11_a_match_that_cannot_be_rated_leaves_the_later_ones_alone(world: World) -> None:
    formed = world.form(["alice"], ["bob"])
    strangers = MatchOutcome(**{**_fields(world.outcome(formed)), "teams": ((world.id("carol"),), (world.id("bob"),))})

    with pytest.raises(DomainError) as refusal:
        apply_match(outcome=strangers, now=world.now)
    world.play("bob", "alice")

    assert refusal.value.code == "other_players"
    assert RatingEvent.objects.filter(kind="match").count() == 2


def test_a_match_without_forecast_is_refused_in_words_and_changes_nothing(world: World) -> None:
    world.play("alice", "bob")
    formed = world.form(["alice"], ["bob"])
    outcome = world.outcome(formed)
    ForecastEntry.objects.filter(forecast=formed).delete()
    before = list(PlayerRating.objects.order_by("id").values())

    with pytest.raises(DomainError) as refusal:
        apply_match(outcome=outcome, now=world.now)

    assert refusal.value.code == "no_forecast"
    assert list(PlayerRating.objects.order_by("id").values()) == before


def test_an_adjustment_during_the_match_is_neither_lost_nor_counted_twice(world: World) -> None:
    world.play("alice", "carol")
    start = world.rating("alice")
    formed = world.form(["alice"], ["bob"])
    _correct(world, "alice", 200.0)

    apply_match(outcome=world.outcome(formed), now=world.now)

    told = world.last_event("alice").explanation
    change = told["evidence"]["rating"] - told["formed"]["rating"]
    ratio = told["evidence"]["deviation"] / told["formed"]["deviation"]
    row = world.rating("alice")
    assert row.rating == pytest.approx(start.rating + 200.0 + change, abs=1e-9)
    assert row.deviation == pytest.approx(told["aged"]["deviation"] * ratio, abs=1e-9)


def test_prediction_and_evidence_come_from_the_snapshot(world: World) -> None:
    formed = world.form(["alice"], ["bob"])
    _correct(world, "bob", 400.0)

    apply_match(outcome=world.outcome(formed), now=world.now)

    told = world.last_event("alice").explanation
    assert told["expected"] == 0.5
    assert told["formed"]["rating"] == 1500.0


def test_case_45_idle_time_ages_a_player_once_and_stands_in_the_explanation(world: World) -> None:
    for _ in range(30):
        world.play("alice", "bob")
        world.play("bob", "alice")
    settled = world.rating("alice").deviation
    world.now += timedelta(days=365)

    first = world.form(["alice"], ["bob"])
    second = world.form(["alice"], ["carol"])
    apply_match(outcome=world.outcome(first), now=world.now)
    apply_match(outcome=world.outcome(second), now=world.now)

    next_one, returned = RatingEvent.objects.filter(player_rating=world.rating("alice")).order_by("-seq")[:2]
    assert settled is not None
    assert returned.deviation_before == settled
    assert returned.explanation["aged"]["idle_days"] == pytest.approx(365, abs=0.1)
    assert returned.explanation["aged"]["deviation"] > settled + 30
    assert next_one.explanation["aged"]["idle_days"] == 0.0


def test_case_37_fractions_are_stored_and_nothing_vanishes(world: World) -> None:
    world.play("alice", "bob")

    alice, bob = world.rating("alice"), world.rating("bob")

    assert alice.rating != round(alice.rating)
    assert alice.rating + bob.rating == pytest.approx(3000.0, abs=1e-9)


def test_B13_a_huge_hidden_jump_moves_the_rank_by_at_most_the_rule(quick_world: World) -> None:
    world = quick_world
    for _ in range(3):
        world.play("alice", "bob")
        world.play("bob", "alice")
    world.now += timedelta(days=5 * 365)

    effect = next(one for one in world.play("alice", "bob").effects if one.player_id == world.id("alice"))

    event = world.last_event("alice")
    assert event.rating_after - event.rating_before > 60
    assert effect.points_delta is not None
    assert 10 <= effect.points_delta <= world.rules.high
    assert event.explanation["aged"]["idle_days"] > 1000


@pytest.mark.parametrize("size", [1, 2])
def test_rating_a_match_takes_three_queries_whatever_the_size_of_the_teams(world: World, size: int) -> None:
    names = ["alice", "bob", "carol", "dave"]
    outcome = world.outcome(world.form(names[:size], names[size : 2 * size]))

    with assert_queries(5, "savepoint, lock and forecast, earlier events, write, release"):
        apply_match(outcome=outcome, now=world.now)


def test_teams_move_together(world: World) -> None:
    formed = world.form(["alice", "bob"], ["carol", "dave"])

    apply_match(outcome=world.outcome(formed, (2, 1)), now=world.now)

    assert world.rating("alice").losses == world.rating("bob").losses == 1
    assert world.rating("carol").rating == world.rating("dave").rating > 1500


def test_a_correction_moves_the_rating_names_its_actor_and_leaves_the_rank(quick_world: World) -> None:
    world = quick_world
    world.play("alice", "bob")
    before = world.rating("alice")

    event = _correct(world, "alice", -80.0)

    after = world.rating("alice")
    assert after.rating == pytest.approx(before.rating - 80.0)
    assert (after.position, after.deviation, after.games) == (before.position, before.deviation, before.games)
    assert (event.actor_id, event.reason) == (world.id("dave"), "wrong account")


def test_a_correction_needs_a_reason_and_somebody_to_correct(world: World) -> None:
    with pytest.raises(DomainError, match="reason"):
        _correct(world, "alice", 10.0, reason=" ")
    with pytest.raises(DomainError, match="no rating"):
        _correct(world, "alice", 10.0)


def _correct(world: World, name: str, delta: float, reason: str = "wrong account") -> RatingEvent:
    return apply_correction(
        player_id=world.id(name),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=delta,
        reason=reason,
        actor=world.id("dave"),
        now=world.now,
    )


def _fields(outcome: MatchOutcome) -> dict[str, object]:
    return {name: getattr(outcome, name) for name in MatchOutcome.__dataclass_fields__}
