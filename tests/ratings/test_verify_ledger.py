"""The proof of the ledger notices every kind of tampering, and names the first row that does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from ratings.core.ledger import canonical, digest
from ratings.models import PlayerRating, RatingEvent
from ratings.services.verify import verify_ledger
from tests.ratings.world import World

pytestmark = pytest.mark.service


@pytest.fixture
def played(world: World) -> World:
    """Eight matches of alice and bob."""
    for number in range(8):
        world.play(*(("alice", "bob") if number % 3 else ("bob", "alice")))
    return world


def test_an_untouched_ledger_holds(played: World) -> None:
    assert verify_ledger() == []
    assert _command() == "The ledger holds: 18 events of 2 ratings."


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("rating_after", 2000.0, "columns differ from its text: rating_after"),
        ("points_delta", 7, "columns differ from its text: points_delta"),
        ("reason", "none", "columns differ from its text: reason"),
        ("canonical", "{}", "hash is not that of its text"),
        ("previous_hash", "0" * 64, "hash is not that of its text"),
        ("hash", "0" * 64, "hash is not that of its text"),
        ("explanation", {}, "columns differ from its text: explanation"),
        ("effective_at", datetime(2026, 1, 1, tzinfo=UTC), "does not count from the moment"),
    ],
)
def test_a_changed_event_is_named(played: World, field: str, value: Any, words: str) -> None:
    event = RatingEvent.objects.get(player_rating=played.rating("alice"), seq=7)
    with _without_trigger():
        RatingEvent.objects.filter(pk=event.pk).update(**{field: value})

    (problem,) = verify_ledger()

    assert (problem.player_rating_id, problem.seq) == (event.player_rating_id, 7)
    assert words in problem.what


@pytest.mark.parametrize("seq", [1, 5])
def test_a_removed_event_is_named(played: World, seq: int) -> None:
    with _without_trigger():
        RatingEvent.objects.get(player_rating=played.rating("alice"), seq=seq).delete()

    (problem,) = verify_ledger()

    assert (problem.seq, problem.what) == (seq, "is missing")


def test_a_removed_last_event_shows_in_the_row(played: World) -> None:
    with _without_trigger():
        played.last_event("alice").delete()

    (problem,) = verify_ledger()

    assert problem.seq is None
    assert "after its last event" in problem.what


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rating", 1.0),
        ("deviation", 1.0),
        ("position", 1),
        ("points", 3),
        ("peak_position", 9),
        ("shield", 77),
        ("last_seq", 4),
        ("last_hash", ""),
    ],
)
def test_a_changed_row_is_named(played: World, field: str, value: Any) -> None:
    PlayerRating.objects.filter(pk=played.rating("bob").pk).update(**{field: value})

    (problem,) = verify_ledger()

    assert (problem.player_rating_id, problem.seq) == (played.rating("bob").pk, None)


def test_a_rating_without_events_is_named(played: World) -> None:
    PlayerRating.objects.create(
        player=played.players["carol"],
        queue=played.queue,
        season=played.season,
        rating_model_id=played.rating("bob").rating_model_id,
        rating=1500.0,
        created_at=played.now,
    )

    (problem,) = verify_ledger()

    assert problem.what == "has no event"


def test_events_from_before_a_fact_was_kept_hold_and_so_does_what_follows(played: World) -> None:
    event = played.last_event("alice")
    told = json.loads(event.canonical)
    for name in ("top_rating", "earlier_games"):
        del told["state_after"][name]
    text = canonical(told)
    fields = {"canonical": text, "hash": digest(event.previous_hash, text), "state_after": told["state_after"]}
    with _without_trigger():
        RatingEvent.objects.filter(pk=event.pk).update(**fields)
    PlayerRating.objects.filter(pk=event.player_rating_id).update(
        last_hash=fields["hash"], top_rating=None, earlier_games=7
    )

    assert verify_ledger() == []
    played.play("bob", "alice")
    assert verify_ledger() == []
    assert played.last_event("alice").state_after["top_rating"] == event.rating_after


def test_the_command_fails_and_says_where(played: World) -> None:
    PlayerRating.objects.filter(pk=played.rating("bob").pk).update(rating=1.0)
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("verify_ledger", stdout=out)

    assert f"rating {played.rating('bob').pk}, its row" in out.getvalue()


@pytest.mark.parametrize("act", ["update", "delete"])
def test_invariant_1_the_database_itself_refuses_to_touch_an_event(played: World, act: str) -> None:
    event = RatingEvent.objects.filter(pk=played.last_event("alice").pk)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        event.update(reason="better") if act == "update" else event.delete()


@contextmanager
def _without_trigger() -> Iterator[None]:
    """As somebody with the database's own rights could: the proof is there for them too."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ratings_ratingevent DISABLE TRIGGER rating_event_append_only")
        yield
        cursor.execute("ALTER TABLE ratings_ratingevent ENABLE TRIGGER rating_event_append_only")


def _command() -> str:
    out = StringIO()
    call_command("verify_ledger", stdout=out)
    return out.getvalue().strip()
