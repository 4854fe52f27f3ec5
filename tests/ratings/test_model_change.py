"""A queue goes on with another model: every rating moves to its scale, no rank moves, and matches under way count."""

from __future__ import annotations

import threading
import time
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction

from ladder.models import Player
from ratings.core.ledger import carried_over
from ratings.core.problems import RatingInputError
from ratings.core.scales import moved
from ratings.core.types import Belief, Engine
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors import club_beliefs, engine_of, explanation
from ratings.services.ledger import LedgerResult, apply_correction, apply_history, apply_match
from ratings.services.model_change import change_model
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ratings.world import World, put_in_force

pytestmark = pytest.mark.service
SENTENCE = "The club changed how it estimates skill; your rank stays."


def test_every_rating_moves_to_the_value_of_the_replay_and_every_rank_stays(quick_world: World) -> None:
    world = quick_world
    _play(world, 6)
    before = _rows()
    model = put_in_force(world, "trueskill")
    values = {row.pk: Belief(25.0 + number, 3.0 + number) for number, row in enumerate(before)}

    moved_now = _change(world, model, values)

    assert moved_now == 2
    for old, new in zip(before, _rows(), strict=True):
        assert Belief(new.rating, new.deviation, new.volatility) == values[new.pk]
        assert (new.rating_model_id, new.top_rating) == (model.pk, new.rating)
        kept = ("position", "tier", "division", "points", "games", "wins", "peak_position", "last_match_at", "shield")
        assert [getattr(new, name) for name in kept] == [getattr(old, name) for name in kept]
    event = world.last_event("alice")
    assert (event.kind, event.actor_id, event.reason) == ("model_change", world.id("dave"), "predicts better")
    assert (event.points_delta, event.rating_model_id) == (0, model.pk)
    assert verify_ledger() == []


def test_whom_the_replay_did_not_meet_is_carried_over_by_the_club_scale(world: World) -> None:
    world.answers = {"alice": "expert"}
    world.form(["alice"], ["bob"])
    before = _club(world, "alice")
    model = put_in_force(world, "weng_lin")

    _change(world, model, {})

    row = world.rating("alice")
    old = engine_of(RatingModel.objects.get(version=1))
    assert _belief(row) == moved(Belief(1800.0, 350.0, 0.06), old, engine_of(model))
    assert _club(world, "alice") == pytest.approx(before)
    assert world.last_event("alice").explanation["source"] == "scale"
    assert verify_ledger() == []


def test_a_second_call_changes_nothing(world: World) -> None:
    _play(world, 3)
    model = put_in_force(world, "elo")
    _change(world, model, {})
    before = _rows()

    again = _change(world, model, {row.pk: Belief(99.0) for row in before})

    assert again == 0
    assert _rows() == before
    assert RatingEvent.objects.filter(kind="model_change").count() == 2


def test_a_rating_on_a_later_model_does_not_go_back(world: World) -> None:
    _play(world, 1)
    middle, last = put_in_force(world, "elo"), put_in_force(world, "trueskill")
    _change(world, last, {})

    assert _change(world, middle, {}) == 0
    assert world.rating("alice").rating_model_id == last.pk


def test_only_the_seasons_asked_for_are_moved(world: World) -> None:
    _play(world, 1)
    world.play("alice", "carol", season=world.next_season)
    old = world.rating("alice").rating_model_id
    model = put_in_force(world, "elo")

    _change(world, model, {}, seasons=[world.next_season.pk])

    assert world.rating("alice").rating_model_id == old
    assert world.rating("alice", world.next_season).rating_model_id == model.pk


def test_a_value_that_is_none_is_refused_and_nothing_moves(world: World) -> None:
    _play(world, 2)
    before = _rows()
    model = put_in_force(world, "trueskill")

    with pytest.raises(RatingInputError, match="deviation"):
        _change(world, model, {before[1].pk: Belief(25.0, -1.0)})

    assert _rows() == before
    assert not RatingEvent.objects.filter(kind="model_change").exists()


def test_the_player_is_told_without_a_number_and_the_staff_with_every_one(quick_world: World) -> None:
    world = quick_world
    _play(world, 4)
    row = world.rating("alice")
    model = put_in_force(world, "trueskill")
    _change(world, model, {row.pk: Belief(30.0, 4.0)})
    event = world.last_event("alice")

    assert str(explanation(event)) == SENTENCE
    told = str(explanation(event, "staff"))
    club = engine_of(model).to_club(Belief(30.0, 4.0))
    numbers = (row.rating, row.deviation, 30.0, 4.0, club.rating, club.deviation)
    assert all(f"{number:.2f}" in told for number in numbers if number is not None)
    assert "From glicko2 v1 to trueskill v2." in told
    assert "replay" in told
    assert "predicts better" in told


def test_idle_time_goes_on_counting_from_the_last_match(world: World) -> None:
    _play(world, 2)
    last = world.rating("alice").last_match_at
    model = put_in_force(world, "glicko")
    _change(world, model, {})

    formed = world.form(["alice"], ["bob"])

    assert last is not None
    days = (formed.created_at - last).total_seconds() / 86_400.0
    assert formed.entries.get(player=world.players["alice"]).idle_days == days > 0.0


