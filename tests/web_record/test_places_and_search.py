"""Places are counted and people found through indexes, and both come out as a look at every row would have it."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.utils import timezone

from ladder.models import Membership, Player
from ladder.selectors.access import access_to
from ladder.selectors.board_counts import count_around, places
from ladder.selectors.board_order import key_of, listed
from ladder.selectors.board_rows import BoardPage, Wish
from ladder.selectors.boards import board_page
from ladder.selectors.ladders import Ladder, ladder
from ladder.selectors.name_search import named
from ladder.selectors.rank_cards import rank_card
from ladder.services import seasons
from ratings.models import PlayerRating
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, standing

pytestmark = pytest.mark.django_db


def of(world: World) -> Ladder:
    return ladder(access_to(world.club, world.otto), "blitz", None)


def search(world: World, text: str) -> BoardPage:
    return board_page(of(world), Wish(text=text), viewer=None, now=timezone.now())


def mixed_crowd(world: World, seed: int) -> None:
    """Sixty people, many at equal ranks, some in placement, some gone in each of the ways."""
    rng = random.Random(seed)
    people = crowd(world, 60)
    for player in people:
        position = rng.choice([None, 300, 310, 310, 500, rng.randrange(1600)])
        wins = rng.randrange(3)
        PlayerRating.objects.filter(player=player).update(position=position, wins=wins, losses=3 - wins, games=3)
    for player in rng.sample(people, 12):
        state = rng.choice([Membership.State.LEFT, Membership.State.BANNED])
        Membership.objects.filter(player=player).update(state=state)
    Player.objects.filter(pk__in=[player.pk for player in rng.sample(people, 4)]).update(is_active=False)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_final", [False, True])
def test_counts_and_places_are_those_of_the_rows_themselves(world: World, seed: int, is_final: bool) -> None:
    mixed_crowd(world, seed)
    if is_final:
        seasons.close_season(season=world.season, actor=world.olga, now=world.later(days=1))
        seasons.finish_closing(now=world.later(minutes=5))
    rows = sorted(listed(of(world)), key=lambda row: key_of(row).order)
    assert (len(rows) == 60) is is_final

    at = places(of(world), [row.position for row in rows if row.position is not None])

    for number, row in enumerate(rows):
        higher = sum(1 for other in rows if other.position is not None and other.position > (row.position or -1))
        counts = count_around(of(world), key_of(row))
        assert (counts.total, counts.before, counts.higher) == (len(rows), number, higher)
        if row.position is not None:
            assert at[row.position] == higher + 1


def test_the_rank_card_the_places_and_the_search_agree(world: World) -> None:
    mixed_crowd(world, 9)

    for row in listed(of(world)).filter(position__isnull=False)[:10]:
        card = rank_card(of(world), row.player_id)
        [found] = search(world, row.player.handle).placed
        assert card is not None
        assert card.place == found.place == places(of(world), [row.position or 0])[row.position or 0]


def test_places_cost_one_query_however_many_are_asked_for(world: World) -> None:
    mixed_crowd(world, 2)
    here = of(world)

    with assert_queries(1, "everybody by stretches of the ranks, and those who are gone"):
        places(here, range(0, 1600, 7))
    with assert_queries(0, "nobody's place"):
        assert places(here, []) == {}


def named_people(world: World) -> None:
    for number, (handle, name) in enumerate(
        [("annabel", ""), ("joanna", "Zoë the Great"), ("max", "Anna van Dyk"), ("vera", "Žofie Nová"), ("zed", "")]
    ):
        player = Player.objects.create(handle=handle, handle_key=handle, display_name=name, date_joined=world.now)
        Membership.objects.create(club=world.club, player=player, joined_at=world.now)
        standing(world, player, 900 - number).save()


@pytest.mark.parametrize(
    ("text", "handles"),
    [
        ("anna", ["annabel", "joanna", "max"]),
        ("ANNA V", ["max"]),
        ("zoë", ["joanna"]),
        ("zoe\u0308", ["joanna"]),
        ("žof", ["vera"]),
        ("an", ["annabel", "max"]),
        ("z", ["joanna", "zed"]),
        ("dy", ["max"]),
        ("no", ["vera"]),
        ("na", []),
        ("%", []),
        ("_", []),
        ("nobody", []),
    ],
)
def test_three_letters_find_any_part_of_a_name_and_fewer_the_beginning_of_a_word(
    world: World, text: str, handles: list[str]
) -> None:
    named_people(world)

    assert [row.handle for row in search(world, text).placed] == handles


@pytest.mark.parametrize("text", ["anna", "an", "a"])
def test_the_search_has_an_index_for_handles_and_names(world: World, text: str) -> None:
    named_people(world)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off")  # of five rows

    plan = Player.objects.filter(named(text, path="")).explain()

    assert "player_by_part_of_handle" in plan
    assert "player_by_part_of_name" in plan


def test_people_who_are_gone_are_not_found(world: World) -> None:
    named_people(world)
    Membership.objects.filter(player__handle="zed").update(state=Membership.State.BANNED)

    assert search(world, "zed").is_empty


def test_a_page_of_placed_people_does_not_lose_those_in_placement_below(world: World) -> None:
    for player, position in [(world.alice, 900), (world.bob, 800), (world.carol, None), (world.dave, None)]:
        standing(world, player, position).save()

    pages = [board_page(of(world), viewer=None, now=timezone.now(), limit=limit) for limit in (1, 2, 3, 4)]

    assert [(len(page.placed), len(page.waiting)) for page in pages] == [(1, 0), (2, 0), (2, 1), (2, 2)]
    assert [bool(page.next) for page in pages] == [True, True, True, False]
