"""Idle ranks fade in the ledger: once a day that costs, whoever comes when, and nothing but the rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction

from ladder.models import Club, Pause, SeasonRules
from ratings.core.decay import Calendar, Stretch
from ratings.core.rank_rules import RankRules
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors import explanation
from ratings.selectors.calendars import calendar_of
from ratings.services import decay
from ratings.services.ledger import apply_history, apply_match
from ratings.services.recorded import load
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ratings.idle import BERLIN, FADING, FIRST, ONE, days_lost, fade, settle, win
from tests.ratings.taken_back import Pause as Days
from tests.ratings.taken_back import Play, circle
from tests.ratings.world import START, World, make_world

pytestmark = pytest.mark.service

_NUMBERS = ("rating", "deviation", "position", "peak_position", "position_reached_at", "banked_days", "decayed_to")


@pytest.fixture
def fading(db: None) -> World:
    """A club in Berlin whose every tier fades after three days."""
    return fade(make_world(FADING))


def story(world: World) -> list[tuple[Any, ...]]:
    """Everything that the ledger says of everybody, but for when it was written and its keys."""
    rows = RatingEvent.objects.order_by("player_rating__player__handle", "seq")
    names = ("kind", "decay_date", "rating_after", "position_before", "position_after", "state_after", "effective_at")
    return list(rows.values_list("player_rating__player__handle", *names))


def test_every_day_that_costs_is_an_event_of_its_own_and_the_rating_stays(fading: World) -> None:
    win(fading)
    before = fading.rating("alice")

    written = settle(fading, FIRST + 8 * ONE)

    after = fading.rating("alice")
    assert before.position is not None
    assert before.banked_days == 2
    assert written == RatingEvent.objects.filter(kind="decay").count()
    assert days_lost(fading) == [(6, -15), (7, -15), (8, -15)]
    assert after.position == before.position - 45
    for name in ("rating", "deviation", "volatility", "games", "peak_position", "last_match_at", "rating_model_id"):
        assert getattr(after, name) == getattr(before, name)
    assert after.decayed_to == FIRST + 8 * ONE
    assert verify_ledger() == []


def test_a_day_counts_from_its_end_by_the_club_s_clocks_whenever_it_was_written(fading: World) -> None:
    win(fading)

    settle(fading, FIRST + 30 * ONE)

    for event in RatingEvent.objects.filter(kind="decay"):
        assert event.decay_date is not None
        end = event.effective_at.astimezone(BERLIN)
        assert (end.date(), end.hour, end.minute) == (event.decay_date + ONE, 0, 0)
        assert event.effective_at < event.created_at


def test_R05_running_it_twice_takes_nothing_twice_and_nothing_from_who_played(fading: World) -> None:
    win(fading)
    fading.now += 9 * ONE
    fading.play("carol", "dave")
    settle(fading, FIRST + 9 * ONE)
    written = story(fading)

    assert settle(fading, FIRST + 9 * ONE) == 0
    assert settle(fading, FIRST + 5 * ONE) == 0
    assert story(fading) == written
    assert days_lost(fading, "carol") == []


# On these days after the first a round is made: every day, by the week, once, and after an outage of nine days.
ROUNDS = [range(1, 31), range(7, 31, 7), [30], [*range(1, 6), *range(15, 31)]]


@pytest.mark.parametrize("rounds", ROUNDS, ids=["daily", "weekly", "once", "after an outage"])
def test_daily_weekly_once_and_after_an_outage_write_the_same_ledger(db: None, rounds: Sequence[int]) -> None:
    stories = []
    for days in ([*range(1, 31)], rounds):
        with transaction.atomic():
            stories.append(_month(fade(make_world(FADING)), days))
            transaction.set_rollback(True)

    assert len(stories[0]) > 40
    assert stories[0] == stories[1]


def _month(world: World, rounds: Iterable[int]) -> list[tuple[Any, ...]]:
    """A month over the spring change of the clocks, with matches on some days and a pause that was announced."""
    Pause.objects.create(
        club=world.queue.club,
        first_day=FIRST + 11 * ONE,
        last_day=FIRST + 13 * ONE,
        reason="Hall closed",
        created_at=START,
    )
    win(world)
    for day in range(1, 31):
        if day in rounds:
            settle(world, FIRST + (day - 1) * ONE)
        if day in (3, 10, 21):
            world.now = START + day * ONE
            world.play("alice", "carol")
        if day in (7, 22):
            world.now = START + day * ONE
            world.play("bob", "dave", draw=True)
    settle(world, FIRST + 30 * ONE)
    assert verify_ledger() == []
    return story(world)


def test_a_match_settles_what_the_idle_days_before_it_have_cost(fading: World) -> None:
    win(fading)
    before = fading.rating("alice").position
    fading.now += 8 * ONE

    fading.play("alice", "carol")

    last, *_others = RatingEvent.objects.filter(player_rating=fading.rating("alice")).order_by("-seq")
    assert before is not None
    assert days_lost(fading) == [(6, -15), (7, -15)]
    assert (last.kind, last.position_before) == ("match", before - 30)
    assert fading.rating("alice").banked_days == 1
    assert verify_ledger() == []


def test_a_history_settles_idle_days_as_single_matches_do(db: None) -> None:
    stories = []
    for at_once in (False, True):
        with transaction.atomic():
            world, outcomes = fade(make_world(FADING)), []
            win(world)
            for days, pair in ((6, ("alice", "carol")), (4, ("bob", "carol")), (9, ("alice", "bob"))):
                world.now += days * ONE
                outcome = world.outcome(world.form([pair[0]], [pair[1]]))
                outcomes.append(outcome)
                if not at_once:
                    apply_match(outcome=outcome, now=world.now)
            if at_once:
                apply_history(outcomes=outcomes, newcomers={}, now=world.now)
            assert verify_ledger() == []
            # A history's forecasts were made before its first match: what they tell of ratings differs, not the days.
            stories.append(
                (days_lost(world), [row.banked_days for row in PlayerRating.objects.order_by("player__handle")])
            )
            transaction.set_rollback(True)

    assert stories[0] == stories[1]
    assert len(stories[0][0]) > 5


def test_days_of_matches_that_are_not_rated_yet_are_not_idle(fading: World) -> None:
    win(fading)
    played_at = START + 5 * ONE

    def waits(players: Collection[UUID]) -> Mapping[UUID, list[datetime]]:
        assert fading.id("alice") in players
        return {fading.id("alice"): [played_at]}

    settle(fading, FIRST + 11 * ONE, waiting=waits)

    assert days_lost(fading) == [(11, -15)]  # three of grace and two put by after the fifth


def test_pauses_and_the_season_s_end_are_read_with_the_club_s_dates(fading: World) -> None:
    other = Club.objects.create(slug="other", name="Other", created_at=START)
    for club, reason in ((fading.queue.club, "Easter"), (other, "Not ours")):
        Pause.objects.create(club=club, first_day=FIRST + 6 * ONE, last_day=None, reason=reason, created_at=START)
    fading.season.closing_at = datetime(2026, 3, 20, 23, 30, tzinfo=ZoneInfo("UTC"))  # in Berlin the 21st
    fading.season.save()

    calendar = calendar_of(queue_id=fading.queue.pk, season_id=fading.season.pk)

    assert calendar == Calendar(BERLIN, (Stretch(FIRST + 6 * ONE),), date(2026, 3, 20), None)
    win(fading)
    assert settle(fading, FIRST + 60 * ONE) == 0


def test_what_was_reckoned_for_everybody_is_not_asked_again(fading: World) -> None:
    win(fading)
    SeasonRules.objects.filter(season=fading.season).update(decayed_to=FIRST + 7 * ONE)

    settle(fading, FIRST + 9 * ONE)

    assert days_lost(fading) == [(8, -15), (9, -15)]


def test_a_round_that_was_stopped_half_way_goes_on_where_it_stopped(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decay, "BATCH", 1)
    stories, done = [], []
    for stops in (False, True):
        with transaction.atomic():
            world = fade(make_world(FADING))
            world.play("carol", "dave")
            win(world)
            if stops:
                with pytest.raises(KeyboardInterrupt):
                    settle(world, FIRST + 9 * ONE, waiting=Dying())
                done.append(RatingEvent.objects.filter(kind="decay").count())
            settle(world, FIRST + 9 * ONE)
            stories.append(story(world))
            transaction.set_rollback(True)

    assert done[0] > 0
    assert stories[0] == stories[1]


class Dying:
    """Nobody's matches wait, and the process ends when it is asked a second time."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, _players: Collection[UUID]) -> Mapping[UUID, list[datetime]]:
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return {}