def test_a_match_under_way_through_two_changes_of_model_counts_as_much_on_the_new_scale(world: World) -> None:
    elo = put_in_force(world, "elo")
    _play(world, 3)
    in_flight = world.form(["alice"], ["bob"])
    glicko2 = put_in_force(world, "glicko2")
    _change(world, glicko2, {world.rating("alice").pk: Belief(1600.0, 80.0, 0.06)})
    second = world.form(["bob"], ["alice"])
    trueskill = put_in_force(world, "trueskill")
    _change(world, trueskill, {world.rating("alice").pk: Belief(29.0, 2.0)})

    for formed, model in ((in_flight, elo), (second, glicko2)):
        before = {name: _belief(world.rating(name)) for name in ("alice", "bob")}
        apply_match(outcome=world.outcome(formed), now=world.now)
        for name in ("alice", "bob"):
            entry = formed.entries.get(player=world.players[name])
            told = _belief(entry)
            evidence = _evidence(engine_of(model), formed)[world.id(name)]
            current = _aged(engine_of(trueskill), before[name], world.last_event(name))
            wanted = carried_over(engine_of(model), engine_of(trueskill), current, told, evidence)
            assert _belief(world.rating(name)) == wanted
            assert world.rating(name).rating_model_id == trueskill.pk
            assert world.last_event(name).explanation["formed_model"]["name"] == f"{model.algorithm} v{model.version}"
    assert verify_ledger() == []


def test_a_batch_of_matches_under_way_gives_bit_for_bit_what_single_ones_give(world: World) -> None:
    put_in_force(world, "elo")
    _play(world, 2)
    formed = [world.form(["alice"], ["bob"]), world.form(["carol"], ["alice"])]
    for algorithm in ("glicko2", "trueskill"):
        model = put_in_force(world, algorithm)
        _change(world, model, {})
        formed.append(world.form(["bob"], ["carol"]))
    outcomes = [world.outcome(one) for one in formed]
    undo = transaction.savepoint()
    for outcome in outcomes:
        apply_match(outcome=outcome, now=world.now)
    single = [_belief(row) for row in _rows()]
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers={}, now=world.now)

    assert [_belief(row) for row in _rows()] == single
    assert verify_ledger() == []


@pytest.mark.parametrize("act", ["match", "batch", "correction"])
def test_what_waited_for_a_change_of_model_goes_by_the_new_one(shared_world: World, act: str) -> None:
    world = shared_world
    _play(world, 2)
    formed = world.form(["alice"], ["bob"])
    outcome = world.outcome(formed)
    changed = threading.Event()
    model = put_in_force(world, "trueskill")
    RatingModel.objects.filter(pk=model.pk).update(state="draft", valid_during=None)

    def change() -> int:
        with transaction.atomic():
            RatingModel.objects.filter(pk=model.pk).update(state="in_force", valid_during=model.valid_during)
            model.refresh_from_db()
            count = _change(world, model, {})
            changed.set()
            _until_somebody_waits()
        return count

    def wait_and_act() -> Any:
        assert changed.wait(20)
        if act == "match":
            return apply_match(outcome=outcome, now=world.now)
        if act == "batch":
            return apply_history(outcomes=[outcome], newcomers={}, now=world.now)
        return _correct(world, 100.0)

    count, done = run_together(change, wait_and_act)

    assert count == 2
    assert isinstance(done, LedgerResult) or act != "match", done
    row, event = world.rating("alice"), world.last_event("alice")
    assert (event.kind, row.rating_model_id) == ("correction" if act == "correction" else "match", model.pk)
    assert 25.0 < row.rating < 60.0
    assert verify_ledger() == []


@pytest.mark.parametrize("ratings", [3, 1200])
def test_a_change_of_model_costs_the_same_queries_but_one_per_thousand_ratings(world: World, ratings: int) -> None:
    people = Player.objects.bulk_create(
        Player(handle=f"p{number}", handle_key=f"p{number}", date_joined=world.now) for number in range(ratings)
    )
    ensure_ratings(
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        newcomers=[Newcomer(person.pk) for person in people],
        rules=world.rules,
        now=world.now,
    )
    model = put_in_force(world, "weng_lin")

    with assert_queries(6 + (ratings > 1000), "savepoint, lock, models, events, a thousand rows each, release"):
        assert _change(world, model, {}) == ratings

    assert verify_ledger() == []


def _play(world: World, matches: int) -> None:
    for number in range(matches):
        world.play(*(("alice", "bob") if number % 3 != 1 else ("bob", "alice")))


def _change(world: World, model: RatingModel, values: dict[UUID, Belief], seasons: list[UUID] | None = None) -> int:
    return change_model(
        queue_id=world.queue.pk,
        season_ids=seasons or [world.season.pk],
        new_model=model,
        values=values,
        actor=world.id("dave"),
        reason="predicts better",
        now=world.now,
    )


def _correct(world: World, delta: float) -> RatingEvent:
    return apply_correction(
        player_id=world.id("alice"),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=delta,
        reason="seen",
        actor=world.id("dave"),
        now=world.now,
    )


def _rows() -> list[PlayerRating]:
    return list(PlayerRating.objects.order_by("id"))


def _club(world: World, name: str) -> tuple[float, float]:
    found = club_beliefs(
        queue_id=world.queue.pk, season_id=world.season.pk, player_ids=[world.id(name)], now=world.now
    )[world.id(name)]
    return found.rating, found.deviation


def _belief(row: Any) -> Belief:
    return Belief(row.rating, row.deviation, row.volatility)


def _aged(engine: Engine, belief: Belief, event: RatingEvent) -> Belief:
    days = float(event.explanation["aged"]["idle_days"])
    return engine.widen(belief, days) if days else belief


def _evidence(engine: Engine, formed: Any) -> dict[UUID, Belief]:
    """What the engine makes of the beliefs recorded at formation, the first side winning."""
    entries = list(formed.entries.order_by("team"))
    after = engine.update([[_belief(entry)] for entry in entries], [1, 2])
    return {entry.player_id: team[0] for entry, team in zip(entries, after, strict=True)}


def _until_somebody_waits() -> None:
    for _look in range(400):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone():
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits for the change")
