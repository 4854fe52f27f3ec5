"""Season pages: what is played now first, dates in the club's zone, final standings that say so."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.models import Season, SeasonRules
from ladder.selectors.access import access_to
from ladder.selectors.season_pages import season_cards, season_page
from ladder.services import seasons
from ratings.errors import NotFound
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, play_until_ranked, signed_in

pytestmark = pytest.mark.django_db


def test_the_open_season_comes_first_then_what_comes_then_what_is_over(world: World) -> None:
    for name, state in [("Old", "closed"), ("Next", "scheduled")]:
        season = Season.objects.create(club=world.club, name=name, slug=name.lower(), state=state, created_at=world.now)
        start = world.now + timedelta(days=900 if state == "scheduled" else -900)
        rules = SeasonRules.objects.get(season=world.season)
        SeasonRules.objects.filter(season=world.season).update(
            during=(rules.during.lower, world.now + timedelta(days=90))
        )
        SeasonRules.objects.create(season=season, queue=world.queue, during=(start, start + timedelta(days=30)))

    cards = season_cards(access_to(world.club, world.alice), timezone.now())

    assert [card.season.name for card in cards] == ["Spring", "Next", "Old"]


def test_an_open_season_with_an_end_shows_how_far_it_is(world: World) -> None:
    SeasonRules.objects.update(during=(world.now, world.now + timedelta(days=120)))

    card = season_page(access_to(world.club, world.alice), "spring", world.now + timedelta(days=60, hours=1)).card

    assert (card.percent, card.day, card.days) == (50, 61, 120)


def test_dates_are_in_the_club_s_zone_with_the_moment_for_machines(world: World) -> None:
    html = signed_in(world.alice).get(reverse("season", args=["chess", "spring"])).content.decode()

    assert "<time datetime=" in html
    assert "Europe/Berlin" in html


@pytest.mark.parametrize(("draws", "heading"), [(True, "Won – lost – drawn"), (False, "Won – lost")])
@pytest.mark.parametrize("page", ["season", "player"])
def test_the_record_s_heading_names_as_many_numbers_as_stand_below(
    world: World, page: str, draws: bool, heading: str
) -> None:
    world.queue.draws_allowed = draws
    world.queue.save()
    play_until_ranked(world, [world.alice, world.bob, world.carol])
    seasons.close_season(season=world.season, actor=world.olga, now=timezone.now())
    open_next(world)
    paths = {"season": "/c/chess/seasons/spring/", "player": "/c/chess/players/alice/?season=next"}

    html = signed_in(world.alice).get(paths[page]).content.decode()

    headings = [
        " ".join(text.split()) for text in re.findall(r'<th scope="col" class="num[^>]*>(.*?)</th>', html, re.S)
    ]
    rows = [" ".join(text.split()) for text in re.findall(r'<td class="num[^>]*>(\d+ – .*?)</td>', html, re.S)]
    assert heading in headings
    assert rows
    assert {row.count("–") for row in rows} == {heading.count("–")}


def open_next(world: World) -> None:
    """The season after, so that the first is one of the others on a profile."""
    now = timezone.now()
    made = seasons.create_season(
        club=world.club,
        actor=world.olga,
        name="Next",
        slug="next",
        queues=[world.queue],
        starts_at=now,
        ends_at=None,
        now=now,
    )
    seasons.open_season(season=made, actor=world.olga, now=now)


def test_a_closed_season_is_read_only_and_says_that_its_standings_are_final(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob, world.carol])
    seasons.close_season(season=world.season, actor=world.olga, now=timezone.now())

    html = signed_in(world.alice).get(reverse("season", args=["chess", "spring"])).content.decode()

    assert "final" in html
    assert html.count('<td class="place">') == 3


@pytest.mark.parametrize("size", [10, 2_000])
def test_a_season_page_costs_the_same_with_any_number_of_players(world: World, size: int) -> None:
    crowd(world, size)
    client = signed_in(world.alice)
    client.get(reverse("season", args=["chess", "spring"]))

    with assert_queries(
        8, "session, person, membership, seasons, matches; rows, counts, last five a queue", at_most=True
    ):
        client.get(reverse("season", args=["chess", "spring"]))


def test_an_unknown_season_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        season_page(access_to(world.club, world.alice), "nothing", world.now)


def test_a_club_without_seasons_says_what_to_do_first(world: World) -> None:
    SeasonRules.objects.all().delete()
    Season.objects.all().delete()

    assert "No season yet" in signed_in(world.alice).get(reverse("seasons", args=["chess"])).content.decode()
    assert "Create the first season" in signed_in(world.olga).get(reverse("seasons", args=["chess"])).content.decode()
