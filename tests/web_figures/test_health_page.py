"""The health page: empty, with one match, with many; a drift is told in words and stands in the table."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import Player, SeasonRules
from ladder.services import clubs, queues, rating_models
from ladder.services.imports import import_matches
from ladder.services.imports.reports import Source
from ratings.models import RatingEvent, RatingModel
from ratings.selectors.models import engine_of
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.reports.steps import some_history
from tests.web_figures.test_model_pages import approved, draft
from tests.web_record.stage import history, play_rated, signed_in

pytestmark = pytest.mark.django_db


def shown(client: Client, **wish: str):
    return client.get(reverse("health", args=["chess"]), wish)


def inflate(world: World) -> None:
    """Three established players win a week's matches against newcomers who said too much of themselves."""
    RatingModel.objects.update(algorithm="elo", parameters={"k": 64.0})
    history(world, " ".join(["alice>bob", "bob>alice", "carol>alice", "alice>carol"] * 6))
    names = [f"new{number}" for number in range(36)]
    for name in names:
        player = Player.objects.create_user(name, f"{name}@example.org", "pw")
        clubs.join_club(club=world.club, player=player, self_assessment="expert", now=world.now)
    day = (world.now - timedelta(days=5)).date()
    lines = [f"{day},{('alice', 'bob', 'carol')[number % 3]},{name},1,{name}" for number, name in enumerate(names)]
    source = Source("more.csv", "\n".join(["date,team_a,team_b,result,round", *lines]).encode())
    assert import_matches(queue=world.queue, actor=world.otto, sources=[source], now=world.now).bad == ()


def test_without_a_rated_match_the_page_says_what_begins_the_record(world: World) -> None:
    assert "The first rated match of this queue begins the record" in shown(signed_in(world.olga)).content.decode()


def test_a_club_without_a_queue_reads_so(world: World) -> None:
    clubs.create_club(name="Go Club", slug="go", time_zone="UTC", owner=world.otto, now=world.now)

    html = signed_in(world.otto).get(reverse("health", args=["go"])).content.decode()

    assert "no queue yet" in html


def test_one_match_is_a_week_and_too_little_to_judge(world: World) -> None:
    play_rated(world, world.alice, world.bob)

    answer = shown(signed_in(world.olga))

    assert "Too few matches to judge" in answer.content.decode()
    assert len(answer.context["page"].rows) == 1


def test_steady_play_says_that_ratings_mean_what_they_meant(world: World) -> None:
    history(world, " ".join(["alice>bob", "bob>alice", "carol>dave", "dave>carol"] * 20))

    html = shown(signed_in(world.olga)).content.decode()

    assert "Ratings mean what they meant" in html
    assert "Warning" not in html


def test_inflation_is_a_warning_in_words_and_in_the_table(world: World) -> None:
    inflate(world)

    answer = shown(signed_in(world.olga))

    html = answer.content.decode()
    assert answer.context["page"].verdict.kind == "rising"
    assert "Warning: ratings rise by themselves" in html
    newcomers = reverse("desk_newcomers", args=["chess", "blitz"])
    assert newcomers in html
    assert newcomers not in shown(signed_in(world.maud)).content.decode()
    assert 'class="warned"' in html


def test_every_number_of_the_plots_stands_in_the_table(world: World) -> None:
    history(world, " ".join(["alice>bob", "bob>alice", "carol>dave"] * 20))

    answer = shown(signed_in(world.olga))

    html = answer.content.decode()
    page = answer.context["page"]
    assert html.count('<td class="nowrap">') == len(page.rows) > 5
    assert f"{page.newest.week.median:.0f}" in html
    for name in re.findall(r'aria-label="([^"]*)"', html):
        assert name
    assert html.count('role="img"') == 6  # three charts, each for wide and for narrow screens


