"""product-faults.md 1.1: ratings applied wrongly or more than once."""

from __future__ import annotations

import pytest

from ladder.models import Match, Queue
from ladder.services import matches, queues, rating, results, seasons
from ladder.services.imports import Source, import_matches
from ladder.services.matches import Seat
from ladder.services.rating import Outcome
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors.explanations import explanation
from tests.ladder.world import World, play

pytestmark = pytest.mark.service


def moves_of(match: Match) -> list[float]:
    """What the ledger gave and took for the match, gain first."""
    rows = RatingEvent.objects.filter(match=match, kind=RatingEvent.Kind.MATCH)
    return sorted((row.rating_after - row.rating_before for row in rows), reverse=True)


def test_B07_a_series_won_two_to_one_is_one_ledger_pair_like_any_win(world: World) -> None:
    series = world.match(world.alice, world.bob)
    for revision, side in enumerate((world.alice, world.bob)):
        results.report(
            match_id=series.pk, actor=side, revision=revision, winner=0, scores=(2, 1), now=world.later(seconds=1)
        )
    single = play(world, world.carol, world.dave)

    outcomes = [rating.rate_match(match_id=match.pk, now=world.now) for match in (series, single, series)]

    assert outcomes == [Outcome.RATED, Outcome.RATED, Outcome.ALREADY_RATED]
    assert len(moves_of(series)) == 2
    assert moves_of(series) == moves_of(single), "the games of a series do not count again"
    assert PlayerRating.objects.get(player=world.alice).games == 1


def test_B07_a_series_in_a_file_is_one_match_and_one_ledger_pair(world: World) -> None:
    file = Source("series.csv", b"date,team_a,team_b,score_a,score_b,result\n2024-01-01,Ann,Ben,2,1,1\n")

    import_matches(queue=world.queue, actor=world.olga, sources=[file], now=world.now)

    assert len(moves_of(Match.objects.get())) == 2


def start_in(world: World, queue: Queue) -> RatingEvent:
    """The first line of alice's ledger in a queue, after she entered a match there."""
    matches.create(
        queue=queue,
        season=world.season,
        seats=[[Seat(world.alice.pk)], [Seat(world.dave.pk)]],
        quality=None,
        now=world.later(minutes=1),
    )
    return RatingEvent.objects.get(player_rating__player=world.alice, player_rating__queue=queue, seq=1)


def test_B19_a_new_queue_copies_nothing_is_less_sure_and_its_first_line_says_where_it_starts(world: World) -> None:
    for _match in range(6):
        rating.rate_match(match_id=play(world, world.alice, world.bob).pk, now=world.now)
    other = PlayerRating.objects.get(player=world.alice)
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now
    )
    seasons.add_queue(season=world.season, queue=rapid, actor=world.olga, now=world.now)

    first = start_in(world, rapid)

    told = first.explanation
    assert (first.kind, told["source"], told["answer"]) == (RatingEvent.Kind.PLACEMENT, "other_queues", "club")
    assert other.rating > 1550
    assert 1500.0 < first.rating_after < other.rating
    assert first.deviation_after > other.deviation
    assert "Blitz" in str(explanation(first))


def test_B19_a_new_season_starts_from_the_last_one_with_a_line_that_says_so_and_less_certain(world: World) -> None:
    for _match in range(6):
        rating.rate_match(match_id=play(world, world.alice, world.bob).pk, now=world.now)
    spring = PlayerRating.objects.get(player=world.alice)
    seasons.close_season(season=world.season, actor=world.olga, now=world.later(seconds=1))
    world.season = seasons.create_season(
        club=world.club,
        actor=world.olga,
        name="Summer",
        slug="summer",
        queues=[world.queue],
        starts_at=world.now,
        ends_at=None,
        now=world.now,
    )
    seasons.open_season(season=world.season, actor=world.olga, now=world.later(seconds=1))
    world.match(world.alice, world.dave)

    first = RatingEvent.objects.get(player_rating__player=world.alice, player_rating__season=world.season)

    told = first.explanation
    assert (told["source"], told["season"], told["rating"]) == ("earlier_season", str(spring.season_id), spring.rating)
    assert first.rating_after == spring.rating
    assert first.deviation_after is not None
    assert first.deviation_after > spring.deviation
    assert told["widened_by"] > 0
