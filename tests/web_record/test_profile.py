"""The player's profile: what it costs, what it tells, and what it must not tell."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.selectors.access import access_to
from ladder.selectors.profiles import Profile, profile
from ladder.services import clubs, seasons
from ratings.models import PlayerRating, RatingEvent
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


def test_the_highest_rank_is_told_with_the_day_it_was_reached_first(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 20 + ["bob>alice"] * 10))

    cards = of(world, "alice").cards
    html = signed_in(world.bob).get(address("alice")).content.decode()

    events = RatingEvent.objects.filter(player_rating__player=world.alice, position_after__isnull=False)
    highest = events.order_by("-position_after", "seq")[0]
    assert cards is not None
    assert cards.peak is not None
    assert (cards.peak.rank.position, cards.peak.at) == (highest.position_after, highest.effective_at)
    assert cards.peak.rank.position == PlayerRating.objects.get(player=world.alice).peak_position
    local = timezone.localtime(highest.effective_at, ZoneInfo("Europe/Berlin"))
    assert f"{local.day} {local:%b %Y}</time>" in html


@pytest.mark.parametrize(
    ("games", "words"),
    [
        ("bob>alice alice>bob alice>bob", "Now 2 wins in a row"),
        ("alice>bob bob>alice bob>alice bob>alice", "Now 3 losses in a row"),
        ("alice>bob alice=bob alice=bob", "Now 2 draws in a row"),
        ("alice>bob bob>alice", None),
    ],
)
def test_the_present_run_is_told_once_it_is_one(world: World, games: str, words: str | None) -> None:
    history(world, games)

    html = signed_in(world.bob).get(address("alice")).content.decode()

    assert (words in html) if words else ("in a row" not in html)


def test_results_are_told_by_opponent_the_one_met_most_often_first(world: World) -> None:
    history(world, "alice>bob bob>alice alice=bob carol>alice alice>dave alice>dave")

    against = of(world, "alice").against
    html = signed_in(world.bob).get(address("alice")).content.decode()

    assert against is not None
    assert [(row.person.handle, row.wins, row.losses, row.draws) for row in against.rows] == [
        ("bob", 1, 1, 1),
        ("dave", 2, 0, 0),
        ("carol", 0, 1, 0),
    ]
    assert "By opponent" in html


@pytest.mark.parametrize(("others", "shown", "more"), [(1, 1, 0), (10, 10, 0), (14, 10, 4)])
def test_only_the_ten_met_most_often_are_named(world: World, others: int, shown: int, more: int) -> None:
    people = crowd(world, others)
    history(world, " ".join(f"alice>{player.handle}" for player in people))

    against = of(world, "alice").against

    assert against is not None
    assert (len(against.rows), against.more) == (shown, more)
    html = signed_in(world.bob).get(address("alice")).content.decode()
    assert (f"And {more} more opponents." in html) is (more > 0)


def test_hours_are_those_of_the_club_and_not_of_matches_without_one(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 30))
    assert of(world, "alice").hours is None  # an imported history has days alone

    evening = timezone.localtime(timezone.now(), ZoneInfo("Europe/Berlin")).replace(hour=20, minute=10)
    for number in range(10):
        world.now = evening - timedelta(days=9 - number, minutes=1)
        play_rated(world, *((world.alice, world.bob) if number % 3 else (world.bob, world.alice)))

    hours = of(world, "alice").hours
    html = signed_in(world.bob).get(address("alice")).content.decode()
    assert hours is not None
    assert [(row.hour, row.matches, row.wins, row.losses) for row in hours.rows] == [(20, 10, 6, 4)]
    assert "Most matches end between 20:00 and 20:59" in html


def test_nine_matches_say_nothing_about_hours(world: World) -> None:
    for _number in range(9):
        play_rated(world, world.alice, world.bob)

    assert of(world, "alice").hours is None


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