@pytest.mark.django_db(transaction=True)
def test_two_rounds_at_once_write_each_day_once(shared_world: World) -> None:
    world = fade(shared_world)
    world.rules = FADING
    SeasonRules.objects.update(rank_rules=FADING.to_json())
    win(world)

    outcomes = run_together(*[lambda: settle(world, FIRST + 12 * ONE)] * 3)

    assert all(isinstance(one, int) for one in outcomes)
    assert sum(outcomes) == RatingEvent.objects.filter(kind="decay").count() > 0
    assert verify_ledger() == []


def test_the_database_refuses_a_day_twice_and_a_decay_without_its_day(fading: World) -> None:
    win(fading)
    settle(fading, FIRST + 6 * ONE)
    event = RatingEvent.objects.filter(kind="decay").latest("id")

    for wrong in ({"seq": 999}, {"seq": 999, "decay_date": None}):
        copy = RatingEvent.objects.get(pk=event.pk)
        copy.pk = None
        for name, value in wrong.items():
            setattr(copy, name, value)
        copy.id = RatingEvent._meta.get_field("id").get_default()
        with pytest.raises(IntegrityError), transaction.atomic():
            copy.save(force_insert=True)


def test_the_ranks_of_a_season_without_decay_cost_no_query_more(quick_world: World) -> None:
    quick_world.play("alice", "bob")
    plain = quick_world.outcome(quick_world.form(["alice"], ["bob"]))
    with assert_queries(5, "savepoint, lock and forecast, earlier events, write, release"):
        apply_match(outcome=plain, now=quick_world.now)
    fading_too = replace(quick_world.outcome(quick_world.form(["alice"], ["bob"])), rules=FADING)
    with assert_queries(7, "the same, and the calendar: the season's end and zone, the pauses"):
        apply_match(outcome=fading_too, now=quick_world.now)
    with assert_queries(0, "a season that does not fade is not looked at"):
        settle(quick_world, FIRST + 30 * ONE, Calendar())


