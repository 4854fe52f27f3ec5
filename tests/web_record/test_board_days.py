"""The board of a past day is the one that was drawn that day, and the one that the ledger gives when replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from ladder.core.days import begin_of, day_of, end_of
from ladder.models import Player
from ladder.selectors.access import access_to
from ladder.selectors.board_day_rows import Day
from ladder.selectors.board_order import Entry, Key, key_then
from ladder.selectors.board_rows import BoardPage, Wish
from ladder.selectors.boards import board_page
from ladder.selectors.ladders import Ladder, ladder
from ladder.services import clubs, seasons
from ratings.models import PlayerRating, RatingEvent
from ratings.services.ledger import apply_correction
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import history, play_rated

pytestmark = pytest.mark.django_db
ZONE = "Europe/Berlin"


def of(world: World, season: str | None = None) -> Ladder:
    return ladder(access_to(world.club, world.otto), "blitz", season)


def page_on(world: World, day: date, *, limit: int = 50, season: str | None = None, **wish) -> BoardPage:
    here = of(world, season)
    return board_page(
        here, Wish(on=day, zone=ZONE, **wish), viewer=world.alice, now=timezone.now() + timedelta(days=1), limit=limit
    )


def drawn(page: BoardPage) -> list[tuple[object, ...]]:
    """What a board shows of each row."""
    return [
        (row.place, row.handle, row.rank, row.wins, row.losses, row.draws, row.placed_matches, row.placement_matches)
        for row in (*page.placed, *page.waiting)
    ]


def replayed(world: World, until: datetime) -> list[tuple[Key, int, int]]:
    """The board rebuilt by going through the ledger event by event, up to a moment."""
    standings: dict[object, tuple[Key, int, int]] = {}
    events = RatingEvent.objects.filter(player_rating__season=world.season).order_by("player_rating_id", "seq")
    for event in events:
        if event.effective_at < until:
            key = key_then(event.player_rating_id, event.position_after, event.state_after)
            if key is not None:
                standings[event.player_rating_id] = (key, event.state_after["draws"], event.state_after["losses"])
    return sorted(standings.values(), key=lambda one: one[0].order)


def read(entries: list[Entry]) -> list[tuple[Key, int, int]]:
    return [(entry.key, entry.draws, entry.losses) for entry in entries]


def a_life(world: World, rng: random.Random, steps: int) -> Iterator[None]:
    """Matches, draws and corrections of four players, some at one moment, hours or days apart."""
    cast = [world.alice, world.bob, world.carol, world.dave]
    for _step in range(steps):
        world.later(hours=rng.choice([0, 1, 5, 30]))
        one, other = rng.sample(cast, 2)
        if rng.random() < 0.1 and PlayerRating.objects.filter(player=one, games__gt=0).exists():
            correct(world, one, rng.choice([-120.0, 75.0]))
        else:
            play_rated(world, one, other)
        yield


def correct(world: World, player: Player, delta: float) -> None:
    apply_correction(
        player_id=player.pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=delta,
        reason="Typed in wrong",
        actor=world.maud.pk,
        now=world.later(seconds=1),
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_every_event_the_board_of_that_moment_is_the_replayed_ledger_and_the_board_drawn_then(
    world: World, seed: int
) -> None:
    moments = []
    for _step in a_life(world, random.Random(seed), 40):
        live = board_page(of(world), viewer=None, now=world.now)
        moments.append((world.now + timedelta(microseconds=1), drawn(live)))

    for until, live_rows in moments:
        day = Day(of(world), until)
        stood = day.everybody()
        assert read(stood.entries) == replayed(world, until)
        assert stood.total == len(stood.entries)
        shown = [
            (None if entry.key.position is None else stood.places[entry.key.position], entry.handle, entry.key.wins)
            for entry in stood.entries
        ]
        assert shown == [(place, handle, wins) for place, handle, _rank, wins, *_counts in live_rows]
    assert any(place for place, *_rest in moments[-1][1])


def test_between_any_two_events_an_imported_history_gives_the_replayed_ledger(world: World) -> None:
    rng = random.Random(5)
    names = ["alice", "bob", "carol", "dave", "maud", "olga"]
    history(world, " ".join(rng.choice([">", "="]).join(rng.sample(names, 2)) for _game in range(80)))
    moments = sorted(set(RatingEvent.objects.values_list("effective_at", flat=True)))
    assert len(moments) > 60

    for moment in moments[::3]:
        for until in (moment, moment + timedelta(microseconds=1)):
            assert read(Day(of(world), until).everybody().entries) == replayed(world, until)


def test_an_imported_history_shows_its_days_although_it_was_written_today(world: World) -> None:
    began = day_of(world.now, ZoneInfo(ZONE))
    history(world, " ".join(["alice>bob", "carol>dave"] * 20))

    assert page_on(world, began - timedelta(days=1)).is_empty
    third, last = page_on(world, began + timedelta(days=10)), page_on(world, began + timedelta(days=55))
    assert sum(row.wins for row in (*third.placed, *third.waiting)) < 20
    assert drawn(last) == drawn(board_page(of(world), viewer=world.alice, now=timezone.now()))


def test_a_day_ends_at_the_club_s_midnight(world: World) -> None:
    midnight = begin_of(day_of(world.now, ZoneInfo(ZONE)) + timedelta(days=3), ZoneInfo(ZONE))
    world.now = midnight - timedelta(seconds=4)
    play_rated(world, world.alice, world.bob)  # formed, reported and agreed at -3, -2 and -1 seconds
    assert RatingEvent.objects.get(kind="match", player_rating__player=world.alice).effective_at < midnight
    play_rated(world, world.carol, world.dave)
    day = day_of(midnight, ZoneInfo(ZONE)) - timedelta(days=1)

    assert {row.handle for row in page_on(world, day).waiting} == {"alice", "bob"}
    assert {row.handle for row in page_on(world, day + timedelta(days=1)).waiting} == {"alice", "bob", "carol", "dave"}


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2026, 3, 28), 24), (date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 6, 1), 24)],
)
def test_B105_B107_days_are_as_long_as_the_club_s_clocks_make_them(day: date, hours: int) -> None:
    zone = ZoneInfo(ZONE)

    assert end_of(day, zone) - begin_of(day, zone) == timedelta(hours=hours)
    assert day_of(end_of(day, zone) - timedelta(microseconds=1), zone) == day
    assert day_of(end_of(day, zone), zone) == day + timedelta(days=1)


def test_where_the_clocks_jump_over_midnight_the_day_begins_with_the_jump() -> None:
    beirut = ZoneInfo("Asia/Beirut")

    assert begin_of(date(2022, 3, 27), beirut) == datetime(2022, 3, 26, 22, 0, tzinfo=UTC)
    assert day_of(begin_of(date(2022, 3, 27), beirut), beirut) == date(2022, 3, 27)


def spread(world: World) -> date:
    """Thirty-one people with a match each on the first day and some more on the last; returns the first day."""
    people = [Player.objects.create(handle=f"p{number:02}", handle_key=f"p{number:02}") for number in range(30)]
    for player in people:
        clubs.join_club(club=world.club, player=player, self_assessment="club", now=world.now)
    names = [player.handle for player in people]
    rng = random.Random(3)
    games = [f"{one}>{other}" for _round in range(6) for one, other in (rng.sample(names, 2) for _game in range(15))]
    history(world, " ".join([*games, *(f"{name}>alice" for name in names[:20])]))
    return day_of(timezone.now() - timedelta(days=30), ZoneInfo(ZONE))


@pytest.mark.parametrize("limit", [1, 4, 7, 50])
def test_the_pages_of_a_past_day_hold_everybody_once_in_both_directions(world: World, limit: int) -> None:
    day = spread(world)
    whole = drawn(page_on(world, day, limit=500))
    assert {row[0] for row in whole} > {None, 1}

    pages = [page_on(world, day, limit=limit)]
    while pages[-1].next:
        pages.append(page_on(world, day, limit=limit, after=pages[-1].next))
    back = [pages[-1]]
    while back[-1].previous:
        back.append(page_on(world, day, limit=limit, before=back[-1].previous))

    assert [row for page in pages for row in drawn(page)] == whole
    assert [row for page in reversed(back) for row in drawn(page)] == whole
    assert {page.total for page in (*pages, *back)} == {len(whole)}


def test_tiers_divisions_neighbours_and_search_work_on_a_past_day(world: World) -> None:
    day = spread(world)
    whole = [row for row in drawn(page_on(world, day, limit=500)) if row[0]]
    place, handle, rank, *_counts = whole[len(whole) // 2]

    tier = drawn(page_on(world, day, tier=rank.tier))
    division = drawn(page_on(world, day, tier=rank.tier, division=rank.division))
    around = page_on(world, day, at=handle, limit=12)
    found = page_on(world, day, text=str(handle))

    assert tier == [row for row in whole if row[2].tier == rank.tier]
    assert division == [row for row in whole if (row[2].tier, row[2].division) == (rank.tier, rank.division)]
    assert [row.handle for row in around.placed if row.is_wanted] == [handle]
    assert drawn(around) == [row for row in whole if row in drawn(around)]
    assert [(row.place, row.handle) for row in found.placed] == [(place, handle)]
    assert page_on(world, day, at="nobody").not_found == "nobody"


def test_the_last_five_are_those_of_that_day(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 30 + ["bob>alice"] * 20))

    early = page_on(world, day_of(world.now - timedelta(days=40), ZoneInfo(ZONE)))

    assert {row.handle: row.last_five for row in early.placed} == {"alice": "WWWWW", "bob": "LLLLL"}


def test_B115_who_was_banned_since_is_left_out_of_the_past_of_an_open_season_and_stays_in_a_closed_one(
    world: World,
) -> None:
    began = day_of(world.now, ZoneInfo(ZONE))
    history(world, " ".join(["alice>bob", "carol>dave"] * 20))
    clubs.end_membership(club=world.club, actor=world.otto, player=world.alice, now=world.now, ban=True)

    assert "alice" not in {row[1] for row in drawn(page_on(world, began + timedelta(days=20)))}
    seasons.close_season(season=world.season, actor=world.olga, now=timezone.now())
    seasons.finish_closing(now=timezone.now() + timedelta(minutes=5))
    assert "alice" in {row[1] for row in drawn(page_on(world, began + timedelta(days=20), season="spring"))}


def test_today_and_days_to_come_show_the_board_of_now(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    now = timezone.now()
    today = day_of(now, ZoneInfo(ZONE))

    for day in (today, today + timedelta(days=400)):
        shown = board_page(of(world), Wish(on=day, zone=ZONE), viewer=None, now=now)
        assert shown.day is None
        assert len(shown.waiting) == 2


def test_a_rating_corrected_before_its_first_match_is_not_listed(world: World) -> None:
    world.match(world.alice, world.bob)  # formed: both have a rating, and no match yet
    correct(world, world.alice, 40.0)

    assert Day(of(world), world.later(days=1)).everybody().entries == []


@pytest.mark.parametrize("size", [1, 40])
def test_a_page_of_a_past_day_costs_three_queries_or_fewer(world: World, size: int) -> None:
    history(world, " ".join(["alice>bob", "carol>dave"] * size))
    day = day_of(timezone.now() - timedelta(days=1), ZoneInfo(ZONE))
    here = of(world)

    for wish, reads in [({}, 2), ({"at": "alice"}, 3), ({"text": "ali"}, 2), ({"tier": 1}, 2)]:
        with assert_queries(reads, "who was asked for, the rows, the last five", at_most=True):
            board_page(here, Wish(on=day, zone=ZONE, **wish), viewer=None, now=timezone.now())
