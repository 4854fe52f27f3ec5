"""The leaderboard's order: places, pages that fit together while ranks move, who is listed."""

import random

import pytest
from django.utils import timezone

from ladder.selectors.access import access_to
from ladder.selectors.board_rows import PAGE, BoardPage, Wish
from ladder.selectors.boards import board_page
from ladder.selectors.ladders import Ladder, ladder
from ladder.selectors.profiles import profile
from ladder.services import clubs, seasons
from ratings.models import PlayerRating
from tests.ladder.world import World
from tests.web_record.stage import crowd, play_rated, play_until_ranked, standing

pytestmark = pytest.mark.django_db


def of(world: World, season: str | None = None) -> Ladder:
    return ladder(access_to(world.club, world.otto), "blitz", season)


def page(world: World, **wish) -> BoardPage:
    limit = wish.pop("limit", PAGE)
    return board_page(of(world), Wish(**wish), viewer=world.alice, now=timezone.now(), limit=limit)


def search(world: World, text: str) -> BoardPage:
    return page(world, text=text)


def everybody(world: World, limit: int, between=lambda: None) -> list[str]:
    """The handles of all pages in turn; `between` happens before each further one."""
    shown = page(world, limit=limit)
    handles = [row.handle for row in (*shown.placed, *shown.waiting)]
    while shown.next:
        between()
        shown = page(world, after=shown.next, limit=limit)
        handles += [row.handle for row in (*shown.placed, *shown.waiting)]
    return handles


def test_B111_R07_sixty_players_with_equal_points_stand_on_exactly_one_page_each(world: World) -> None:
    people = crowd(world, 60, position=700)

    handles = everybody(world, limit=25)

    assert sorted(handles) == sorted(player.handle for player in people)


def test_B113_equal_points_share_a_place_and_the_next_place_counts_them_all(world: World) -> None:
    for player, position in [(world.alice, 710), (world.bob, 710), (world.carol, 708)]:
        standing(world, player, position).save()

    places = {row.handle: row.place for row in page(world).placed}

    assert places == {"alice": 1, "bob": 1, "carol": 3}


def test_B113_R07_places_are_the_same_on_every_page_in_search_and_on_the_profile(world: World) -> None:
    people = crowd(world, 23, position=700) + crowd(world, 20, position=650, prefix="q")
    pages = [page(world, limit=10)]
    while pages[-1].next:
        pages.append(page(world, after=pages[-1].next, limit=10))

    places = {row.handle: row.place for shown in pages for row in shown.placed}

    assert {places[player.handle] for player in people[:23]} == {1}
    assert {places[player.handle] for player in people[23:]} == {24}
    [found] = search(world, "q00007").placed
    assert found.place == 24
    shown = profile(access_to(world.club, world.otto), "q00007", {})
    assert shown.standing is not None
    assert shown.standing.place == 24


def test_going_back_shows_the_same_pages_with_the_same_places(world: World) -> None:
    crowd(world, 60)
    first = page(world, limit=25)
    second = page(world, after=first.next, limit=25)
    third = page(world, after=second.next, limit=25)

    back = page(world, before=third.previous, limit=25)
    start = page(world, before=back.previous, limit=25)

    assert back.placed == second.placed
    assert start.placed == first.placed
    assert not start.previous


@pytest.mark.parametrize("seed", [1, 2])
def test_pages_never_skip_or_repeat_a_player_while_ranks_move(world: World, seed: int) -> None:
    cast = [world.alice, world.bob, world.carol, world.dave]
    play_until_ranked(world, cast)
    crowd(world, 10)
    rng = random.Random(seed)
    before = everybody(world, limit=50)
    world.now = timezone.now()

    def move() -> None:
        winner, loser = rng.sample(cast, 2)
        play_rated(world, winner, loser)

    assert everybody(world, limit=2, between=move) == before


def test_a_later_page_shows_the_places_of_the_moment_it_began(world: World) -> None:
    cast = [world.alice, world.bob, world.carol, world.dave]
    play_until_ranked(world, cast)
    order = page(world, limit=50).placed
    first = page(world, limit=2)
    world.now = timezone.now()
    for _number in range(4):
        play_rated(world, next(one for one in cast if one.handle == order[3].handle), world.maud)

    second = page(world, after=first.next, limit=2)

    assert [(row.handle, row.place) for row in second.placed] == [(row.handle, row.place) for row in order[2:4]]
    assert second.as_of is not None


def test_placement_players_stand_below_without_place_or_rank(world: World) -> None:
    standing(world, world.alice, 700).save()
    standing(world, world.bob, None).save()

    shown = page(world)

    assert [row.handle for row in shown.placed] == ["alice"]
    [waiting] = shown.waiting
    assert (waiting.place, waiting.rank, waiting.placed_matches, waiting.placement_matches) == (None, None, 1, 5)


def test_members_without_a_match_are_not_listed(world: World) -> None:
    assert page(world).is_empty


def test_a_tier_shows_its_own_with_their_places_on_the_whole_board(world: World) -> None:
    for player, position in [(world.alice, 1250), (world.bob, 710), (world.carol, 640), (world.dave, 20)]:
        standing(world, player, position).save()

    gold = page(world, tier=2)

    assert [(row.handle, row.place) for row in gold.placed] == [("bob", 2), ("carol", 3)]


