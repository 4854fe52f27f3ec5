"""Rating periods: results wait, and what was played in a week or month is rated together when it is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from ladder.models import Match, OutboxEvent, Season
from ladder.selectors.matches import lineups
from ladder.selectors.rank_cards import ladder_of_rules, rank_card
from ladder.selectors.seasons import current, rank_rules
from ladder.selectors.unrated import running_periods, unrated_matches
from ladder.services import backlog, matches, periods, rating, results, seasons
from ladder.services.matches import Seat
from ladder.services.rating import Outcome
from ladder.tasks import close_rating_periods
from ratings.core.elo_fide import initial_rating
from ratings.core.periods import rate_games
from ratings.core.registry import get_engine
from ratings.core.types import Belief, PeriodGame, PlayerFacts
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingEvent
from ratings.selectors.explanations import explanation
from ratings.services.ledger import apply_correction, apply_match
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.ladder.periods import MATCH_EVENTS, close_after, draw, end_of, played, rate_by, start_at
from tests.ladder.world import World, build_world, drain_outbox, play, rating_of

pytestmark = pytest.mark.service

SUNDAY_NIGHT = datetime(2030, 3, 3, 23, tzinfo=UTC)  # midnight in Berlin, the end of the week in which worlds begin


@pytest.fixture
def weekly(world: World) -> World:
    """The club at the start of its first season, its queue rated by weeks."""
    rate_by(world, "week")
    return world


def changes(world: World, player: Any) -> list[float]:
    """What each match added to a player's rating."""
    events = MATCH_EVENTS.filter(player_rating=rating_of(world, player)).order_by("seq")
    return [event.rating_after - event.rating_before for event in events]


def test_a_result_waits_for_the_end_of_its_week_by_the_clock_of_the_club(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))

    assert (match.state, match.rated_at, match.period_ends_at) == (Match.State.COMPLETED, None, SUNDAY_NIGHT)
    assert not MATCH_EVENTS.exists()
    assert not OutboxEvent.objects.filter(delivered_at=None).exists(), "the message was taken: nothing is repeated"
    assert rating.rate_match(match_id=match.pk, now=weekly.now) is Outcome.IN_A_PERIOD


def test_what_waits_for_its_period_is_not_overdue(weekly: World) -> None:
    played(weekly, (weekly.alice, weekly.bob), (weekly.carol, weekly.bob))

    assert rating.requeue_unrated(now=weekly.later(hours=1)) == 0
    assert unrated_matches(now=weekly.now, club_id=weekly.club.pk) == []
    [row] = running_periods(now=weekly.now, club_id=weekly.club.pk)
    assert (row.queue, row.matches, row.ends_at) == ("Blitz", 2, SUNDAY_NIGHT)


def test_a_period_is_closed_once_it_is_over_and_not_before(weekly: World) -> None:
    first, second = played(weekly, (weekly.alice, weekly.bob), (weekly.carol, weekly.alice))

    assert periods.close_due(now=SUNDAY_NIGHT - timedelta(seconds=1)) == 0
    assert periods.close_due(now=SUNDAY_NIGHT + timedelta(seconds=1)) == 0, "a last result may still be on its way"
    assert close_after(weekly, first) == 2
    assert close_after(weekly, first) == 0

    for match in (first, second):
        match.refresh_from_db()
        assert (match.rated_at, match.period_ends_at) == (weekly.now, SUNDAY_NIGHT)
    assert MATCH_EVENTS.count() == 4
    assert rating_of(weekly, weekly.alice).games == 2
    assert unrated_matches(now=weekly.now) == []
    assert verify_ledger() == []


