"""Newcomers of a queue start from what the club's other queues know of them, and the placement says so."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from ladder.models import Club, Game, Match, Queue, Season
from ratings.core.priors import Signal, Source, combine
from ratings.core.rating_match import aged_belief
from ratings.core.types import Belief
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.selectors import engine_of, explanation
from ratings.services import forecasts
from ratings.services.ledger import MatchOutcome, apply_correction, apply_history, apply_match
from ratings.services.models import ensure_first_model
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ratings.world import START, World, put_in_force

pytestmark = pytest.mark.service


def another(world: World, name: str, *, game: str = "Chess", club: Club | None = None) -> World:
    """Another queue with a season of its own and the same players."""
    club = club or world.queue.club
    own_game, _made = Game.objects.get_or_create(club=club, name=game)
    queue = Queue.objects.create(club=club, game=own_game, slug=name.lower(), name=name, created_at=START)
    season = Season.objects.create(club=club, slug=f"in-{name.lower()}", name=name, state="open", created_at=START)
    ensure_first_model(queue_id=queue.pk, now=START)
    return replace(world, queue=queue, season=season, next_season=world.next_season, answers={})


def played(world: World, times: int = 12) -> World:
    """Alice beat Bob so many times there; the clocks of both go on."""
    for _number in range(times):
        world.play("alice", "bob")
    return world


def place(world: World, *newcomers: Newcomer) -> None:
    ensure_ratings(
        queue_id=world.queue.pk, season_id=world.season.pk, newcomers=newcomers, rules=world.rules, now=world.now
    )


def known(world: World, name: str, at: Any) -> Belief:
    """What a stored rating says at that moment, on the club scale."""
    row = world.rating(name)
    assert row.last_match_at is not None
    engine = engine_of(row.rating_model)
    days = (at - row.last_match_at).total_seconds() / 86_400
    return engine.to_club(aged_belief(engine, Belief(row.rating, row.deviation, row.volatility), days))


def start(world: World, name: str) -> Belief:
    """Where somebody's rating stands, on the club scale."""
    row = world.rating(name)
    return engine_of(row.rating_model).to_club(Belief(row.rating, row.deviation, row.volatility))


def test_an_expert_with_a_rating_in_doubles_starts_from_both_and_reads_why(world: World) -> None:
    doubles = played(another(world, "Doubles"))
    world.now = doubles.now + timedelta(days=20)
    there = known(doubles, "alice", world.now)
    assert there.deviation is not None

    place(world, Newcomer(world.id("alice"), "expert"))

    wide = math.hypot(there.deviation, 100)
    expected = combine([Signal(Source.SAME_GAME, there.rating, wide), Signal(Source.SELF_ASSESSMENT, 1800.0, 350.0)])
    begin, event = start(world, "alice"), world.last_event("alice")
    assert begin.rating == pytest.approx(expected.rating)
    assert begin.deviation == pytest.approx(expected.deviation)
    assert (event.kind, event.explanation["source"], event.explanation["matches"]) == ("placement", "other_queues", 5)
    assert [one["source"] for one in event.explanation["signals"]] == ["same_game", "self_assessment"]
    assert str(explanation(event)) == (
        "You start from your matches in Doubles and what you said about yourself when you joined, with 5 placement "
        "matches."
    )
    assert verify_ledger() == []


def test_the_staff_reads_every_number_of_every_signal(world: World) -> None:
    world.queue.prior_rules = {"offset": -40, "other_game_weight": 0.5}
    world.queue.save()
    doubles = played(another(world, "Doubles"))
    darts = played(replace(another(world, "Darts", game="Darts"), now=doubles.now))
    world.now = darts.now + timedelta(days=3)
    place(world, Newcomer(world.id("alice"), "expert"))

    told = explanation(world.last_event("alice"), "staff").sentences

    here, there = known(doubles, "alice", world.now), known(darts, "alice", world.now)
    assert here.deviation is not None
    assert there.deviation is not None
    assert told[1] == (
        f"Doubles, the same game: {here.rating:.2f} ± {here.deviation:.2f} after 12 matches, idle 3.0 days, offset -40,"
        f" widened by 100: {here.rating - 40:.2f} ± {math.hypot(here.deviation, 100):.2f}."
    )
    assert told[2] == (
        f"Darts, another game: {there.rating:.2f} ± {there.deviation:.2f} after 12 matches, idle 3.0 days, weight 0.5,"
        f" widened by 200: {1500 + (there.rating - 1500) / 2:.2f} ± {math.hypot(there.deviation / 2, 200):.2f}."
    )
    assert told[3] == "Self-assessment: expert, 1800.00 ± 350.00."


