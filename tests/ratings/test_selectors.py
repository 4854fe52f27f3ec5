"""What the matchmaker and the staff read of ratings and events."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.core.registry import get_engine
from ratings.core.types import Belief
from ratings.models import RatingEvent
from ratings.selectors import (
    AuditFilters,
    AuditRow,
    club_beliefs,
    engine_of,
    events_for_audit,
    explanation,
    model_in_force,
)
from ratings.services.ledger import apply_correction
from tests.harness.queries import assert_queries
from tests.ratings.world import World

pytestmark = pytest.mark.service


def test_B09_matchmaker_staff_page_and_engine_read_one_number(quick_world: World) -> None:
    world = quick_world
    for _ in range(5):
        world.play("alice", "bob")
    model = model_in_force(queue_id=world.queue.pk, at=world.now)
    for k in (1.0, 2.0):
        model.parameters["conservative_k"] = k
        model.save()
        row = world.rating("alice")
        belief = Belief(row.rating, row.deviation, row.volatility)

        balance = club_beliefs(**_where(world), player_ids=[world.id("alice")], now=world.now)[world.id("alice")]

        assert balance.conservative == get_engine("glicko2", model.parameters).conservative(belief)
        assert balance.rating == engine_of(model).to_club(belief).rating == row.rating
        assert f"{balance.rating:.2f}" in str(explanation(world.last_event("alice"), "staff"))


def test_case_45_beliefs_are_aged_when_they_are_read(world: World) -> None:
    world.play("alice", "bob")
    for _ in range(20):
        world.play("alice", "bob")

    fresh, later = (
        club_beliefs(**_where(world), player_ids=[world.id("alice")], now=world.now + timedelta(days=days))
        for days in (0, 365)
    )

    alice = world.id("alice")
    assert later[alice].deviation > fresh[alice].deviation
    assert later[alice].rating == fresh[alice].rating
    assert world.rating("alice").deviation == fresh[alice].deviation


def test_beliefs_leave_out_who_has_none_and_cost_one_query(world: World) -> None:
    world.play("alice", "bob")

    with assert_queries(1, "the ratings with the models they stand on"):
        beliefs = club_beliefs(**_where(world), player_ids=[world.id("alice"), world.id("carol")], now=world.now)

    assert set(beliefs) == {world.id("alice")}


def test_the_audit_is_filtered_by_everything_it_names(quick_world: World) -> None:
    world = quick_world
    first = world.play("alice", "bob")
    middle = world.now + timedelta(seconds=30)
    world.play("carol", "bob")
    _correct(world, "alice")
    other_club = AuditFilters(club_id=world.season.pk)
    filters = {
        "everything": AuditFilters(club_id=world.queue.club_id),
        "player": AuditFilters(club_id=world.queue.club_id, player_id=world.id("alice")),
        "match": AuditFilters(club_id=world.queue.club_id, match_id=first.match_id),
        "kind": AuditFilters(club_id=world.queue.club_id, kinds=("correction", "placement")),
        "actor": AuditFilters(club_id=world.queue.club_id, actor_id=world.id("dave")),
        "season": AuditFilters(club_id=world.queue.club_id, season_id=world.next_season.pk),
        "queue": AuditFilters(club_id=world.queue.club_id, queue_id=world.queue.pk),
        "since": AuditFilters(club_id=world.queue.club_id, since=middle),
        "until": AuditFilters(club_id=world.queue.club_id, until=middle),
    }

    counts = {name: len(events_for_audit(one).rows) for name, one in filters.items()}

    assert counts == {
        "everything": 8,
        "player": 3,
        "match": 2,
        "kind": 4,
        "actor": 1,
        "season": 0,
        "queue": 8,
        "since": 4,
        "until": 4,
    }
    assert events_for_audit(other_club).rows == ()


def test_an_audit_row_says_who_what_and_why(quick_world: World) -> None:
    quick_world.play("alice", "bob")
    event = _correct(quick_world, "alice")

    row = events_for_audit(AuditFilters(club_id=quick_world.queue.club_id)).rows[0]

    assert (row.id, row.player, row.actor, row.reason, row.kind) == (event.pk, "alice", "dave", "mistake", "correction")
    assert (row.rating_before, row.rating_after, row.model) == (event.rating_before, event.rating_after, "glicko2 v1")
    assert "+50.00" in str(row.explanation)


def test_B111_pages_of_the_audit_neither_repeat_nor_skip_while_events_arrive(quick_world: World) -> None:
    world = quick_world
    for _ in range(10):
        world.play("alice", "bob")
    filters = AuditFilters(club_id=world.queue.club_id)
    expected = list(RatingEvent.objects.order_by("-created_at", "-id").values_list("pk", flat=True))
    rows: list[AuditRow] = []
    after = ""

    while True:
        with assert_queries(1, "the page"):
            page = events_for_audit(filters, after=after, limit=4)
        rows += page.rows
        after = page.next
        if not after:
            break
        world.play("alice", "bob")

    assert [row.id for row in rows] == expected


@pytest.mark.parametrize("cursor", ["x", "2026_x", "_", "2026-01-01T00:00:00_0190a0a0-0000-7000-8000-000000000000"])
def test_a_cursor_of_nobody_gives_the_first_page(quick_world: World, cursor: str) -> None:
    quick_world.play("alice", "bob")

    assert len(events_for_audit(AuditFilters(club_id=quick_world.queue.club_id), after=cursor).rows) == 4


def _where(world: World) -> dict[str, object]:
    return {"queue_id": world.queue.pk, "season_id": world.season.pk}


def _correct(world: World, name: str) -> RatingEvent:
    return apply_correction(
        player_id=world.id(name),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=50.0,
        reason="mistake",
        actor=world.id("dave"),
        now=world.now,
    )
