"""When an event counts: at its match, at the end of its rating period, or when it was written; never later."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.db import DatabaseError, connection, transaction

from ratings.core.ledger import took_effect
from ratings.models import RatingEvent
from ratings.services.ledger import apply_correction, apply_history
from ratings.services.placement import Newcomer
from tests.ratings.world import World

PLAYED = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
OPENED, PERIOD_END, WRITTEN = (PLAYED + timedelta(days=days) for days in (-1, 6, 30))


@pytest.mark.parametrize(
    ("kind", "period_end", "written", "moment"),
    [
        ("match", None, WRITTEN, PLAYED),
        ("match", PERIOD_END, WRITTEN, PERIOD_END),
        ("match", PERIOD_END, PLAYED + timedelta(days=2), PLAYED + timedelta(days=2)),
        ("placement", None, WRITTEN, OPENED),
        ("decay", None, WRITTEN, PERIOD_END),
        ("decay", None, PLAYED, PLAYED),
        ("correction", None, WRITTEN, WRITTEN),
        ("season_reset", None, WRITTEN, WRITTEN),
    ],
)
def test_an_event_counts_from_what_it_tells_of(
    kind: str, period_end: datetime | None, written: datetime, moment: datetime
) -> None:
    told = {
        "counts_from": PERIOD_END.isoformat(),
        "period": {"ends_at": period_end.isoformat()} if period_end else None,
    }

    assert took_effect(kind, written=written, opened=OPENED, last_match=PLAYED, told=told) == moment


@pytest.mark.service
def test_an_imported_match_counts_from_when_it_was_played_and_a_correction_from_when_it_was_made(world: World) -> None:
    outcome = world.outcome(world.form(["alice"], ["bob"]))
    much_later = world.now + timedelta(days=90)

    apply_history(outcomes=[outcome], newcomers={key: Newcomer(key) for key in outcome.players}, now=much_later)
    corrected_at = much_later + timedelta(days=1)
    apply_correction(
        player_id=world.id("alice"),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=25.0,
        reason="Typed in wrong",
        actor=world.id("carol"),
        now=corrected_at,
    )

    placed, played, corrected = world.rating("alice").events.order_by("seq")
    assert placed.effective_at == world.rating("alice").created_at
    assert (played.effective_at, played.created_at) == (outcome.completed_at, much_later)
    assert corrected.effective_at == corrected_at


@pytest.mark.service
def test_events_stored_before_get_the_moment_that_they_would_have_been_written_with(world: World) -> None:
    forward = import_module("ratings.migrations.0012_when_stored_events_count").FORWARD
    outcome = world.outcome(world.form(["alice"], ["bob"]))
    apply_history(outcomes=[outcome], newcomers={}, now=world.now + timedelta(days=90))
    written = dict(RatingEvent.objects.values_list("pk", "effective_at"))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ratings_ratingevent ALTER effective_at DROP NOT NULL")
        cursor.execute("ALTER TABLE ratings_ratingevent DISABLE TRIGGER rating_event_append_only")
        cursor.execute("UPDATE ratings_ratingevent SET effective_at = NULL")

        cursor.execute(forward)

    assert dict(RatingEvent.objects.values_list("pk", "effective_at")) == written
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        RatingEvent.objects.update(reason="none")
