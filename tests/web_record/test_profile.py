"""The player's profile: what it costs, what it tells, and what it must not tell."""

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.selectors.access import access_to
from ladder.selectors.profiles import Profile, profile
from ladder.services import clubs, seasons
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, history, play_rated, play_until_ranked, signed_in

pytestmark = pytest.mark.django_db


def of(world: World, handle: str, **wish: str) -> Profile:
    return profile(access_to(world.club, world.otto), handle, wish)


def address(handle: str) -> str:
    return reverse("player", args=["chess", handle])


@pytest.mark.parametrize(("games", "others"), [(1, 10), (30, 10_000)])
def test_a_profile_costs_ten_queries_or_fewer_however_long_the_record(world: World, games: int, others: int) -> None:
    crowd(world, others)
    history(world, " ".join(["alice>bob", "bob>alice", "alice>carol"] * games))
    client = signed_in(world.bob)
    client.get(address("alice"))

    reason = (
        "session, person, membership with club, whose profile, seasons, standings, place, events, matches with players"
    )
    with assert_queries(10, reason, at_most=True):
        assert client.get(address("alice")).status_code == 200


def test_rank_place_and_best_are_told(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob, world.carol])

    html = signed_in(world.bob).get(address("alice")).content.decode()

    shown = of(world, "alice").standing
    assert shown is not None
    assert shown.rank is not None
    assert shown.rank.name in html
    assert f"place {shown.place} of 3" in html
    assert "best this season" in html


def test_placement_tells_how_far_and_nothing_else(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    play_rated(world, world.alice, world.bob)

    shown = of(world, "alice")

    assert shown.standing is not None
    assert (shown.standing.played, shown.standing.placement_matches) == (2, 5)
    assert (shown.standing.rank, shown.standing.best, shown.standing.place) == (None, None, None)
    assert shown.history is None
    assert {line.delta for line in shown.matches} == {None}


def test_won_rival_and_best_run_come_from_the_results(world: World) -> None:
    history(world, "alice>bob alice>bob bob>alice alice>carol carol>alice alice=dave")

    cards = of(world, "alice").cards

    assert cards is not None
    assert (cards.games, cards.wins, cards.losses, cards.draws, cards.best_run) == (6, 3, 2, 1, 2)
    assert cards.rival is not None
    assert (cards.rival.person.handle, cards.rival.wins, cards.rival.losses) == ("carol", 1, 1)


def test_the_matches_come_in_pages_that_hold_each_once(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 45))

    first = of(world, "alice")
    second = of(world, "alice", after=first.next)
    third = of(world, "alice", after=second.next)

    shown = [line.outcome.match_id for page in (first, second, third) for line in page.matches]
    assert len(shown) == len(set(shown)) == 45
    assert third.next == ""


def test_the_plot_says_what_it_shows_and_holds_its_numbers_in_a_table(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob, world.carol])

    shown = of(world, "alice")
    html = signed_in(world.bob).get(address("alice")).content.decode()

    assert shown.history is not None
    assert "since" in html or "first rank" in html
    assert "Show as table" in html
    assert html.count("<tr><td><time") == len(shown.history.points)


def test_a_second_season_breaks_the_line(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob])
    world.now = timezone.now()
    seasons.close_season(season=world.season, actor=world.olga, now=world.now)
    world.season = seasons.create_season(
        club=world.club,
        actor=world.olga,
        name="Summer",
        slug="summer",
        queues=[world.queue],
        starts_at=world.later(seconds=1),
        ends_at=None,
        now=world.now,
    )
    seasons.open_season(season=world.season, actor=world.olga, now=world.now)
    for _number in range(6):
        play_rated(world, world.alice, world.bob)

    shown = of(world, "alice")

    assert shown.history is not None
    assert [one.name for one in shown.history.plots[0].breaks] == ["Summer"]
    assert [line.name for line in shown.seasons] == ["Spring"]


def test_somebody_who_left_keeps_a_record_and_has_no_place(world: World) -> None:
    play_until_ranked(world, [world.alice, world.bob])
    clubs.leave_club(club=world.club, player=world.bob, now=world.now)

    shown = of(world, "bob")

    assert not shown.is_member
    assert shown.standing is not None
    assert shown.standing.place is None
    assert "No longer a member" in signed_in(world.alice).get(address("bob")).content.decode()


def test_a_member_without_a_match_has_an_empty_record(world: World) -> None:
    assert "No matches yet" in signed_in(world.bob).get(address("dave")).content.decode()


@pytest.mark.parametrize("handle", ["stranger", "nobody", "%00"])
def test_who_never_belonged_to_the_club_has_no_profile_here(world: World, handle: str) -> None:
    assert signed_in(world.alice).get(f"/c/chess/players/{handle}/").status_code == 404


@pytest.mark.parametrize("wish", ["queue=nothing", "season=nothing", "queue=blitz&season=nothing"])
def test_an_unknown_ladder_is_not_found(world: World, wish: str) -> None:
    assert signed_in(world.alice).get(f"{address('alice')}?{wish}").status_code == 404