def test_recomputing_an_untouched_queue_with_decay_gives_the_ledger_bit_for_bit(fading: World) -> None:
    Play(fading).run([*circle(9), Days(8), *circle(6), Days(30), *circle(5)])
    ledger = load(fading.queue.pk, lock=False)
    assert RatingEvent.objects.filter(kind="decay").count() > 10

    accounts = ledger.walk(set(), trusting=False)

    for key, chain in ledger.chains.items():
        assert accounts[key][1:] == [event.after for event in chain.events]


def test_taking_back_and_reinstating_across_idle_days_restores_every_number(fading: World) -> None:
    play = Play(fading).run([*circle(9), Days(8), *circle(6), Days(30), *circle(5)])
    before = list(PlayerRating.objects.order_by("id").values(*_NUMBERS))

    play.reverse({2, 5})
    away = list(PlayerRating.objects.order_by("id").values(*_NUMBERS))
    play.reinstate({2, 5})

    assert away != before
    assert list(PlayerRating.objects.order_by("id").values(*_NUMBERS)) == before
    assert verify_ledger() == []


def test_a_round_that_forgot_what_it_did_is_stopped_by_the_database(fading: World) -> None:
    win(fading)
    settle(fading, FIRST + 8 * ONE)
    row = fading.rating("alice")
    PlayerRating.objects.filter(pk=row.pk).update(decayed_to=None)

    with pytest.raises(IntegrityError), transaction.atomic():
        settle(fading, FIRST + 8 * ONE)


def test_the_player_reads_why_the_rank_fades_and_the_staff_every_number(fading: World) -> None:
    win(fading)
    settle(fading, FIRST + 7 * ONE)
    event = RatingEvent.objects.filter(kind="decay", player_rating=fading.rating("alice")).latest("seq")

    told, staff = str(explanation(event)), str(explanation(event, "staff"))

    rank = event.explanation["rank"]["after"]
    assert told == (
        f"You had not played for 7 days, so your rank fades: −15, to {rank['name']} with {rank['points']} points. "
        "A match stops it; what we know of your skill stays."
    )
    assert "Idle since 2026-03-02: day 7 that counts, of which 5 were free." in staff
    assert "15 points (15 for every 1 days)" in staff


def test_the_last_step_says_that_it_goes_no_further(fading: World) -> None:
    win(fading)
    settle(fading, FIRST + 100 * ONE)
    event = RatingEvent.objects.filter(kind="decay", player_rating=fading.rating("alice")).latest("seq")

    assert event.position_after == event.explanation["rank"]["foot"]["position"]
    assert str(explanation(event)).endswith(f"It fades no further than {event.explanation['rank']['foot']['name']}.")
    assert settle(fading, FIRST + 200 * ONE) == 0


@pytest.mark.parametrize(
    ("rules", "days"),
    [
        (replace(FADING, decay_from=5), []),
        (RankRules(placement_matches=0, placement_returning=0, placement_most=0), []),
        (
            replace(FADING, decay_points=20, decay_every=7, decay_grace=0, decay_bank=0),
            [(7, -20), (14, -20), (21, -20)],
        ),
    ],
    ids=["no tier so low fades", "decay is off", "B97 twenty a week"],
)
def test_what_fades_is_a_setting_of_the_season(db: None, rules: RankRules, days: list[tuple[int, int]]) -> None:
    world = fade(make_world(rules))
    win(world, 14)

    settle(world, FIRST + 21 * ONE)

    assert days_lost(world) == days
