"""Idle days and what they cost: by dates alone, whenever somebody looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.decay import (
    Calendar,
    Idleness,
    Loss,
    Stretch,
    fades,
    first_loss,
    foot_of_tier,
    losses,
    next_loss,
    played,
)
from ratings.core.rank_rules import RankRules

ONE = timedelta(days=1)
DAY = date(2030, 3, 1)
PLATINUM_1, PLATINUM_3, DIAMOND_3 = 1100, 900, 1200
RULES = RankRules(decay_points=25, decay_grace=14, decay_bank=0)
rules = st.builds(
    RankRules,
    decay_points=st.integers(1, 60),
    decay_every=st.integers(1, 7),
    decay_grace=st.integers(3, 20),
    decay_bank=st.integers(0, 5),
    decay_bank_limit=st.integers(0, 12),
    decay_from=st.integers(0, 5),
)
offsets = st.integers(0, 119)
pauses = st.lists(
    st.tuples(offsets, st.integers(0, 15)).map(lambda told: Stretch(DAY + told[0] * ONE, DAY + sum(told) * ONE)),
    max_size=3,
)


def lost(found: Iterable[Loss]) -> list[tuple[int, int]]:
    """(days after DAY, points) of every loss."""
    return [((one.day - DAY).days, one.points) for one in found]


def test_after_a_grace_every_idle_day_costs_down_to_the_foot_of_the_tier() -> None:
    found = losses(RULES, Calendar(), Idleness(DAY), PLATINUM_3 + 60, DAY + 60 * ONE)

    assert lost(found) == [(15, 25), (16, 25), (17, 10)]
    assert [one.position for one in found] == [960, 935, 910]


def test_nothing_is_lost_within_the_grace_nor_on_a_day_that_is_not_over() -> None:
    assert losses(RULES, Calendar(), Idleness(DAY), PLATINUM_1, DAY + 14 * ONE) == ()
    assert lost(losses(RULES, Calendar(), Idleness(DAY), PLATINUM_1, DAY + 15 * ONE)) == [(15, 25)]


def test_B97_twenty_a_week_over_three_idle_weeks_are_sixty_in_three_steps() -> None:
    weekly = RankRules(decay_points=20, decay_every=7, decay_grace=0, decay_bank=0)

    found = losses(weekly, Calendar(), Idleness(DAY), PLATINUM_1, DAY + 21 * ONE)

    assert lost(found) == [(7, 20), (14, 20), (21, 20)]


def test_tiers_below_the_stated_one_never_fade_and_nothing_fades_while_decay_is_off() -> None:
    assert not fades(RULES, PLATINUM_3 - 1)
    assert not fades(RULES, None)
    assert not fades(RankRules(), 1700)
    assert losses(RankRules(), Calendar(), Idleness(DAY), 1700, DAY + 400 * ONE) == ()
    assert losses(RULES, Calendar(), Idleness(DAY), PLATINUM_3 - 1, DAY + 400 * ONE) == ()
    assert next_loss(RankRules(), Calendar(), Idleness(DAY)) is not None  # the calendar's answer; `fades` says no


def test_decay_alone_never_leaves_the_top_tier_either() -> None:
    found = losses(RULES, Calendar(), Idleness(DAY), 1510, DAY + 400 * ONE)

    assert lost(found) == [(15, 10)]
    assert foot_of_tier(RULES, 1700) == 1500


def test_playing_puts_days_by_up_to_a_limit_and_they_are_used_after_the_grace() -> None:
    banking = replace(RULES, decay_bank=2, decay_bank_limit=5)
    idleness = Idleness(DAY)
    for _match in range(4):
        idleness = played(banking, Calendar(), idleness, DAY)

    assert idleness.banked == 5
    assert lost(losses(banking, Calendar(), idleness, PLATINUM_1, DAY + 20 * ONE)) == [(20, 25)]
    later = played(banking, Calendar(), idleness, DAY + 18 * ONE)  # 17 idle days: 14 free, 3 put by
    assert (later.active_on, later.banked) == (DAY + 18 * ONE, 4)


def test_a_match_of_an_earlier_day_that_comes_late_puts_by_and_makes_nobody_idle() -> None:
    banking = replace(RULES, decay_bank=1)

    late = played(banking, Calendar(), Idleness(DAY, 2), DAY - 3 * ONE)

    assert late == Idleness(DAY, 3)


def test_paused_days_are_not_counted() -> None:
    holidays = Calendar(pauses=(Stretch(DAY + 5 * ONE, DAY + 11 * ONE), Stretch(DAY + 10 * ONE, DAY + 12 * ONE)))

    found = losses(RULES, holidays, Idleness(DAY), PLATINUM_1, DAY + 24 * ONE)

    assert lost(found) == [(23, 25), (24, 25)]  # eight days later than without the pauses, which overlap by two
    assert [one.number for one in found] == [15, 16]


def test_a_pause_without_an_end_stops_everything() -> None:
    closed = Calendar(pauses=(Stretch(DAY + 16 * ONE),))

    assert lost(losses(RULES, closed, Idleness(DAY), PLATINUM_1, DAY + 90 * ONE)) == [(15, 25)]
    assert next_loss(RULES, closed, Idleness(DAY, reckoned_to=DAY + 15 * ONE)) is None


def test_days_after_the_season_are_not_counted() -> None:
    over = Calendar(last_day=DAY + 16 * ONE)

    assert lost(losses(RULES, over, Idleness(DAY), PLATINUM_1, DAY + 90 * ONE)) == [(15, 25), (16, 25)]


def test_the_first_and_the_next_costly_day_are_told_ahead() -> None:
    idleness = Idleness(DAY, banked=2, reckoned_to=DAY + 20 * ONE)

    assert first_loss(RULES, Calendar(), idleness) == DAY + 17 * ONE
    assert next_loss(RULES, Calendar(), idleness) == DAY + 21 * ONE
    assert next_loss(replace(RULES, decay_every=7), Calendar(), idleness) == DAY + 23 * ONE


@dataclass
class Story:
    """Somebody's standing under rules, moved by matches and by looks at the calendar."""

    rules: RankRules
    calendar: Calendar
    position: int
    idleness: Idleness
    told: list[tuple[date, int, int]]

    def look(self, until: date) -> None:
        """What the daily job does, whenever it comes."""
        for one in losses(self.rules, self.calendar, self.idleness, self.position, until):
            self.told.append((one.day, one.position, one.points))
            self.position = one.position - one.points
        self.idleness = replace(self.idleness, reckoned_to=max(until, self.idleness.reckoned_to or until))

    def play(self, day: date, change: int) -> None:
        """A match: what is due before it is settled first, and then the rank moves."""
        self.look(day - ONE)
        self.position = max(self.position + change, 0)
        self.idleness = played(self.rules, self.calendar, self.idleness, day)