def test_around_me_begins_a_little_above_me(world: World) -> None:
    crowd(world, 40)
    standing(world, world.alice, 777).save()

    shown = page(world, at="me", limit=15)

    handles = [row.handle for row in shown.placed]
    assert handles.index("alice") == 7
    whole = {row.handle: row.place for row in page(world, limit=50).placed}
    assert {row.handle: row.place for row in shown.placed}.items() <= whole.items()
    assert shown.previous


def test_a_division_shows_its_own_and_a_tier_without_divisions_all_of_it(world: World) -> None:
    for player, position in [(world.alice, 790), (world.bob, 710), (world.carol, 640), (world.dave, 1510)]:
        standing(world, player, position).save()

    shown = {
        wish: [(row.handle, row.place) for row in page(world, tier=wish[0], division=wish[1]).placed]
        for wish in [(2, 2), (2, 3), (2, 1), (2, 9), (5, None), (5, 1), (9, 1)]
    }

    assert shown[2, 2] == [("alice", 2), ("bob", 3)]
    assert shown[2, 3] == [("carol", 4)]
    assert shown[2, 1] == []
    assert shown[2, 9] == [("alice", 2), ("bob", 3), ("carol", 4)]
    assert shown[5, None] == shown[5, 1] == [("dave", 1)]
    assert [handle for handle, _place in shown[9, 1]] == ["dave", "alice", "bob", "carol"]


def test_pages_of_a_division_hold_each_of_its_players_once(world: World) -> None:
    crowd(world, 300)
    first = page(world, tier=2, division=2, limit=7)
    shown, last = [*first.placed], first
    while last.next:
        last = page(world, tier=2, division=2, limit=7, after=last.next)
        shown += last.placed

    assert {row.rank.name for row in shown if row.rank} == {"Gold 2"}
    inside = PlayerRating.objects.filter(position__gte=700, position__lt=800).count()
    assert len(shown) == len({row.handle for row in shown}) == inside > 14


def test_around_somebody_begins_a_little_above_them_and_marks_them(world: World) -> None:
    crowd(world, 40)

    shown = page(world, at="p00020", limit=15)

    [wanted] = [row for row in shown.placed if row.is_wanted]
    assert (wanted.handle, shown.placed.index(wanted)) == ("p00020", 7)
    assert not any(row.is_me for row in shown.placed)


@pytest.mark.parametrize("handle", ["dave", "nobody"])
def test_who_does_not_stand_on_the_board_is_said_not_to(world: World, handle: str) -> None:
    crowd(world, 3)

    shown = page(world, at=handle)

    assert shown.not_found == handle
    assert len(shown.placed) == 3


def test_B115_a_banned_player_leaves_the_open_ladder_at_once_and_places_close_up(world: World) -> None:
    for player, position in [(world.alice, 900), (world.bob, 800), (world.carol, 700), (world.dave, 600)]:
        standing(world, player, position).save()
    clubs.end_membership(club=world.club, actor=world.otto, player=world.carol, now=world.now, ban=True)

    shown = page(world)

    assert [(row.handle, row.place) for row in shown.placed] == [("alice", 1), ("bob", 2), ("dave", 3)]
    assert shown.total == 3
    dave = profile(access_to(world.club, world.otto), "dave", {}).standing
    carol = profile(access_to(world.club, world.otto), "carol", {}).standing
    assert dave is not None
    assert carol is not None
    assert (dave.place, dave.total) == (3, 3)
    assert carol.place is None


def test_B115_final_standings_keep_who_left_later(world: World) -> None:
    for player, position in [(world.alice, 900), (world.bob, 800)]:
        standing(world, player, position).save()
    seasons.close_season(season=world.season, actor=world.olga, now=world.later(days=1))
    clubs.leave_club(club=world.club, player=world.bob, now=world.now)

    assert [row.handle for row in page(world).placed] == ["alice", "bob"]


def test_R09_a_deactivated_account_is_not_listed(world: World) -> None:
    standing(world, world.alice, 900).save()
    world.alice.is_active = False
    world.alice.save()

    assert page(world).is_empty


@pytest.mark.parametrize("word", ["", "x", "WyJhIl0", "0" * 600, "%00", "☃"])
def test_a_cursor_of_nonsense_gives_the_first_page(world: World, word: str) -> None:
    standing(world, world.alice, 900).save()

    shown = page(world, after=word)

    assert [row.handle for row in shown.placed] == ["alice"]


def test_search_finds_by_handle_or_name_and_says_when_there_are_more(world: World) -> None:
    crowd(world, 30)
    world.alice.display_name = "Zoë the Great"
    world.alice.save()
    standing(world, world.alice, 900).save()

    assert [row.handle for row in search(world, "great").placed] == ["alice"]
    many = search(world, "p000")
    assert len(many.placed) == 20
    assert many.more_found


def test_the_board_reads_one_standing_a_player(world: World) -> None:
    standing(world, world.alice, 900).save()
    roled = standing(world, world.alice, None)
    roled.role = "tank"
    roled.save()

    assert PlayerRating.objects.count() == 2
    assert page(world).total == 1
