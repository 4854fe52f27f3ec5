"""`manage.py fit_tiers`: from the ratings of a queue to a table that a season takes."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ladder.models import Membership, Player, SeasonRules
from ladder.selectors.tier_ratings import kept_tier_ratings, newest_rules, tier_ratings
from ratings.core.rank_rules import RankRules
from ratings.models import PlayerRating, RatingModel
from tests.harness.queries import assert_queries
from tests.ladder.world import World

pytestmark = pytest.mark.service


def populate(world: World, size: int, *, games: int = 20) -> list[PlayerRating]:
    """So many members whose ratings stand 10 points apart, from 1000 on."""
    names = [f"p{number:03}" for number in range(size)]
    people = Player.objects.bulk_create(Player(handle=name, handle_key=name, date_joined=world.now) for name in names)
    Membership.objects.bulk_create(Membership(club=world.club, player=one, joined_at=world.now) for one in people)
    model = RatingModel.objects.get(queue=world.queue)
    return PlayerRating.objects.bulk_create(
        PlayerRating(
            player=player,
            queue=world.queue,
            season=world.season,
            rating_model=model,
            rating=1000.0 + 10.0 * number,
            deviation=60.0,
            volatility=0.06,
            games=games,
            wins=games,
            created_at=timezone.now(),
            last_match_at=timezone.now(),
        )
        for number, player in enumerate(people)
    )


def run(*arguments: str) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("fit_tiers", "--queue", "chess/blitz", *arguments, stdout=out)
    return out.getvalue()


def test_the_proposal_holds_the_stated_shares_and_is_a_table_that_a_season_takes(world: World) -> None:
    populate(world, 100)

    told: dict[str, Any] = json.loads(run("--shares", "Wood:2=40,Stone:2=50,Sky=10", "--json"))

    assert told["players"] == 100
    assert [(row["tier"], row["division"], row["players"]) for row in told["divisions"]] == [
        ("Wood", 2, 20),
        ("Wood", 1, 20),
        ("Stone", 2, 25),
        ("Stone", 1, 25),
        ("Sky", 0, 10),
    ]
    taken = RankRules.from_json({"tiers": told["tiers"]})
    assert taken.begins == (None, 1195.0, 1395.0, 1645.0, 1895.0)


def test_without_shares_the_tiers_of_the_newest_season_are_filled_by_a_bell(world: World) -> None:
    populate(world, 200)

    lines = run().splitlines()

    assert lines[0] == "200 players"
    assert [line.split()[0] for line in lines[2:]] == [
        "Master",
        *3 * ["Diamond"],
        *3 * ["Platinum"],
        *3 * ["Gold"],
        *3 * ["Silver"],
        *3 * ["Bronze"],
    ]
    assert lines[2].split()[-3:] == ["2.0%", "2.0%", "4"]


def test_who_played_too_little_or_is_gone_does_not_count(world: World) -> None:
    rows = populate(world, 40)
    PlayerRating.objects.filter(pk=rows[0].pk).update(games=9, wins=9)
    PlayerRating.objects.filter(pk=rows[1].pk).update(games=4, wins=4, earlier_games=6)
    Membership.objects.filter(player_id=rows[2].player_id).update(state=Membership.State.LEFT)
    Player.objects.filter(pk=rows[3].player_id).update(is_active=False)

    found = tier_ratings(world.queue, newest_rules(world.queue.pk), now=timezone.now())

    assert len(found) == 37
    assert found[0] == rows[1].rating
    assert list(found) == sorted(found)


def test_the_cautious_value_counts_where_ranks_follow_it(world: World) -> None:
    populate(world, 25)
    cautious = RankRules(target_from="conservative")

    plain = tier_ratings(world.queue, RankRules(), now=timezone.now())
    careful = tier_ratings(world.queue, cautious, now=timezone.now())

    assert all(low == pytest.approx(high - 120.0, abs=0.5) for low, high in zip(careful, plain, strict=True))


@pytest.mark.parametrize("size", [25, 60])
def test_reading_the_ratings_takes_two_queries_and_none_again_within_two_minutes(world: World, size: int) -> None:
    populate(world, size)
    rules = RankRules()

    with assert_queries(2, "the queue's models, the newest rating of every member"):
        first = kept_tier_ratings(world.queue, rules, now=timezone.now())
    with assert_queries(0, "kept"):
        again = kept_tier_ratings(world.queue, rules, now=timezone.now())

    assert len(first) == size
    assert first == again


def test_a_small_club_is_told_how_many_players_a_proposal_needs(world: World) -> None:
    populate(world, 12)

    with pytest.raises(CommandError, match="Only 12 players have played enough here; a proposal needs 20"):
        run()


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ("Wood", "is not TIER"),
        ("=5,Sky=95", "is not TIER"),
        ("Wood=half,Sky=50", "is not TIER"),
        ("Wood=40,Sky=50", "must add up to 100%"),
        ("Wood=50,Sky:2=50", "the top tier is undivided"),
    ],
)
def test_shares_that_cannot_be_are_refused(world: World, shares: str, words: str) -> None:
    populate(world, 30)

    with pytest.raises(CommandError, match=words):
        run("--shares", shares)


def test_the_command_changes_nothing(world: World) -> None:
    populate(world, 30)
    before = SeasonRules.objects.get().rank_rules, PlayerRating.objects.latest("id").rating

    run()

    assert before == (SeasonRules.objects.get().rank_rules, PlayerRating.objects.latest("id").rating)