def story_of(
    table: RankRules, calendar: Calendar, matches: Sequence[tuple[int, int]], looks: Sequence[int]
) -> list[tuple[date, int, int]]:
    """Every loss over 120 days with matches and looks on the given days, a look coming before the day's matches."""
    story = Story(table, calendar, PLATINUM_1 + 30, Idleness(DAY), [])
    for offset in range(121):
        if offset in looks:
            story.look(DAY + (offset - 1) * ONE)
        for on, change in matches:
            if on == offset:
                story.play(DAY + offset * ONE, change)
    story.look(DAY + 120 * ONE)
    return story.told


@given(
    rules,
    pauses,
    st.lists(st.tuples(offsets, st.sampled_from([-40, -13, 20, 33])), max_size=12),
    st.sets(offsets, max_size=30),
)
def test_daily_weekly_once_and_after_any_outage_give_the_same(
    table: RankRules, stretches: list[Stretch], matches: list[tuple[int, int]], looks: set[int]
) -> None:
    calendar = Calendar(pauses=tuple(stretches))

    daily = story_of(table, calendar, matches, range(121))

    assert story_of(table, calendar, matches, range(0, 121, 7)) == daily
    assert story_of(table, calendar, matches, []) == daily
    assert story_of(table, calendar, matches, sorted(looks)) == daily