def test_the_span_shortens_what_is_shown_and_not_what_is_added_up(world: World) -> None:
    history(world, " ".join(["alice>bob", "bob>alice"] * 30))

    everything = shown(signed_in(world.olga), span="all").context["page"]
    half = shown(signed_in(world.olga), span="half").context["page"]

    assert half.rows[-1] == everything.rows[-1]


def test_a_season_that_began_is_marked(world: World) -> None:
    history(world, " ".join(["alice>bob", "bob>alice"] * 30))
    SeasonRules.objects.update(during=(world.now - timedelta(days=30), None))

    page = shown(signed_in(world.olga)).context["page"]

    assert [sign.name for sign in page.spread[0].signs] == ["Spring"]


def test_a_change_of_model_stands_apart_and_everything_goes_on_in_club_points(world: World) -> None:
    some_history(world, matches=60)
    before = shown(signed_in(world.olga)).context["page"].newest
    model = approved(world, draft(world, "trueskill"))
    rating_models.put_in_force(model=model, actor=world.otto, revision=model.revision, now=world.now)
    play_rated(world, world.alice, world.bob)

    page = shown(signed_in(world.olga)).context["page"]

    changes = [change_of(event) for event in RatingEvent.objects.filter(kind="model_change")]
    played = [change_of(event) for event in RatingEvent.objects.filter(kind="match").order_by("-created_at", "-id")[:2]]
    assert page.newest.rules == pytest.approx(sum(changes))
    assert page.newest.week.by_play == pytest.approx(sum(played))
    assert abs(page.newest.week.median - before.week.median) < 100.0
    assert "model 2" in [sign.name for sign in page.spread[0].signs]


def change_of(event: RatingEvent) -> float:
    """An event's change in points of the club scale."""
    earlier = RatingEvent.objects.get(player_rating=event.player_rating, seq=event.seq - 1)
    old, new = (engine_of(one.rating_model) for one in (earlier, event))
    before = 1500.0 + (event.rating_before - old.centre) / old.unit
    return 1500.0 + (event.rating_after - new.centre) / new.unit - before


def test_the_csv_holds_the_table_with_its_decimals(world: World) -> None:
    history(world, " ".join(["alice>bob", "bob>alice"] * 20))
    client = signed_in(world.maud)

    answer = client.get(reverse("health_csv", args=["chess"]))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    page = shown(client).context["page"]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="health-blitz.csv"'
    assert [row["week"] for row in rows] == [row.week.starts.isoformat() for row in page.rows]
    assert float(rows[-1]["median"]) == pytest.approx(page.newest.week.median)


def test_another_queue_has_its_own_page(world: World) -> None:
    queues.create_queue(club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now)
    play_rated(world, world.alice, world.bob)
    client = signed_in(world.olga)

    assert shown(client).context["page"].queue == world.queue
    assert shown(client, queue="rapid").context["page"].rows == ()
    assert shown(client, queue="nothing").status_code == 404


@pytest.mark.parametrize(("who", "status"), [("otto", 200), ("olga", 200), ("maud", 200), ("alice", 403)])
def test_it_is_for_the_staff(world: World, who: str, status: int) -> None:
    assert shown(signed_in(getattr(world, who))).status_code == status


def test_moderators_find_it_beside_the_audit_and_organizers_at_the_desk(world: World) -> None:
    path = reverse("health", args=["chess"])

    for who, page in ((world.maud, "audit"), (world.olga, "desk")):
        html = signed_in(who).get(reverse(page, args=["chess"])).content.decode()
        assert f'href="{path}"' in html
    assert reverse("desk", args=["chess"]) not in signed_in(world.maud).get(path).content.decode()


@pytest.mark.parametrize("rounds", [1, 80])
def test_the_page_costs_the_same_however_long_the_record(world: World, rounds: int) -> None:
    history(world, " ".join(["alice>bob", "bob>alice", "carol>dave"] * rounds))
    client = signed_in(world.olga)
    shown(client)

    reason = "session, person, membership with club; queues, last match, models, weeks, seasons, models begun; now"
    with assert_queries(10, reason, at_most=True):
        assert shown(client).status_code == 200
