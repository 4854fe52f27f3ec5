"""Every stored belief says which model it stands on, and every reader goes by that."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from ratings.core.ledger import carried_over
from ratings.core.rating_match import aged_belief
from ratings.core.scales import moved
from ratings.core.types import Belief, Engine
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors import ClubBelief, club_beliefs, engine_of
from ratings.selectors.health import weekly_health
from ratings.services.ledger import apply_correction, apply_match
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.ratings.world import START, World, put_in_force

pytestmark = pytest.mark.service
CHANGES = [("glicko2", "elo"), ("elo", "glicko2"), ("glicko2", "trueskill"), ("trueskill", "weng_lin")]
each_change = pytest.mark.parametrize(("first", "second"), CHANGES, ids=["-".join(pair) for pair in CHANGES])


def test_every_event_and_every_row_names_the_model_on_whose_scale_it_stands(world: World) -> None:
    first = RatingModel.objects.get()
    world.play("alice", "bob")
    second = put_in_force(world, "trueskill")
    world.play("alice", "bob")
    world.play("alice", "bob")

    events = RatingEvent.objects.filter(player_rating=world.rating("alice")).order_by("seq")
    assert [event.rating_model_id for event in events] == [first.pk, first.pk, second.pk, second.pk]
    assert world.rating("alice").rating_model_id == second.pk
    assert 20.0 < world.rating("alice").rating < 50.0
    assert verify_ledger() == []


@each_change
def test_what_is_believed_of_somebody_does_not_change_with_the_model(world: World, first: str, second: str) -> None:
    put_in_force(world, first)
    world.play("alice", "bob")
    before = _club(world, "alice")

    put_in_force(world, second)

    assert _club(world, "alice") == before


@each_change
def test_a_match_after_the_change_is_predicted_on_the_new_scale_and_moves_the_rating_there(
    world: World, first: str, second: str
) -> None:
    old = put_in_force(world, first)
    for _match in range(3):
        world.play("alice", "bob")
    held = {name: world.rating(name) for name in ("alice", "bob")}
    new = put_in_force(world, second)

    formed = world.form(["bob"], ["alice"])
    apply_match(outcome=world.outcome(formed), now=world.now)

    engine = engine_of(new)
    told = {name: _now_on(engine, engine_of(old), held[name], formed.created_at) for name in held}
    entries = {entry.player.handle: entry for entry in formed.entries.all()}
    evidence = engine.update([[told["bob"]], [told["alice"]]], [1, 2])
    for name, after in zip(("bob", "alice"), (evidence[0][0], evidence[1][0]), strict=True):
        row, entry = world.rating(name), entries[name]
        assert Belief(entry.rating, entry.deviation, entry.volatility) == told[name]
        assert (row.rating, row.deviation, row.volatility) == (after.rating, after.deviation, after.volatility)
        assert (row.rating_model_id, row.top_rating) == (new.pk, after.rating)
        assert world.last_event(name).explanation["before_model"] == {
            "id": str(old.pk),
            "name": f"{first} v{old.version}",
        }
    assert verify_ledger() == []


@each_change
def test_a_match_formed_before_the_change_moves_a_rating_that_went_on_by_as_much(
    world: World, first: str, second: str
) -> None:
    old = put_in_force(world, first)
    world.play("alice", "bob")
    in_flight = world.form(["alice"], ["bob"])
    new = put_in_force(world, second)
    world.play("alice", "carol")
    before = world.rating("alice")

    apply_match(outcome=world.outcome(in_flight), now=world.now)

    told, row = world.last_event("alice").explanation, world.rating("alice")
    formed, evidence = (_belief(told[name]) for name in ("formed", "evidence"))
    current = Belief(before.rating, before.deviation, before.volatility)
    after = carried_over(engine_of(old), engine_of(new), current, formed, evidence)
    assert (row.rating, row.deviation, row.volatility) == (after.rating, after.deviation, after.volatility)
    assert (row.rating_model_id, told["formed_model"]["id"]) == (new.pk, str(old.pk))
    gained = engine_of(old).to_club(evidence).rating - engine_of(old).to_club(formed).rating
    assert gained > 1.0
    assert _to_club(engine_of(new), row) - _to_club(engine_of(new), before) == pytest.approx(gained)
    assert world.rating("bob").rating_model_id == old.pk
    assert verify_ledger() == []


def test_other_parameters_on_the_same_scale_leave_every_number_where_it_was(world: World) -> None:
    world.play("alice", "bob")
    before = world.rating("alice")
    new = put_in_force(world, "glicko2", {"tau": 0.9})

    world.play("alice", "bob")

    event = world.last_event("alice")
    assert (event.rating_before, event.deviation_before) == (before.rating, before.deviation)
    assert (event.rating_model_id, world.rating("alice").rating_model_id) == (new.pk, new.pk)
    (alice,), (_bob,) = engine_of(new).update([[_belief(event.explanation["formed"])], [_of(world, "bob")]], [1, 2])
    assert world.rating("alice").rating == alice.rating
    assert verify_ledger() == []


def test_a_match_under_way_does_not_bring_back_the_model_that_it_was_formed_with(world: World) -> None:
    in_flight = world.form(["alice"], ["bob"])
    new = put_in_force(world, "glicko2", {"tau": 0.9})
    world.play("alice", "bob")

    apply_match(outcome=world.outcome(in_flight), now=world.now)

    assert world.rating("alice").rating_model_id == new.pk
    assert verify_ledger() == []


def test_a_correction_is_in_club_points_and_stays_on_the_rating_s_own_model(world: World) -> None:
    put_in_force(world, "trueskill")
    world.play("alice", "bob")
    before, club = world.rating("alice"), _club(world, "alice")
    put_in_force(world, "elo")

    apply_correction(
        player_id=world.id("alice"),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=150.0,
        reason="seen",
        actor=world.id("dave"),
        now=world.now,
    )

    after = world.rating("alice")
    assert (after.rating_model_id, after.deviation) == (before.rating_model_id, before.deviation)
    assert _club(world, "alice").rating == pytest.approx(club.rating + 150.0)
    assert after.top_rating == after.rating
    assert verify_ledger() == []


@each_change
def test_an_earlier_season_is_told_on_the_new_season_s_scale(world: World, first: str, second: str) -> None:
    put_in_force(world, first)
    for _match in range(4):
        world.play("alice", "bob")
    before = _club(world, "alice")
    new = put_in_force(world, second)

    ensure_ratings(
        queue_id=world.queue.pk,
        season_id=world.next_season.pk,
        newcomers=[Newcomer(world.id("alice"))],
        rules=world.rules,
        now=world.now,
    )

    row = world.rating("alice", world.next_season)
    assert row.rating_model_id == new.pk
    assert _to_club(engine_of(new), row) == pytest.approx(before.rating)
    assert row.top_rating == row.rating


def test_the_highest_rating_is_kept_and_begins_anew_on_another_scale(world: World) -> None:
    put_in_force(world, "elo")
    for winner, loser in (("alice", "bob"), ("alice", "bob"), ("bob", "alice"), ("bob", "alice")):
        world.play(winner, loser)
    events = RatingEvent.objects.filter(player_rating=world.rating("alice")).order_by("seq")
    peak = max(event.rating_after for event in events)

    assert world.rating("alice").top_rating == peak > world.rating("alice").rating
    put_in_force(world, "trueskill")
    world.play("bob", "alice")
    assert world.rating("alice").top_rating == world.rating("alice").rating
    assert verify_ledger() == []


def test_the_highest_rating_of_an_earlier_season_counts_on_the_same_scale(world: World) -> None:
    put_in_force(world, "elo_fide")
    for winner in ("alice", "alice", "bob", "bob"):
        world.play(winner, "bob" if winner == "alice" else "alice")
    peak = world.rating("alice").top_rating

    world.form(["alice"], ["bob"], season=world.next_season)

    assert world.rating("alice", world.next_season).top_rating == peak > world.rating("alice").rating


def test_a_rating_from_before_the_highest_was_kept_begins_with_what_is_known(world: World) -> None:
    world.play("alice", "bob")
    PlayerRating.objects.update(top_rating=None)
    before = world.rating("alice").rating

    world.play("bob", "alice")

    assert world.rating("alice").top_rating == before


@pytest.mark.parametrize("size", [1, 2])
def test_forming_and_rating_cost_no_more_when_everybody_stands_on_another_model(world: World, size: int) -> None:
    names = ["alice", "bob", "carol", "dave"]
    teams = (names[:size], names[size : 2 * size])
    world.form(*teams)
    put_in_force(world, "trueskill")

    with assert_queries(1 + 6, "the match; model, ratings with their models, forecast, entries, savepoint, release"):
        formed = world.form(*teams)
    outcome = world.outcome(formed)
    with assert_queries(5, "savepoint, lock and forecast and models, earlier events, write, release"):
        apply_match(outcome=outcome, now=world.now)


@pytest.mark.parametrize(("field", "words"), [("rating_model_id", "its model"), ("top_rating", "its top_rating")])
def test_the_proof_names_a_row_whose_model_or_highest_rating_was_changed(world: World, field: str, words: str) -> None:
    world.play("alice", "bob")
    other = put_in_force(world, "elo")
    value = other.pk if field == "rating_model_id" else 9999.0
    PlayerRating.objects.filter(pk=world.rating("bob").pk).update(**{field: value})

    (problem,) = verify_ledger()

    assert (problem.player_rating_id, problem.seq) == (world.rating("bob").pk, None)
    assert words in problem.what


def test_weeks_of_several_models_are_told_in_club_points(world: World) -> None:
    for _match in range(3):
        world.play("alice", "bob")
    put_in_force(world, "trueskill")
    world.play("alice", "bob")

    (week,) = weekly_health(queue_id=world.queue.pk, zone="UTC")
    beliefs = club_beliefs(**_where(world), player_ids=[world.id("alice"), world.id("bob")], now=world.now)
    assert week.by_play == pytest.approx(sum(one.rating for one in beliefs.values()) - 3000.0)
    assert week.matches == 4


def test_no_event_is_without_a_model(world: World) -> None:
    world.play("alice", "bob")
    put_in_force(world, "elo")
    world.play("alice", "bob")

    events = list(RatingEvent.objects.filter(player_rating=world.rating("bob")).order_by("seq"))
    assert all(event.rating_model_id for event in events)
    assert all(one.rating_after == other.rating_before for one, other in pairwise(events))


def _where(world: World) -> dict[str, Any]:
    return {"queue_id": world.queue.pk, "season_id": world.season.pk}


def _club(world: World, name: str) -> ClubBelief:
    """Always as of one moment."""
    beliefs = club_beliefs(**_where(world), player_ids=[world.id(name)], now=START + timedelta(days=3))
    return beliefs[world.id(name)]


def _to_club(engine: Engine, row: PlayerRating) -> float:
    return engine.to_club(Belief(row.rating, row.deviation, row.volatility)).rating


def _now_on(engine: Engine, old: Engine, row: PlayerRating, at: datetime) -> Belief:
    days = (at - (row.last_match_at or row.created_at)).total_seconds() / 86_400.0
    return moved(aged_belief(old, Belief(row.rating, row.deviation, row.volatility), days), old, engine)


def _belief(told: dict[str, float | None]) -> Belief:
    rating = told["rating"]
    assert rating is not None
    return Belief(rating, told["deviation"], told["volatility"])


def _of(world: World, name: str) -> Belief:
    return _belief(world.last_event(name).explanation["formed"])