@given(rules, pauses, st.integers(0, 1800), st.integers(0, 12), st.integers(0, 120), st.integers(0, 120))
def test_looking_twice_takes_nothing_twice_and_no_day_costs_more_than_stated(
    table: RankRules, stretches: list[Stretch], position: int, banked: int, first: int, second: int
) -> None:
    calendar = Calendar(pauses=tuple(stretches))
    early, late = sorted((DAY + first * ONE, DAY + second * ONE))
    idleness = Idleness(DAY, banked)

    one = losses(table, calendar, idleness, position, early)
    rest = losses(
        table, calendar, replace(idleness, reckoned_to=early), position - sum(loss.points for loss in one), late
    )

    assert (*one, *rest) == losses(table, calendar, idleness, position, late)
    assert all(0 < loss.points <= table.decay_points for loss in (*one, *rest))
    assert len({loss.day for loss in (*one, *rest)}) == len(one) + len(rest)
    end = position - sum(loss.points for loss in (*one, *rest))
    assert end == position or end >= foot_of_tier(table, position)
    assert all(calendar.counts(loss.day) for loss in (*one, *rest))


@given(rules, st.integers(900, 1800), st.integers(0, 60))
def test_a_loss_comes_no_sooner_than_the_day_that_was_told(table: RankRules, position: int, days: int) -> None:
    told = first_loss(table, Calendar(), Idleness(DAY))
    found = losses(table, Calendar(), Idleness(DAY), position, DAY + days * ONE)

    assert told is not None
    assert (told - DAY).days > table.decay_warning  # so that there was time to say so
    assert all(loss.day >= told for loss in found)


# The days on which the clocks change, with the hours that the day has.
CHANGES = [
    ("Europe/Berlin", date(2030, 3, 31), 23.0),
    ("Europe/Berlin", date(2030, 10, 27), 25.0),
    ("America/New_York", date(2030, 3, 10), 23.0),
    ("America/New_York", date(2030, 11, 3), 25.0),
    ("Australia/Lord_Howe", date(2030, 4, 7), 24.5),
    ("Australia/Lord_Howe", date(2030, 10, 6), 23.5),
]


@pytest.mark.parametrize(("zone", "change", "hours"), CHANGES)
def test_B105_a_day_ends_at_the_club_s_midnight_on_both_sides_of_a_change_of_the_clocks(
    zone: str, change: date, hours: float
) -> None:
    calendar = Calendar(ZoneInfo(zone))

    assert calendar.end_of(change) - calendar.end_of(change - ONE) == timedelta(hours=hours)
    for day in (change - ONE, change, change + ONE):
        end = calendar.end_of(day)
        assert end.astimezone(ZoneInfo(zone)).time() == datetime.min.time()
        assert calendar.day_of(end) == day + ONE
        assert calendar.day_of(end - timedelta(microseconds=1)) == day


@pytest.mark.parametrize(("zone", "change", "_hours"), CHANGES)
def test_B107_a_change_of_the_clocks_neither_gives_nor_takes_an_idle_day(
    zone: str, change: date, _hours: float
) -> None:
    calendar = Calendar(ZoneInfo(zone))
    last = change - 5 * ONE

    found = losses(RULES, calendar, Idleness(last), PLATINUM_1, change + 12 * ONE)

    assert [one.day for one in found] == [last + 15 * ONE, last + 16 * ONE, last + 17 * ONE]


def test_B109_the_day_of_a_match_is_the_club_s_and_not_that_of_greenwich() -> None:
    late_in_the_evening = datetime(2030, 3, 1, 21, 30, tzinfo=ZoneInfo("UTC"))

    assert Calendar(ZoneInfo("Asia/Dubai")).day_of(late_in_the_evening) == date(2030, 3, 2)
    assert Calendar(ZoneInfo("America/New_York")).day_of(late_in_the_evening) == date(2030, 3, 1)