def test_the_player_reads_the_names_of_three_queues_and_no_number(world: World) -> None:
    now = world.now
    for name in ("Doubles", "Blitz", "Rapid", "Bullet"):
        now = played(replace(another(world, name), now=now), 2).now
    world.now = now
    place(world, Newcomer(world.id("alice")))

    words = str(explanation(world.last_event("alice")))

    assert words.startswith("You start from your matches in ")
    assert words.count(",") == 3  # between the names, and before the matches
    assert "…" in words
    assert [part for part in words.split() if part.strip(".,").isdigit()] == ["5"]


def test_another_game_says_nothing_until_it_is_given_weight(world: World) -> None:
    darts = played(another(world, "Darts", game="Darts"))
    world.now = darts.now

    place(world, Newcomer(world.id("alice")))
    world.queue.prior_rules = {"other_game_weight": 0.4, "other_game_widening": 250}
    world.queue.save()
    place(world, Newcomer(world.id("bob")))

    there = known(darts, "bob", world.now)
    assert there.deviation is not None
    assert world.last_event("alice").explanation["source"] == "newcomer"
    assert start(world, "alice").rating == 1500.0
    assert start(world, "bob").rating == pytest.approx(1500 + 0.4 * (there.rating - 1500))
    assert start(world, "bob").deviation == pytest.approx(math.hypot(0.4 * there.deviation, 250))


def test_an_earlier_season_of_the_queue_itself_stands_alone(world: World) -> None:
    played(world)
    old = world.rating("alice")
    doubles = played(replace(another(world, "Doubles"), now=world.now), 3)
    world.now = doubles.now

    place(replace(world, season=world.next_season), Newcomer(world.id("alice"), "novice"))

    new = world.rating("alice", world.next_season)
    assert new.rating == old.rating
    assert RatingEvent.objects.get(player_rating=new).explanation["source"] == "earlier_season"


def test_a_rating_that_nobody_played_on_says_nothing(world: World) -> None:
    place(another(world, "Doubles"), Newcomer(world.id("alice"), "expert"))

    place(world, Newcomer(world.id("alice")))

    assert start(world, "alice").rating == 1500.0


def test_a_rating_in_another_club_says_nothing(world: World) -> None:
    elsewhere = Club.objects.create(slug="river", name="River", created_at=START)
    world.now = played(another(world, "Doubles", club=elsewhere)).now

    place(world, Newcomer(world.id("alice")))

    assert world.last_event("alice").explanation["source"] == "newcomer"


def test_of_another_queue_the_season_played_last_counts(world: World) -> None:
    doubles = played(another(world, "Doubles"))
    later = Season.objects.create(club=world.queue.club, slug="l", name="Later", state="open", created_at=START)
    second = replace(doubles, season=later, now=doubles.now + timedelta(days=50))
    second.play("bob", "alice")
    world.now = second.now

    place(world, Newcomer(world.id("alice")))

    (signal,) = world.last_event("alice").explanation["signals"]
    assert signal["games"] == 1
    assert signal["rating"] == pytest.approx(known(second, "alice", world.now).rating)


@pytest.mark.parametrize("algorithm", ["elo", "weng_lin", "trueskill"])
def test_the_other_queue_may_stand_on_another_scale(world: World, algorithm: str) -> None:
    doubles = another(world, "Doubles")
    put_in_force(doubles, algorithm)
    played(doubles)
    world.now = doubles.now

    place(world, Newcomer(world.id("alice")))

    there = known(doubles, "alice", world.now)
    deviation = 350 / math.sqrt(13) if there.deviation is None else there.deviation
    assert there.rating > 1550
    assert start(world, "alice").rating == pytest.approx(there.rating)
    assert start(world, "alice").deviation == pytest.approx(math.hypot(deviation, 100))


