"""First ratings and what is recorded when a match is formed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.core.problems import RatingInputError
from ratings.core.visible_rank import DEFAULT_RULES
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors import club_beliefs, model_in_force
from ratings.services.models import ensure_first_model
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ratings.world import World

pytestmark = pytest.mark.service


def test_a_queue_gets_its_first_model_once_with_every_parameter_written_out(world: World) -> None:
    again = ensure_first_model(queue_id=world.queue.pk, now=world.now)

    assert RatingModel.objects.count() == 1
    assert (again.algorithm, again.state, again.preset) == ("glicko2", "in_force", "glicko2")
    assert again.parameters["tau"] == 0.5
    assert model_in_force(queue_id=world.queue.pk, at=world.now - timedelta(days=9999)) == again


def test_a_queue_without_model_is_refused_in_words(world: World) -> None:
    RatingModel.objects.all().delete()

    with pytest.raises(DomainError) as refusal:
        world.form(["alice"], ["bob"])

    assert refusal.value.code == "no_model"


@pytest.mark.parametrize(
    ("answer", "rating"), [("", 1500.0), ("novice", 800.0), ("casual", 1200.0), ("club", 1500.0), ("expert", 1800.0)]
)
def test_a_newcomer_starts_where_the_self_assessment_says_and_unsure(world: World, answer: str, rating: float) -> None:
    _ensure(world, Newcomer(world.id("alice"), answer))

    row, event = world.rating("alice"), world.last_event("alice")
    assert (row.rating, row.deviation, row.games, row.position) == (rating, 350.0, 0, None)
    assert (event.kind, event.seq, event.rating_before, event.rating_after) == ("placement", 1, 1500.0, rating)
    assert event.explanation["answer"] == answer


def test_an_unknown_answer_is_refused_and_writes_nothing(world: World) -> None:
    with pytest.raises(RatingInputError, match="self_assessment"):
        _ensure(world, Newcomer(world.id("alice"), "grandmaster"))

    assert not PlayerRating.objects.exists()


def test_asking_twice_or_at_once_makes_one_rating(shared_world: World) -> None:
    world = shared_world

    results = run_together(*[lambda: _ensure(world, Newcomer(world.id("alice"), "expert"))] * 6)

    assert {result[world.id("alice")].pk for result in results} == {world.rating("alice").pk}
    assert RatingEvent.objects.count() == 1
    assert verify_ledger() == []


def test_last_seasons_rating_is_kept_widened_and_wins_over_the_answer(world: World) -> None:
    for _ in range(12):
        world.play("alice", "bob")
    old = world.rating("alice")
    world.now += timedelta(days=30)
    world.answers = {"alice": "novice"}

    world.form(["alice"], ["bob"], season=world.next_season)

    new = world.rating("alice", world.next_season)
    event = RatingEvent.objects.get(player_rating=new)
    told = event.explanation
    assert new.rating == old.rating
    assert old.deviation is not None
    assert new.deviation is not None
    assert new.deviation**2 > old.deviation**2 + 60**2
    assert (told["source"], told["widened_by"], round(told["idle_days"])) == ("earlier_season", 60, 30)
    assert new.placement_left == DEFAULT_RULES.placement_returning


def test_a_rating_that_was_never_played_on_is_not_carried_over(world: World) -> None:
    _ensure(world, Newcomer(world.id("alice"), "novice"))

    ensure_ratings(
        queue_id=world.queue.pk,
        season_id=world.next_season.pk,
        newcomers=[Newcomer(world.id("alice"), "expert")],
        rules=world.rules,
        now=world.now,
    )

    assert world.rating("alice", world.next_season).rating == 1800.0


def test_B101_placement_counts_down_match_by_match_and_shows_no_rank(world: World) -> None:
    for played in range(1, 5):
        world.play("alice", "bob")
        row = world.rating("alice")
        assert (row.games, row.placement_left) == (played, 5 - played)
        assert (row.position, row.tier, row.division, row.points, row.peak_position) == (None,) * 5

    world.play("alice", "bob")

    row = world.rating("alice")
    assert (row.placement_left, row.peak_position) == (0, row.position)
    assert row.position is not None
    assert row.position % 50 == 0


def test_a_forecast_keeps_beliefs_aged_to_its_moment_and_chances_that_add_up(world: World) -> None:
    world.answers = {"alice": "expert"}
    for _ in range(10):
        world.play("alice", "bob")
    world.now += timedelta(days=200)

    forecast = world.form(["alice"], ["bob"])

    alice, bob = (forecast.entries.get(player=world.players[name]) for name in ("alice", "bob"))
    beliefs = club_beliefs(
        queue_id=world.queue.pk, season_id=world.season.pk, player_ids=[world.id("alice")], now=world.now
    )
    assert alice.expected + bob.expected == pytest.approx(1.0)
    assert alice.expected > 0.7
    assert alice.idle_days == pytest.approx(200, abs=0.1)
    assert (alice.rating, alice.deviation) == (beliefs[world.id("alice")].rating, beliefs[world.id("alice")].deviation)


@pytest.mark.parametrize("size", [1, 2])
def test_forming_a_match_costs_the_same_queries_whatever_its_size(world: World, size: int) -> None:
    names = ["alice", "bob", "carol", "dave"]
    teams = (names[:size], names[size : 2 * size])
    with assert_queries(1 + 15, "the match; 11 of which 7 make the ratings, two savepoints and releases"):
        world.form(*teams)

    with assert_queries(1 + 6, "the match; model, ratings, forecast, entries, savepoint and release"):
        world.form(*teams)


def _ensure(world: World, *newcomers: Newcomer) -> dict[object, PlayerRating]:
    return dict(
        ensure_ratings(
            queue_id=world.queue.pk,
            season_id=world.season.pk,
            newcomers=newcomers,
            rules=world.rules,
            now=world.now,
        )
    )