def test_all_games_of_a_week_are_rated_from_the_beliefs_before_it(weekly: World) -> None:
    """Whoever plays the first and the last match of a week meets the same opponent as far as the rating knows."""
    matches = played(weekly, (weekly.alice, weekly.bob), (weekly.bob, weekly.carol), (weekly.alice, weekly.carol))
    engine = get_engine("glicko2")
    before = {
        (one.forecast.match_id, one.player_id): Belief(one.rating, one.deviation, one.volatility)
        for one in ForecastEntry.objects.filter(forecast__match__in=matches)
    }
    met = ((matches[0], weekly.bob), (matches[2], weekly.carol))
    games = [PeriodGame(before[match.pk, opponent.pk], 1.0) for match, opponent in met]

    close_after(weekly, matches[0])

    expected = rate_games(engine, before[matches[0].pk, weekly.alice.pk], games)
    row = rating_of(weekly, weekly.alice)
    assert Belief(row.rating, row.deviation, row.volatility) == expected.belief
    assert changes(weekly, weekly.alice) == pytest.approx([float(share) for share in expected.shares])
    assert verify_ledger() == []


def test_a_week_of_glicko_2_gives_the_numbers_of_the_paper(world: World) -> None:
    rate_by(world, "week", "glicko2", {"tau": 0.5})
    start_at(world, world.alice, rating=1500, deviation=200)
    for player, rated, deviation in ((world.bob, 1400, 30), (world.carol, 1550, 100), (world.dave, 1700, 300)):
        start_at(world, player, rating=rated, deviation=deviation)

    matches = played(world, (world.alice, world.bob), (world.carol, world.alice), (world.dave, world.alice))
    assert close_after(world, matches[0]) == 3

    row = rating_of(world, world.alice)
    assert row.rating == pytest.approx(1464.06, abs=0.01)
    assert row.deviation == pytest.approx(151.52, abs=0.01)
    assert row.volatility == pytest.approx(0.05999, abs=0.00001)
    won, lost, lost_again = changes(world, world.alice)
    assert won > 0 > lost
    assert lost_again < 0
    assert sum((won, lost, lost_again)) == pytest.approx(1464.06 - 1500, abs=0.01)
    assert verify_ledger() == []


def test_a_month_of_fide_is_rounded_once_as_the_handbook_says(world: World) -> None:
    """Six games at K 40, against opponents for whom the Handbook's table expects 2.86 points; 3.5 were made."""
    rate_by(world, "month", "elo_fide")
    start_at(world, world.alice, rating=1500)
    others = [world.bob, world.carol, world.dave, world.maud, world.olga, world.otto]
    for player, rated in zip(others, (1437, 1463, 1511, 1589, 1604, 1500), strict=True):
        start_at(world, player, rating=rated)

    matches = played(world, (world.alice, world.bob), (world.carol, world.alice), (world.alice, world.dave))
    matches.append(draw(world, world.alice, world.maud))
    matches += played(world, (world.alice, world.olga), (world.otto, world.alice))
    expected = (0.59, 0.55, 0.48, 0.38, 0.36, 0.50)  # table 8.1.2 at gaps of 63, 37, -11, -89, -104 and 0
    total = 3.5 - sum(expected)
    assert total == pytest.approx(0.64)
    assert {end_of(match) for match in matches} == {datetime(2030, 3, 31, 22, tzinfo=UTC)}, "summer time has begun"

    assert close_after(world, matches[0]) == 6

    assert rating_of(world, world.alice).rating == 1526, "40 x 0.64 is 25.6 and rounded once"
    shares = changes(world, world.alice)
    assert shares == pytest.approx([16.4, -22.0, 20.8, 4.8, 25.6, -20.0 + 0.4], abs=1e-9)
    assert rating_of(world, world.bob).rating == 1437 - 16, "40 x .41 is 16.4, rounded for everybody alone"
    assert verify_ledger() == []