def test_a_correction_in_the_other_queue_counts_from_the_moment_it_was_made(world: World) -> None:
    doubles = played(another(world, "Doubles"))
    before = known(doubles, "alice", doubles.now).rating
    apply_correction(
        player_id=world.id("alice"),
        queue_id=doubles.queue.pk,
        season_id=doubles.season.pk,
        rating_delta=-200.0,
        reason="another account",
        actor=world.id("dave"),
        now=doubles.now + timedelta(days=5),
    )

    world.now = doubles.now + timedelta(days=4)
    place(world, Newcomer(world.id("alice")))
    world.now = doubles.now + timedelta(days=6)
    place(replace(world, season=world.next_season), Newcomer(world.id("alice")))

    late = world.rating("alice", world.next_season)
    assert start(world, "alice").rating == pytest.approx(before)
    assert late.rating == pytest.approx(before - 200)


def test_the_three_roads_to_a_first_rating_give_the_same(world: World) -> None:
    doubles = played(another(world, "Doubles"))
    world.now, world.answers = doubles.now + timedelta(days=9), {"alice": "expert"}
    numbers = []
    for road in ("ticket", "forecast", "history"):
        undo = transaction.savepoint()
        _place_by(road, replace(world))
        event = RatingEvent.objects.get(player_rating=world.rating("alice"), kind="placement")
        numbers.append((event.rating_after, event.deviation_after, event.explanation))
        transaction.savepoint_rollback(undo)

    assert numbers[0] == numbers[1] == numbers[2]
    assert numbers[0][2]["source"] == "other_queues"


def _place_by(road: str, world: World) -> None:
    at = world.now
    if road == "ticket":
        place(world, Newcomer(world.id("alice"), "expert"))
    elif road == "forecast":
        world.now -= timedelta(minutes=1)
        world.form(["alice"], ["carol"])
    else:
        newcomers = {world.id("alice"): Newcomer(world.id("alice"), "expert")}
        apply_history(outcomes=[_match(world, "alice", "carol", at)], newcomers=newcomers, now=at)


def test_a_history_beside_other_queues_gives_bit_for_bit_what_single_matches_give(world: World) -> None:
    world.queue.prior_rules = {"offset": 30, "other_game_weight": 0.3}
    world.queue.save()
    played(another(world, "Doubles"), 8)
    _imported(another(world, "Darts", game="Darts"))
    names = ["alice", "bob", "carol", "dave"]
    outcomes = [
        _match(world, names[number % 4], names[(number * 3 + 1) % 4], START + timedelta(days=number * 4))
        for number in range(-4, 24)
        if number % 4 != (number * 3 + 1) % 4
    ]
    undo = transaction.savepoint()
    _one_by_one(world, outcomes)
    single = _numbers(world)
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers={}, now=START + timedelta(days=400))

    assert _numbers(world) == single
    assert verify_ledger() == []


def test_in_an_old_history_other_queues_count_as_they_stood_then(world: World) -> None:
    doubles = played(another(world, "Doubles"), 3)
    then = known(doubles, "alice", doubles.now)
    for _number in range(10):
        doubles.now += timedelta(days=10)
        doubles.play("bob", "alice")
    fives = played(replace(another(world, "Fives"), now=doubles.now))
    at = START + timedelta(minutes=3)

    apply_history(outcomes=[_match(world, "alice", "carol", at)], newcomers={}, now=fives.now)

    event = RatingEvent.objects.get(player_rating=world.rating("alice"), kind="placement")
    (signal,) = event.explanation["signals"]
    assert (signal["queue_name"], signal["games"]) == ("Doubles", 3)
    assert signal["rating"] == pytest.approx(then.rating)


def test_an_imported_rating_counts_from_the_day_it_was_played_on(world: World) -> None:
    darts = another(world, "Darts")
    _imported(darts)  # five matches, four days apart from START on, all written later

    outcomes = [_match(world, "alice", "carol", START + timedelta(days=9))]
    apply_history(outcomes=outcomes, newcomers={}, now=START + timedelta(days=300))

    (signal,) = RatingEvent.objects.get(player_rating=world.rating("alice"), kind="placement").explanation["signals"]
    assert (signal["games"], round(signal["idle_days"])) == (3, 1)


@pytest.mark.parametrize(("queues", "size"), [(1, 1), (4, 2)])
def test_placing_costs_the_same_queries_whatever_there_is_to_know(world: World, queues: int, size: int) -> None:
    for number in range(queues):
        other = another(world, f"Queue{number}")
        other.play("alice", "bob")
        other.play("carol", "dave")
    names = ["alice", "bob", "carol", "dave"]

    with assert_queries(1 + 15, "the match; 11 of which 7 make the ratings, two savepoints and releases"):
        world.form(names[:size], names[size : 2 * size])


