"""The standings as a file: the page's own rows and places, for everybody of it, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from ladder.models import Player
from ladder.selectors.board_tables import COLUMNS
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, history, signed_in, standing

pytestmark = pytest.mark.django_db


def get(world: World, **wish: object) -> HttpResponse:
    return signed_in(world.alice).get(reverse("board_csv", args=["chess", "blitz"]), wish)


def table(answer: HttpResponse) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_it_holds_place_rank_points_and_record_and_nothing_else(world: World) -> None:
    standing(world, world.alice, 1520).save()
    standing(world, world.bob, 710).save()
    standing(world, world.carol, None).save()

    answer = get(world)

    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="blitz-spring.csv"' in answer.headers["Content-Disposition"]
    assert answer.content.decode().splitlines() == [
        ",".join(COLUMNS),
        "1,Master,,20,alice,alice,1,0,0,",
        "2,Gold,2,10,bob,bob,1,0,0,",
        ",,,,carol,carol,1,0,0,1 of 5",
    ]


@pytest.mark.parametrize("size", [0, 1, 10_000])
def test_it_holds_everybody_at_a_constant_number_of_queries(world: World, size: int) -> None:
    crowd(world, size)
    client = signed_in(world.alice)
    address = reverse("board_csv", args=["chess", "blitz"])
    client.get(address)

    with assert_queries(5, "session, person, membership with club, the club's seasons, the rows"):
        rows = table(client.get(address))

    assert len({row["handle"] for row in rows}) == len(rows) == size


def test_B113_places_are_those_of_the_page_in_the_whole_and_in_parts(world: World) -> None:
    crowd(world, 60)
    crowd(world, 9, position=740, prefix="q")
    page = signed_in(world.alice).get(reverse("board", args=["chess", "blitz"]), {"tier": 2}).context["page"]
    shown = {row.handle: str(row.place) for row in page.placed}

    whole = {row["handle"]: row["place"] for row in table(get(world))}
    gold = {row["handle"]: row["place"] for row in table(get(world, tier=2))}
    gold_2 = {row["handle"]: row["place"] for row in table(get(world, tier=2, division=2))}

    assert gold == shown
    assert gold.items() < whole.items()
    assert gold_2.items() < gold.items()
    assert {f"q{number:05}" for number in range(9)} < gold_2.keys()
    assert table(get(world, tier=5, division=1)) == [row for row in table(get(world)) if row["tier"] == "Master"]


def test_a_past_day_gives_the_standings_of_that_day(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 30 + ["bob>alice"] * 25))
    early, late = (timezone.now().date() - timedelta(days=days) for days in (45, 1))

    answer = get(world, on=early)
    page = signed_in(world.alice).get(reverse("board", args=["chess", "blitz"]), {"on": early}).context["page"]

    assert f"blitz-spring-{early}.csv" in answer.headers["Content-Disposition"]
    assert [(row["handle"], row["place"], row["won"]) for row in table(answer)] == [
        (row.handle, str(row.place), str(row.wins)) for row in page.placed
    ]
    assert [row["won"] for row in table(answer)] != [row["won"] for row in table(get(world, on=late))]
    assert table(get(world, on=timezone.now().date())) == table(get(world))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+49", "'+49"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ('Ann "The, Rook"', 'Ann "The, Rook"'),
        ("Žofie\u2003Nová", "Žofie\u2003Nová"),
    ],
)
def test_B119_a_name_is_text_in_every_spreadsheet(world: World, name: str, told: str) -> None:
    Player.objects.filter(pk=world.alice.pk).update(display_name=name)
    standing(world, world.alice, 900).save()

    [row] = table(get(world))

    assert row["name"] == told


def test_a_queue_without_a_season_gives_an_empty_table_and_an_unknown_one_none(world: World) -> None:
    world.season.rules.all().delete()
    world.season.delete()

    assert get(world).content.decode() == ",".join(COLUMNS) + "\n"
    assert signed_in(world.alice).get("/c/chess/ladder/nothing/standings.csv").status_code == 404


@pytest.mark.parametrize("wish", [{"on": "yesterday"}, {"on": "0001-01-01"}, {"tier": "x"}, {"division": "-1"}])
def test_a_bad_wish_is_never_an_error(world: World, wish: dict[str, str]) -> None:
    crowd(world, 3)

    assert len(table(get(world, **wish))) in (0, 3)