def test_a_period_that_ended_during_an_outage_is_closed_later_with_the_same_numbers(weekly: World) -> None:
    games = [(weekly.alice, weekly.bob), (weekly.bob, weekly.carol), (weekly.carol, weekly.alice)]
    matches = [play(weekly, *game) for game in games]  # no worker takes anything from the outbox

    assert periods.close_due(now=SUNDAY_NIGHT + timedelta(days=16)) == 3

    late = {row.player_id: (row.rating, row.deviation, row.volatility) for row in PlayerRating.objects.all()}
    assert {end_of(match) for match in matches} == {SUNDAY_NIGHT}
    drain_outbox(weekly.now)
    assert MATCH_EVENTS.count() == 6, "what the outbox still held rates nothing again"
    entries = ForecastEntry.objects.select_related("forecast").order_by("forecast__created_at")
    base = next(one for one in entries if one.player_id == weekly.bob.pk)
    his = {matches[0].pk, matches[1].pk}
    met = [one for one in entries if one.player_id != weekly.bob.pk and one.forecast.match_id in his]
    on_time = get_engine("glicko2").rate_period(
        Belief(base.rating, base.deviation, base.volatility),
        [PeriodGame(Belief(one.rating, one.deviation), score) for one, score in zip(met, (0.0, 1.0), strict=True)],
    )
    assert late[weekly.bob.pk] == (on_time.rating, on_time.deviation, on_time.volatility)


def test_weeks_that_are_overdue_are_closed_one_after_another(weekly: World) -> None:
    [first] = played(weekly, (weekly.alice, weekly.bob))
    weekly.later(days=7)
    [second] = played(weekly, (weekly.bob, weekly.alice))

    weekly.later(days=30)
    assert periods.close_due(now=weekly.now) == 2

    chain = MATCH_EVENTS.filter(player_rating=rating_of(weekly, weekly.alice)).order_by("seq")
    assert [event.match_id for event in chain] == [first.pk, second.pk]
    assert end_of(second) - end_of(first) == timedelta(days=7)
    assert verify_ledger() == []


def test_a_result_of_the_last_microsecond_belongs_to_the_period_and_one_of_the_next_does_not(weekly: World) -> None:
    last, next_one = (weekly.match(weekly.alice, weekly.bob), weekly.match(weekly.carol, weekly.dave))
    for match, winner in ((last, weekly.alice), (next_one, weekly.carol)):
        results.report(match_id=match.pk, actor=winner, revision=0, winner=0, scores=None, now=weekly.now)
    results.confirm(match_id=last.pk, actor=weekly.bob, revision=1, now=SUNDAY_NIGHT - timedelta(microseconds=1))
    results.confirm(match_id=next_one.pk, actor=weekly.dave, revision=1, now=SUNDAY_NIGHT)
    drain_outbox(SUNDAY_NIGHT + timedelta(seconds=1))

    assert close_after(weekly, last) == 1
    assert end_of(last) == SUNDAY_NIGHT
    assert end_of(next_one) == SUNDAY_NIGHT + timedelta(days=7)
    assert not MATCH_EVENTS.filter(match=next_one).exists()


def test_a_result_that_arrives_after_its_period_was_closed_is_rated_by_itself(weekly: World) -> None:
    first = played(weekly, (weekly.alice, weekly.bob))[0]
    assert close_after(weekly, first) == 1
    late = play(weekly, weekly.carol, weekly.alice)
    Match.objects.filter(pk=late.pk).update(completed_at=SUNDAY_NIGHT - timedelta(microseconds=1))

    assert periods.close_due(now=weekly.later(minutes=1)) == 1

    assert end_of(late) == SUNDAY_NIGHT
    assert rating_of(weekly, weekly.alice).games == 2
    assert verify_ledger() == []


def test_the_end_of_a_season_cuts_its_period_short_and_then_the_season_closes(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))

    season = seasons.close_season(season=weekly.season, actor=weekly.olga, now=weekly.later(hours=1))
    assert season.state == Season.State.CLOSING, "a match still waits for its rating"
    assert end_of(match) == weekly.now
    assert seasons.finish_closing(now=weekly.later(seconds=10)) == 0

    assert periods.close_due(now=weekly.later(minutes=1)) == 1
    assert seasons.finish_closing(now=weekly.later(seconds=1)) == 1
    weekly.season.refresh_from_db()
    assert weekly.season.state == Season.State.CLOSED
    assert rating_of(weekly, weekly.alice).wins == 1


