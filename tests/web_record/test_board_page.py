"""The leaderboard page: what it costs, what it shows, how it refreshes, what it makes of bad wishes."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.models import Season
from ladder.services import queues, seasons
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, history, play_until_ranked, signed_in, standing

pytestmark = pytest.mark.django_db

COST = (
    "session, person, membership with club, the club's seasons, the rows, counts around the first of them, "
    "the last five of everybody shown; on later pages who moved instead of counts"
)


def address(world: World, **wish: object) -> str:
    pairs = "&".join(f"{name}={value}" for name, value in wish.items())
    return f"{reverse('board', args=[world.club.slug, world.queue.slug])}?{pairs}"


@pytest.mark.parametrize("size", [10, 10_000])
def test_the_page_costs_eight_queries_or_fewer_with_any_number_of_players(world: World, size: int) -> None:
    crowd(world, size)
    standing(world, world.alice, 640).save()
    client = signed_in(world.alice)
    client.get(address(world))

    with assert_queries(8, COST, at_most=True):
        shown = client.get(address(world))
    assert shown.context["page"].total == size + 1


@pytest.mark.parametrize(
    "wish",
    [
        {"at": "me"},
        {"at": "p00070"},
        {"tier": 2},
        {"tier": 2, "division": 1},
        {"q": "p0"},
        {"on": "2026-01-01"},
        {"on": "2026-01-01", "at": "me"},
        {"on": "2026-01-01", "q": "p0"},
    ],
)
def test_every_kind_of_page_costs_eight_queries_or_fewer(world: World, wish: dict[str, object]) -> None:
    crowd(world, 150)
    standing(world, world.alice, 640).save()
    client = signed_in(world.alice)
    client.get(address(world))

    with assert_queries(8, COST, at_most=True):
        assert client.get(address(world, **wish)).status_code == 200


def test_later_and_earlier_pages_cost_eight_queries_or_fewer(world: World) -> None:
    crowd(world, 150)
    client = signed_in(world.alice)
    first = client.get(address(world)).context["page"]

    with assert_queries(8, COST, at_most=True):
        second = client.get(address(world, after=first.next)).context["page"]
    third = client.get(address(world, after=second.next)).context["page"]
    with assert_queries(8, COST, at_most=True):
        again = client.get(address(world, before=third.previous)).context["page"]
    assert again.placed == second.placed


def test_a_past_day_is_named_does_not_refresh_and_leads_back_to_now(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 20))
    day = timezone.now().date() - timedelta(days=2)

    shown = signed_in(world.alice).get(address(world, on=day))

    html = shown.content.decode()
    assert f"The ladder as it stood at the end of {day.day} {day:%B %Y}." in html
    assert "live-board" not in html
    assert "Show it as it stands now" in html
    assert f"standings.csv?on={day}" in html
    assert shown.context["page"].placed


def test_days_are_offered_from_the_season_s_first_to_yesterday(world: World) -> None:
    shown = signed_in(world.alice).get(address(world))

    first, last = shown.context["days"]
    assert first == world.season.opened_at.astimezone(ZoneInfo("Europe/Berlin")).date()
    assert last == timezone.now().astimezone(ZoneInfo("Europe/Berlin")).date() - timedelta(days=1)


def test_divisions_are_offered_inside_a_tier_and_not_inside_an_undivided_one(world: World) -> None:
    standing(world, world.alice, 640).save()
    client = signed_in(world.alice)

    gold = client.get(address(world, tier=2, division=3)).content.decode()
    master = client.get(address(world, tier=5)).content.decode()

    assert [name in gold for name in ("Gold 1", "Gold 2", "Gold 3", "All of Gold")] == [True] * 4
    assert "division=" not in master


def test_my_own_row_is_marked(world: World) -> None:
    standing(world, world.alice, 640).save()
    standing(world, world.bob, 600).save()

    html = signed_in(world.alice).get(address(world)).content.decode()

    assert html.count('class="me"') == 1


def test_the_last_five_are_spelled_for_screen_readers_with_the_newest_last(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob])

    page = signed_in(world.alice).get(address(world)).context["page"]

    letters = {row.handle: row.last_five for row in page.placed}
    mirrored = letters["bob"].translate(str.maketrans("WL", "LW"))
    assert len(letters["alice"]) == 5
    assert letters["alice"] == mirrored


def test_R13_an_empty_ladder_says_what_to_do_first(world: World) -> None:
    html = signed_in(world.alice).get(address(world)).content.decode()

    assert "The ladder is empty" in html


def test_a_queue_without_a_season_says_so(world: World) -> None:
    queues.create_queue(
        club=world.club, actor=world.olga, name="Bullet", slug="bullet", game_name="Chess", now=world.now
    )

    shown = signed_in(world.alice).get(reverse("board", args=["chess", "bullet"]))

    assert shown.status_code == 200
    assert "No season yet" in shown.content.decode()


def test_the_club_s_ladder_leads_to_its_first_queue(world: World) -> None:
    shown = signed_in(world.alice).get(reverse("boards", args=["chess"]))

    assert shown.url == reverse("board", args=["chess", "blitz"])


def test_a_refresh_gets_the_rows_alone_and_nothing_when_nothing_changed(world: World) -> None:
    standing(world, world.alice, 640).save()
    client = signed_in(world.alice)
    seen = client.get(address(world)).context["page"].fingerprint
    asks = {"headers": {"HX-Request": "true"}}

    assert client.get(address(world, seen=seen), **asks).status_code == 204
    standing(world, world.bob, 660).save()
    fresh = client.get(address(world, seen=seen), **asks)
    assert fresh.status_code == 200
    assert "<html" not in fresh.content.decode()
    assert 'id="board"' in fresh.content.decode()


def test_only_the_living_first_page_refreshes_itself(world: World) -> None:
    crowd(world, 60)
    client = signed_in(world.alice)
    first = client.get(address(world))
    later = client.get(address(world, after=first.context["page"].next))

    assert "live-board" in first.content.decode()
    assert "live-board" not in later.content.decode()


def test_a_closed_season_is_marked_final_and_does_not_refresh(world: World) -> None:
    standing(world, world.alice, 640).save()
    closed = seasons.close_season(season=world.season, actor=world.olga, now=world.later(days=1))
    assert closed.state == Season.State.CLOSED

    html = signed_in(world.alice).get(address(world, season="spring")).content.decode()

    assert "final standings" in html
    assert "live-board" not in html


@pytest.mark.parametrize(
    "wish",
    [
        {"after": "nonsense"},
        {"before": "%00"},
        {"tier": "gold"},
        {"tier": "99999999999999999999"},
        {"tier": "2", "division": "gold"},
        {"tier": "7", "division": "7"},
        {"at": "them"},
        {"at": "%00"},
        {"on": "yesterday"},
        {"on": "0001-01-01"},
        {"on": "9999-12-31"},
        {"on": "2026-01-01", "after": "nonsense"},
        {"on": "2026-01-01", "after": "WzEsMiwieCIsInkiXQ"},
        {"on": "2026-01-01", "q": "%25_%27"},
        {"q": "%00"},
        {"q": "x" * 5000},
        {"q": "%25_%27"},
        {"after": "WyJhIiwxXQ", "before": "x"},
    ],
)
def test_a_bad_wish_is_never_an_error(world: World, wish: dict[str, str]) -> None:
    crowd(world, 3)

    assert signed_in(world.alice).get(address(world, **wish)).status_code == 200


def test_B123_a_draft_season_is_found_by_nobody_but_organizers(world: World) -> None:
    bullet = queues.create_queue(
        club=world.club, actor=world.olga, name="Bullet", slug="bullet", game_name="Chess", now=world.now
    )
    secret = {"name": "Secret", "slug": "secret", "queues": [bullet], "starts_at": world.now, "ends_at": None}
    seasons.create_season(club=world.club, actor=world.olga, now=world.now, **secret)
    pages = [f"{reverse('board', args=['chess', 'bullet'])}?season=secret", reverse("season", args=["chess", "secret"])]

    assert [signed_in(world.alice).get(page).status_code for page in pages] == [404, 404]
    assert [signed_in(world.olga).get(page).status_code for page in pages] == [200, 200]
    assert "Secret" not in signed_in(world.alice).get(reverse("seasons", args=["chess"])).content.decode()
