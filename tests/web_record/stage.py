"""What the tests of the record stand on: a club in the recent past, seasons played through, boards of any size."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from uuid import UUID

from django.test import Client
from django.utils import timezone

from ladder.models import Membership, Player
from ladder.services import rating
from ladder.services.imports import import_matches
from ladder.services.imports.reports import Source
from ratings.models import PlayerRating, RatingModel
from tests.ladder.world import World, build_world, play


def past_world() -> World:
    """The usual club, begun sixty days before now."""
    return build_world(timezone.now() - timedelta(days=60))


def signed_in(player: Player) -> Client:
    """A browser in which this person is signed in."""
    client = Client()
    client.force_login(player)
    return client


def play_rated(world: World, winner: Player, loser: Player, times: int = 1) -> None:
    """So many matches with this result, each rated at once."""
    for _number in range(times):
        match = play(world, winner, loser)
        rating.rate_match(match_id=match.pk, now=world.later(seconds=1))


def history(world: World, results: str) -> None:
    """A whole history at once, "alice>bob carol=dave", a day or part of one each, rated in this order."""
    lines = ["date,team_a,team_b,result,round"]
    games = results.split()
    for number, game in enumerate(games):
        sign = ">" if ">" in game else "="
        first, second = game.split(sign)
        day = (world.now + timedelta(days=number * 50 // len(games))).date()
        lines.append(f"{day},{first},{second},{1 if sign == '>' else 0.5},{number}")
    source = Source("history.csv", "\n".join(lines).encode())
    report = import_matches(queue=world.queue, actor=world.otto, sources=[source], now=timezone.now())
    assert report.imported == len(games), report.bad
    world.now = timezone.now()


def play_until_ranked(world: World, players: Sequence[Player]) -> None:
    """Enough matches among these players (ten for each), with turns at winning, that each has a rank."""
    games = []
    for round_number in range(5):
        for number, player in enumerate(players):
            other = players[(number + 1) % len(players)]
            first, second = (player, other) if (round_number + number) % 3 else (other, player)
            games.append(f"{first.handle}>{second.handle}")
    history(world, " ".join(games))


def crowd(world: World, size: int, *, position: int | None = None, prefix: str = "p") -> list[Player]:
    """So many members with a standing of one win, spread over the ranks, or all at `position`."""
    people = [
        Player(handle=f"{prefix}{number:05}", handle_key=f"{prefix}{number:05}", date_joined=world.now)
        for number in range(size)
    ]
    Player.objects.bulk_create(people)
    Membership.objects.bulk_create(Membership(club=world.club, player=player, joined_at=world.now) for player in people)
    PlayerRating.objects.bulk_create(
        standing(world, player, (number * 37) % 1600 if position is None else position)
        for number, player in enumerate(people)
    )
    return people


@cache
def _model(queue_id: UUID) -> UUID:
    return RatingModel.objects.values_list("pk", flat=True).get(queue=queue_id)


def standing(world: World, player: Player, position: int | None, *, reached_at: datetime | None = None) -> PlayerRating:
    """An unsaved standing at a position, with one win."""
    return PlayerRating(
        player=player,
        queue=world.queue,
        rating_model_id=_model(world.queue.pk),
        season=world.season,
        rating=1500.0,
        deviation=80.0,
        volatility=0.06,
        games=1,
        wins=1,
        position=position,
        peak_position=position,
        position_reached_at=None if position is None else reached_at or world.now,
        placement_left=0 if position is not None else 4,
        created_at=world.now,
        last_match_at=world.now,
    )