def test_a_result_that_comes_while_the_season_closes_need_not_wait_for_the_calendar(weekly: World) -> None:
    match = weekly.match(weekly.alice, weekly.bob)
    results.report(match_id=match.pk, actor=weekly.alice, revision=0, winner=0, scores=None, now=weekly.now)
    seasons.close_season(season=weekly.season, actor=weekly.olga, now=weekly.later(hours=1))
    results.confirm(match_id=match.pk, actor=weekly.bob, revision=1, now=weekly.later(hours=1))
    drain_outbox(weekly.now)

    assert periods.close_due(now=weekly.later(seconds=1)) == 0
    assert periods.close_due(now=weekly.later(minutes=1)) == 1
    assert seasons.finish_closing(now=weekly.now) == 1


def test_a_hand_s_correction_during_the_week_is_kept_and_not_counted_twice(weekly: World) -> None:
    matches = played(weekly, (weekly.alice, weekly.bob))
    apply_correction(
        player_id=weekly.alice.pk,
        queue_id=weekly.queue.pk,
        season_id=weekly.season.pk,
        rating_delta=200,
        reason="played under another name",
        actor=weekly.maud.pk,
        now=weekly.later(hours=1),
    )
    matches += played(weekly, (weekly.alice, weekly.carol))
    before = rating_of(weekly, weekly.alice).rating
    entries = {one.forecast.match_id: one for one in ForecastEntry.objects.filter(player=weekly.alice)}
    assert entries[matches[1].pk].rating == entries[matches[0].pk].rating + 200

    close_after(weekly, matches[0])

    first, second = changes(weekly, weekly.alice)
    assert rating_of(weekly, weekly.alice).rating == pytest.approx(before + first + second)
    assert first > second > 0, "the second was against somebody 200 points weaker, as was known when it was formed"
    assert verify_ledger() == []


def test_the_visible_rank_takes_one_step_for_each_match_in_their_order(weekly: World) -> None:
    games = [(weekly.alice, weekly.bob), (weekly.carol, weekly.alice), (weekly.alice, weekly.dave)] * 3
    matches = played(weekly, *games)

    close_after(weekly, matches[0])

    events = list(MATCH_EVENTS.filter(player_rating=rating_of(weekly, weekly.alice)).order_by("seq"))
    assert [event.match_id for event in events] == [match.pk for match in matches]
    results_told = [event.explanation["result"] for event in events]
    assert results_told == ["win", "loss", "win"] * 3
    ranked = [event for event in events if event.position_before is not None]
    assert len(ranked) == 4, "five matches of placement come first"
    assert all((event.points_delta or 0) * {"win": 1, "loss": -1}[event.explanation["result"]] >= 0 for event in ranked)
    assert [event.explanation["period"]["game"] for event in events] == list(range(1, 10))


def test_the_explanation_tells_the_staff_which_game_of_which_period_it_was(weekly: World) -> None:
    match = played(weekly, (weekly.alice, weekly.bob), (weekly.alice, weekly.carol))[0]
    close_after(weekly, match)
    event = MATCH_EVENTS.select_related("rating_model", "actor").get(
        match=match, player_rating=rating_of(weekly, weekly.alice)
    )

    staff, player = str(explanation(event, "staff")), str(explanation(event))

    assert "Game 1 of 2 of the rating period that ended at 2030-03-03 23:00 UTC, rated together." in staff
    assert "rating period" not in player


def test_no_door_rates_a_match_of_a_period_by_itself(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))
    outcome = backlog.outcome_of(match, lineups([match.pk])[match.pk], rank_rules(weekly.season.rules.get()))

    with pytest.raises(DomainError) as refused:
        apply_match(outcome=outcome, now=weekly.now)

    assert refused.value.code == "waits_for_period"
    assert not MATCH_EVENTS.exists()


