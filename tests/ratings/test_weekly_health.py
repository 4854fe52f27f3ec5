"""The health page's weeks are those of the ledger: in the right week, on the club scale, play apart from the rest."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import F

from ratings.core.health import PLAY, STAFF, START, Week
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.health import weekly_health
from ratings.selectors.models import engine_of
from ratings.services.ledger import apply_correction
from tests.harness.queries import assert_queries
from tests.ratings.world import World

pytestmark = pytest.mark.django_db
MONDAY = date(2026, 3, 2)  # the world begins on its evening


def weeks_of(world: World, zone: str = "UTC", since: datetime | None = None) -> tuple[Week, ...]:
    return weekly_health(queue_id=world.queue.pk, zone=zone, since=since)


def play_evenly(world: World, rounds: int) -> None:
    for _round in range(rounds):
        world.play("alice", "bob")
        world.play("bob", "alice")
        world.play("carol", "alice", draw=True)


def test_nothing_played_is_no_week(world: World) -> None:
    assert weeks_of(world) == ()


def test_a_week_adds_up_what_its_matches_did(world: World) -> None:
    play_evenly(world, 3)

    (week,) = weeks_of(world)

    events = RatingEvent.objects.filter(kind="match")
    changes = [event.rating_after - event.rating_before for event in events]
    assert (week.starts, week.matches, week.active) == (MONDAY, 9, 3)
    assert week.by_play == pytest.approx(sum(changes))
    assert week.per_match == pytest.approx(sum(changes) / 9)


def test_low_middle_and_high_are_those_of_the_last_ratings(world: World) -> None:
    play_evenly(world, 2)

    (week,) = weeks_of(world)

    ratings = sorted(PlayerRating.objects.filter(games__gt=0).values_list("rating", flat=True))
    assert week.median == pytest.approx(ratings[1])
    assert ratings[0] <= week.low <= week.median <= week.high <= ratings[2]


def test_first_ratings_and_corrections_stand_apart_from_play(world: World) -> None:
    world.answers = {"alice": "expert", "bob": "novice"}
    world.play("alice", "bob")
    before = weeks_of(world)[0].by_play
    apply_correction(
        player_id=world.id("bob"),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=-70.0,
        reason="A friend's account.",
        actor=world.id("carol"),
        now=world.now,
    )

    (week,) = weeks_of(world)

    starts = RatingEvent.objects.filter(kind="placement").annotate(change=F("rating_after") - F("rating_before"))
    assert week.by_play == pytest.approx(before)
    assert week.sums[STAFF] == pytest.approx(-70.0)
    assert week.sums[START] == pytest.approx(sum(starts.values_list("change", flat=True)))
    assert PLAY not in week.sums


def test_a_rating_kept_from_an_earlier_season_is_no_change(world: World) -> None:
    play_evenly(world, 2)
    world.now += timedelta(days=100)
    world.play("alice", "bob", season=world.next_season)

    last = weeks_of(world)[-1]

    assert last.matches == 1
    assert last.sums.get(START, 0.0) == 0.0


def test_the_first_ten_matches_are_not_those_of_an_established_player(world: World) -> None:
    for _round in range(10):
        world.play("alice", "bob")
    assert weeks_of(world)[0].established == 0

    world.play("alice", "carol")

    (week,) = weeks_of(world)
    eleventh = world.last_event("alice")
    assert week.established == 1
    assert week.lifted == pytest.approx(eleventh.rating_after - eleventh.rating_before)
    assert week.squares == pytest.approx(week.lifted**2)


def test_a_match_of_two_established_players_leaves_over_what_both_got(world: World) -> None:
    for _round in range(11):
        world.play("alice", "bob")

    (week,) = weeks_of(world)

    pair = [world.last_event(name) for name in ("alice", "bob")]
    left_over = sum(event.rating_after - event.rating_before for event in pair)
    assert (week.established, week.lifted) == (2, pytest.approx(left_over))
    assert week.squares == pytest.approx(left_over**2)


def test_who_was_established_in_an_earlier_season_is_so_from_the_first_match_on(world: World) -> None:
    for _round in range(12):
        world.play("alice", "bob")
    world.now += timedelta(days=100)

    world.play("alice", "carol", season=world.next_season)

    assert weeks_of(world)[-1].established == 1


@pytest.mark.parametrize("algorithm", ["trueskill", "weng_lin", "elo_fide"])
def test_another_scale_is_told_in_points_of_the_club(world: World, algorithm: str) -> None:
    RatingModel.objects.update(algorithm=algorithm, parameters={})
    engine = engine_of(RatingModel.objects.get())
    play_evenly(world, 3)

    (week,) = weeks_of(world)

    unit = engine.unit  # type: ignore[attr-defined]
    events = RatingEvent.objects.filter(kind="match")
    assert week.by_play == pytest.approx(sum(event.rating_after - event.rating_before for event in events) / unit)
    assert 1300.0 < week.median < 1700.0


@pytest.mark.parametrize(("zone", "starts"), [("UTC", MONDAY), ("Europe/Berlin", MONDAY + timedelta(weeks=1))])
def test_a_week_begins_at_the_club_s_own_midnight(world: World, zone: str, starts: date) -> None:
    world.now = datetime(2026, 3, 8, 23, 30, tzinfo=UTC)

    world.play("alice", "bob")

    assert [week.starts for week in weeks_of(world, zone)] == [starts]


def test_active_are_those_who_played_within_four_weeks(world: World) -> None:
    world.play("alice", "bob")
    for _week in range(4):
        world.now += timedelta(weeks=1)
        world.play("carol", "dave")

    assert [week.active for week in weeks_of(world)] == [2, 4, 4, 4, 2]


def test_a_week_in_which_nobody_played_stands_as_an_empty_one(world: World) -> None:
    world.play("alice", "bob")
    world.now += timedelta(weeks=2)
    world.play("alice", "bob")

    assert [(week.matches, week.active) for week in weeks_of(world)] == [(1, 2), (0, 2), (1, 2)]


def test_what_lies_before_the_moment_asked_for_is_left_out(world: World) -> None:
    world.play("alice", "bob")
    world.now += timedelta(weeks=2)
    world.play("alice", "bob")

    assert [week.matches for week in weeks_of(world, since=world.now - timedelta(weeks=1))] == [1]


@pytest.mark.parametrize("rounds", [1, 60])
def test_the_weeks_cost_two_queries_however_long_the_record(world: World, rounds: int) -> None:
    play_evenly(world, rounds)

    with assert_queries(2, "the queue's models with their scales; everything else in one statement"):
        weeks_of(world)


def test_another_queue_s_matches_are_not_in_it(world: World) -> None:
    world.play("alice", "bob")
    PlayerRating.objects.update(queue=_another_queue(world))

    assert weeks_of(world) == ()


def _another_queue(world: World):
    from ladder.models import Queue

    return Queue.objects.create(
        club=world.queue.club, game=world.queue.game, slug="other", name="Other", created_at=world.now
    )