def test_a_history_reads_other_queues_once(world: World) -> None:
    counts = []
    for length in (2, 40):
        undo = transaction.savepoint()
        played(another(world, "Doubles"), 2)
        names = ["alice", "bob", "carol", "dave"]
        outcomes = [
            _match(world, names[number % 4], names[(number + 1) % 4], START + timedelta(days=number))
            for number in range(length)
        ]
        with assert_queries(
            22, "ratings, models, events, basis, other queues, forecasts, four writes", at_most=True
        ) as n:
            apply_history(outcomes=outcomes, newcomers={}, now=START + timedelta(days=100))
        counts.append(len(n))
        transaction.savepoint_rollback(undo)

    assert counts[0] == counts[1]


def test_at_once_with_matches_in_the_other_queue_there_is_one_start_and_it_can_be_explained(
    shared_world: World,
) -> None:
    world = shared_world
    doubles = played(another(world, "Doubles"))
    world.now = doubles.now + timedelta(hours=1)
    formed = [doubles.form(["alice"], ["bob"]) for _number in range(3)]
    outcomes = [doubles.outcome(one) for one in formed]

    results = run_together(
        *[lambda: place(world, Newcomer(world.id("alice"), "expert"))] * 4,
        *[lambda outcome=outcome: apply_match(outcome=outcome, now=doubles.now) for outcome in outcomes],
    )

    event = RatingEvent.objects.get(player_rating=world.rating("alice"))
    assert [one for one in results if isinstance(one, Exception)] == []
    assert event.explanation["signals"][0]["games"] in range(12, 16)
    assert verify_ledger() == []


def test_two_queues_placing_the_same_person_at_once_do_not_wait_for_each_other(shared_world: World) -> None:
    world = shared_world
    fives = played(another(world, "Fives"))
    doubles = another(world, "Doubles")
    world.now = doubles.now = fives.now

    results = run_together(
        *[lambda: place(world, Newcomer(world.id("alice"), "club"))] * 3,
        *[lambda: place(doubles, Newcomer(world.id("alice"), "club"))] * 3,
    )

    assert results == [None] * 6
    assert PlayerRating.objects.filter(player=world.players["alice"]).count() == 3
    told = RatingEvent.objects.filter(player_rating__player=world.players["alice"], player_rating__games=0)
    assert {tuple(one["source"] for one in event.explanation["signals"]) for event in told} == {
        ("same_game", "self_assessment")
    }


def _match(world: World, winner: str, loser: str, at: Any) -> MatchOutcome:
    """A match that was played and is not rated."""
    match = Match.objects.create(
        queue=world.queue, season=world.season, source="import", state="completed", formed_at=at, completed_at=at
    )
    teams = ((world.id(winner),), (world.id(loser),))
    return MatchOutcome(match.pk, world.queue.pk, world.season.pk, teams, (1, 2), at, world.rules)


def _imported(world: World) -> None:
    """Five wins of Alice over Bob, four days apart, all written a long time afterwards."""
    outcomes = [_match(world, "alice", "bob", START + timedelta(days=4 * number)) for number in range(5)]
    apply_history(outcomes=outcomes, newcomers={}, now=START + timedelta(days=200))


def _one_by_one(world: World, outcomes: list[MatchOutcome]) -> None:
    for outcome in outcomes:
        forecasts.record(
            match_id=outcome.match_id,
            queue_id=outcome.queue_id,
            season_id=outcome.season_id,
            teams=outcome.teams,
            quality=None,
            rules=outcome.rules,
            now=outcome.completed_at,
        )
        apply_match(outcome=outcome, now=outcome.completed_at)


def _numbers(world: World) -> list[Any]:
    """Every event of the queue without keys, hashes and the time of writing."""
    events = RatingEvent.objects.filter(player_rating__queue=world.queue).order_by("player_rating__player", "seq")
    entries = ForecastEntry.objects.filter(forecast__match__queue=world.queue).order_by("forecast__match", "player")
    keys = {"id", "created_at", "player_rating_id", "canonical", "previous_hash", "hash", "forecast_id"}
    rows: list[dict[str, Any]] = [*events.values(), *entries.values()]
    return [{name: value for name, value in row.items() if name not in keys} for row in rows]