def test_a_backlog_puts_matches_into_their_period_and_rates_none_of_them(weekly: World) -> None:
    cast = [weekly.alice, weekly.bob, weekly.carol, weekly.dave]
    matches = [play(weekly, cast[number % 4], cast[(number + 1) % 4]) for number in range(12)]

    assert backlog.relieve(least=10, now=weekly.later(minutes=1)) == 0

    assert {end_of(match) for match in matches} == {SUNDAY_NIGHT}
    assert not OutboxEvent.objects.filter(kind="match.completed", delivered_at=None).exists()
    assert close_after(weekly, matches[0]) == 12
    assert verify_ledger() == []


def test_a_period_that_cannot_be_rated_is_on_the_list_with_its_error_and_holds_up_no_other(weekly: World) -> None:
    [broken] = played(weekly, (weekly.alice, weekly.bob))
    broken.forecast.entries.all().delete()
    weekly.later(days=7)
    [sound] = played(weekly, (weekly.carol, weekly.dave))
    OutboxEvent.objects.filter(key=str(broken.pk)).delete()

    assert close_after(weekly, sound) == 1

    [row] = unrated_matches(now=weekly.now)
    assert (row.match.pk, row.code) == (broken.pk, "failing")
    assert not MATCH_EVENTS.filter(match=broken).exists()
    assert rating.requeue_unrated(now=weekly.later(hours=1)) == 0


def test_a_period_nobody_closed_is_told_as_such(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))

    [just_over] = unrated_matches(now=SUNDAY_NIGHT + timedelta(minutes=1))
    [long_over] = unrated_matches(now=SUNDAY_NIGHT + timedelta(hours=1))

    assert (just_over.match.pk, just_over.code, long_over.code) == (match.pk, "period_over", "period_over")
    assert "in a moment" in just_over.sentence
    assert "worker" in long_over.sentence


def test_the_real_beat_task_closes_what_is_over(db: None) -> None:
    world = build_world(timezone.now() - timedelta(days=20))
    rate_by(world, "week")
    matches = played(world, (world.alice, world.bob), (world.bob, world.alice))

    close_rating_periods()

    assert MATCH_EVENTS.count() == 2 * len(matches)
    assert OutboxEvent.objects.filter(kind="rating.changed").count() == 1


def test_closing_costs_the_same_however_many_matches_it_rates(weekly: World) -> None:
    [first] = played(weekly, (weekly.alice, weekly.bob))
    reason = (
        "what is cut short, what enters, which groups are over; of the group: its matches, earlier ones, line-ups, "
        "rules, in the ledger ratings, models, rated before, forecasts, new events, new values; marks, club, outbox, "
        "what is next; two savepoints"
    )
    weekly.now = SUNDAY_NIGHT + timedelta(minutes=1)
    with assert_queries(21, reason):
        assert periods.close_due(now=weekly.now) == 1

    cast = [weekly.alice, weekly.bob, weekly.carol, weekly.dave]
    weekly.later(minutes=1)
    played(weekly, *[(cast[n % 4], cast[(n + 1) % 4]) for n in range(24)])
    weekly.now = SUNDAY_NIGHT + timedelta(days=7, minutes=1)
    with assert_queries(21, reason):
        assert periods.close_due(now=weekly.now) == 24
    assert end_of(first) == SUNDAY_NIGHT


def test_an_empty_minute_asks_little(weekly: World) -> None:
    with assert_queries(3, "cut short, enter, groups"):
        assert periods.close_due(now=weekly.now) == 0


def test_the_rank_card_says_how_many_matches_count_and_when(weekly: World) -> None:
    played(weekly, (weekly.alice, weekly.bob), (weekly.carol, weekly.alice))
    rules = current(weekly.queue)
    assert rules is not None

    ladder = ladder_of_rules(rules)

    with assert_queries(1, "rank, place and what waits come together"):
        card = rank_card(ladder, weekly.alice.pk)
    assert card is not None
    assert card.waiting_line == "2 matches count on 4 March 2030, when the rating period ends."
    bob = rank_card(ladder, weekly.bob.pk)
    assert bob is not None
    assert bob.waiting_line == "1 match counts on 4 March 2030, when the rating period ends."
    assert rank_card(ladder, weekly.dave.pk) is None

    close_after(weekly, Match.objects.latest("pk"))
    card = rank_card(ladder, weekly.alice.pk)
    assert card is not None
    assert (card.waiting_line, card.played) == ("", 2)


