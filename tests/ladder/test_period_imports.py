"""A history imported into a queue with rating periods is rated by periods, to the numbers that a replay of it gives."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

import pytest

from ladder.models import Match
from ladder.services import periods
from ladder.services.imports import Source, import_matches
from ladder.services.imports.writing import CHUNK
from ratings.core.history import Member, Recorded, chunked
from ratings.core.registry import get_engine
from ratings.core.replay import Replay
from ratings.models import PlayerRating, RatingEvent
from ratings.services.verify import verify_ledger
from tests.ladder.periods import played, rate_by
from tests.ladder.world import World, rating_of

pytestmark = pytest.mark.service

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva")
Game = tuple[date, int, int, float]


def season(first: date, *days: int) -> list[Game]:
    """So many games on each day from the first one on."""
    dice = random.Random(5)
    games = []
    for number, count in enumerate(days):
        for _game in range(count):
            one, other = dice.sample(range(len(NAMES)), 2)
            games.append((first + timedelta(days=number), one, other, dice.choice([1.0, 1.0, 0.5, 0.0])))
    return games


def bring(world: World, games: list[Game]) -> None:
    """Import them as organizer olga."""
    rows = [
        f"{day},{NAMES[one]},{NAMES[other]},{score:g},{number}" for number, (day, one, other, score) in enumerate(games)
    ]
    content = "\n".join(["date,team_a,team_b,result,round", *rows, ""]).encode()
    report = import_matches(
        queue=world.queue, actor=world.olga, sources=[Source("history.csv", content)], now=world.now
    )
    assert report.imported == len(games), report.bad


def replayed(games: list[Game], period: str) -> dict[str, tuple[float, float | None, float | None]]:
    """What the core makes of the same games."""
    replay = Replay(get_engine("glicko2"), accelerate=False, ageing=True, period=period)
    matches = [
        Recorded(teams=((Member(one),), (Member(other),)), ranks=(1 - score, score), day=float(day.toordinal()))
        for day, one, other, score in games
    ]
    for chunk in chunked(matches):
        replay.run(chunk)
    replay.close()
    beliefs = {name: replay.belief(number) for number, name in enumerate(NAMES)}
    return {name: (one.rating, one.deviation, one.volatility) for name, one in beliefs.items()}


def stored(world: World) -> dict[str, tuple[float, float | None, float | None]]:
    """Where the ledger stands."""
    rows = PlayerRating.objects.filter(queue=world.queue, games__gt=0).select_related("player")
    return {row.player.name: (row.rating, row.deviation, row.volatility) for row in rows}


@pytest.mark.parametrize("period", ["week", "month"])
def test_an_imported_history_stands_where_its_replay_by_periods_ends(world: World, period: str) -> None:
    rate_by(world, period)
    games = season(date(2024, 1, 1), *[2, 0, 3, 1, 0, 0, 2] * 9)

    bring(world, games)

    expected = replayed(games, period)
    for name, numbers in stored(world).items():
        assert numbers == pytest.approx(expected[name], rel=1e-9)
    assert Match.objects.filter(rated_at=None).count() == 0
    assert verify_ledger() == []


def test_a_week_of_more_games_than_are_written_at_a_time_stays_one_week(world: World) -> None:
    rate_by(world, "week")
    games = season(date(2024, 1, 1), 5, 0, 0, 0, 0, 0, 0, *[CHUNK // 4] * 5)

    bring(world, games)

    expected = replayed(games, "week")
    for name, numbers in stored(world).items():
        assert numbers == pytest.approx(expected[name], rel=1e-9)
    told = RatingEvent.objects.filter(kind="match").order_by("-seq").values_list("explanation", flat=True)[0]
    assert told["period"]["game"] == told["period"]["of"] > CHUNK // 4


def test_imported_matches_say_which_period_they_were_rated_in(world: World) -> None:
    rate_by(world, "week")

    bring(world, season(date(2024, 1, 1), 1))

    match = Match.objects.get()
    assert match.period_ends_at == datetime(2024, 1, 7, 23, tzinfo=UTC)
    assert match.rated_at == world.now


def test_a_running_period_is_rated_as_far_as_the_import_knows_it_and_goes_on(world: World) -> None:
    rate_by(world, "month")
    today = world.now.date()
    rows = f"date,team_a,team_b,result\n{today},alice,bob,1\n".encode()
    import_matches(
        queue=world.queue,
        actor=world.olga,
        sources=[Source("today.csv", rows)],
        now=world.later(hours=2),
    )
    assert rating_of(world, world.alice).games == 1

    [match] = played(world, (world.alice, world.carol))
    assert match.period_ends_at is not None
    assert periods.close_due(now=match.period_ends_at + timedelta(minutes=1)) == 1
    assert rating_of(world, world.alice).games == 2
    assert verify_ledger() == []


def test_first_ratings_of_an_imported_history_are_those_of_its_replay(world: World) -> None:
    """Games of several months, out of one import and out of two, make one first rating."""
    rate_by(world, "month", "elo_fide", {"first_rating": True})
    games = season(date(2024, 1, 25), *[1] * 40)
    january, rest = games[:7], games[7:]

    bring(world, january)
    bring(world, rest)

    replay = Replay(get_engine("elo_fide", {"first_rating": True}), period="month")
    for chunk in chunked(
        Recorded(teams=((Member(one),), (Member(other),)), ranks=(1 - score, score), day=float(day.toordinal()))
        for day, one, other, score in games
    ):
        replay.run(chunk)
    replay.close()
    assert {name: rating for name, (rating, _, _) in stored(world).items()} == {
        name: replay.belief(number).rating for number, name in enumerate(NAMES)
    }
    assert verify_ledger() == []