def test_provisional_k_and_the_handbook_s_k_are_those_of_the_period_s_first_day(world: World) -> None:
    rate_by(world, "month", "elo", {"provisional_games": 3, "provisional_k": 64})
    matches = played(world, *[(world.alice, world.bob)] * 5)

    close_after(world, matches[0])

    row = rating_of(world, world.alice)
    engine = get_engine("elo", {"provisional_games": 3, "provisional_k": 64})
    games = [PeriodGame(Belief(1500), 1.0)] * 5
    assert row.rating == engine.rate_period(Belief(1500), games, PlayerFacts(games=0)).rating == 1500 + 64 * 2.5


def test_rating_events_are_named_after_the_model_of_the_period(weekly: World) -> None:
    [match] = played(weekly, (weekly.alice, weekly.bob))
    close_after(weekly, match)

    assert {event.rating_model.period for event in RatingEvent.objects.filter(match=match)} == {"week"}


def test_five_games_make_a_first_rating_also_over_two_months(world: World) -> None:
    """Four of the first month change nothing; with the fifth the average of all five and two of 1800 counts."""
    rate_by(world, "month", "elo_fide", {"first_rating": True})
    others = [world.bob, world.carol, world.dave, world.maud, world.olga]
    strength = (1600, 1700, 1800, 1900, 2000)
    for player, rated in zip(others, strength, strict=True):
        start_at(world, player, rating=rated)
    start_at(world, world.alice, rating=1500)

    march = played(world, *[(world.alice, other) for other in others[:4]])
    assert close_after(world, march[0]) == 4
    assert changes(world, world.alice) == [0, 0, 0, 0]
    assert rating_of(world, world.alice).wins == 4
    [april] = played(world, (world.olga, world.alice))
    now = end_of(april) + timedelta(minutes=1)
    with assert_queries(
        24, "those of any closing, the events and forecasts of the first games, and which of them were undone"
    ):
        assert periods.close_due(now=now) == 1

    assert rating_of(world, world.alice).rating == initial_rating(strength, 4.0)
    assert rating_of(world, world.olga).rating == 2000, "one game of a newcomer's five"
    assert verify_ledger() == []


def test_side_and_margin_count_in_a_period_as_they_do_in_a_match(world: World) -> None:
    """White in the first game, a clear result in the second; the engine is told both."""
    parameters = {"side_advantage": 60, "margin_weight": 0.5, "margin_power": 1}
    rate_by(world, "week", "glicko2", parameters)
    seats = [[Seat(world.alice.pk)], [Seat(world.bob.pk)]]
    plain = {"queue": world.queue, "season": world.season, "seats": seats, "quality": None, "now": world.now}
    games: list[PeriodGame] = []
    for side, scores, edge in ((0, (1, 0), 1), (1, (5, 1), -1)):
        match = matches.create(**plain, side=side, state=Match.State.ASSIGNED)
        results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=scores, now=world.now)
        results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(minutes=1))
        opponent = match.forecast.entries.get(player=world.bob)
        believed = Belief(opponent.rating, opponent.deviation)
        games.append(PeriodGame(believed, 1.0, edge, margin=float(scores[0] - scores[1])))
    base = match.forecast.entries.get(player=world.alice)
    drain_outbox(world.now)

    close_after(world, match)

    row = rating_of(world, world.alice)
    engine = get_engine("glicko2", parameters)
    expected = engine.rate_period(Belief(base.rating, base.deviation, base.volatility), games)
    assert (row.rating, row.deviation, row.volatility) == pytest.approx(
        (expected.rating, expected.deviation, expected.volatility), rel=1e-9
    )
    assert row.rating > engine.rate_period(engine.initial(), [replace(game, margin=None) for game in games]).rating
    assert verify_ledger() == []
