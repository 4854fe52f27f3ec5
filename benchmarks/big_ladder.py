"""A ladder of many players with its whole ledger, written by COPY: through the doors it would take hours.

The rows have the shape that the services write (a placement, then matches, one event each, ranks that move), with
shorter explanations. Some people have left, some accounts are closed, some players are still in placement. The same
arguments give the same ladder, but for its dates.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

DAYS = 90
LEFT_IN = 50  # one in so many has left the club
CLOSED_IN = 500  # one account in so many is closed
PLACING_IN = 33  # one in so many has no rank yet
PLACED_AFTER = 3  # matches
SYLLABLES = [
    "ar",
    "be",
    "ca",
    "do",
    "el",
    "fi",
    "ga",
    "hu",
    "is",
    "jo",
    "ka",
    "li",
    "mo",
    "nu",
    "or",
    "pe",
    "qui",
    "ro",
]
SYLLABLES += ["sa", "ti", "um", "va", "we", "xi", "yo", "za", "bri", "cle", "dra", "fen", "gor", "hal"]


@dataclass(slots=True)
class Person:
    """A player with the counts so far."""

    number: int
    player_id: UUID
    rating_id: UUID
    base: int | None
    games: int = 0
    wins: int = 0
    position: int | None = None
    peak: int | None = None
    at: datetime | None = None


@dataclass(slots=True)
class Game:
    """A match of two."""

    match_id: UUID
    at: datetime
    seats: tuple[Person, Person]
    winner: int
    teams: tuple[UUID, UUID] = field(default=(UUID(int=0), UUID(int=0)))


def build(*, players: int, matches: int, now: datetime) -> Any:
    """The club, queue and season of a ladder with so many players of `matches` matches each in the last ninety days.

    Several may stand in one database when their sizes differ.
    """
    from benchmarks.first_light import _club

    world = _club(players=0)
    rng = random.Random(players)
    began = now - timedelta(days=DAYS)
    _begin_earlier(world, began)
    people = [_person(number, rng, began) for number in range(players)]
    _write_people(world, people, rng, began)
    games = sorted(_games(people, matches, rng, began), key=lambda game: game.at)
    _write_games(world, games)
    _write_ledger(world, people, games, began)
    _tidy()
    world.began = began
    return world


def name(number: int, rng: random.Random) -> tuple[str, str]:
    """A handle nobody else has, and a display name or none."""
    handle = "".join(rng.choices(SYLLABLES, k=3)) + str(number)
    words = " ".join("".join(rng.choices(SYLLABLES, k=2)).capitalize() for _word in range(2))
    return handle, words if number % 3 == 0 else ""


def _begin_earlier(world: Any, began: datetime) -> None:
    from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

    from ladder.models import Season, SeasonRules

    Season.objects.filter(pk=world.season.pk).update(opened_at=began)
    SeasonRules.objects.filter(season=world.season).update(during=DateTimeTZRange(began, None, "[)"))


def _person(number: int, rng: random.Random, began: datetime) -> Person:
    base = None if number % PLACING_IN == 0 else max(int(rng.gauss(950, 280)), 40)
    return Person(number, _id(began, rng), _id(began + timedelta(hours=1), rng), base)


def _id(at: datetime, rng: random.Random) -> UUID:
    from ratings.core.ids import uuid7

    return uuid7(int(at.timestamp() * 1000), rng.randbytes(10))


def _games(people: Sequence[Person], matches: int, rng: random.Random, began: datetime) -> Iterator[Game]:
    span = DAYS * 86_400.0 / matches * 0.99
    order = list(people)
    for turn in range(matches):
        rng.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=False):
            at = began + timedelta(seconds=(turn + rng.random()) * span, hours=2)
            yield Game(_id(at, rng), at, (one, other), rng.randrange(2), (_id(at, rng), _id(at, rng)))


def _blank(model: Any) -> dict[str, Any]:
    """A row with every column's default; JSON as text."""
    from django.db.models import JSONField

    return {
        one.attname: json.dumps(one.get_default()) if isinstance(one, JSONField) else one.get_default()
        for one in model._meta.concrete_fields
    }


def _write_people(world: Any, people: Sequence[Person], rng: random.Random, began: datetime) -> None:
    from ladder.models import Membership, Player
    from ratings.services.bulk import copy_rows

    def players() -> Iterator[dict[str, Any]]:
        for person in people:
            handle, words = name(person.number, rng)
            handle += f"-{len(people)}"  # so that another ladder's people have other ones
            told = {"id": person.player_id, "handle": handle, "handle_key": handle, "display_name": words}
            yield blank | told | {"date_joined": began, "is_active": person.number % CLOSED_IN != 1}

    def memberships() -> Iterator[dict[str, Any]]:
        for person in people:
            state = "left" if person.number % LEFT_IN == 2 else "active"
            told = {"club_id": world.club.pk, "player_id": person.player_id, "joined_at": began, "state": state}
            yield _blank(Membership) | told

    blank = _blank(Player) | {"email": None}
    copy_rows(Player, players())
    copy_rows(Membership, memberships())


def _write_games(world: Any, games: Sequence[Game]) -> None:
    from ladder.models import Match, MatchParticipant, MatchTeam
    from ratings.ids import new_id
    from ratings.services.bulk import copy_rows

    where = {"queue_id": world.queue.pk, "season_id": world.season.pk, "source": "queue", "state": "completed"}
    a_match, a_team, a_seat = _blank(Match) | where, _blank(MatchTeam), _blank(MatchParticipant)

    def matches() -> Iterator[dict[str, Any]]:
        for game in games:
            told = dict.fromkeys(("completed_at", "rated_at", "ended_at"), game.at)
            yield a_match | told | {"id": game.match_id, "formed_at": game.at - timedelta(minutes=9)}

    def teams() -> Iterator[dict[str, Any]]:
        for game in games:
            for side in (0, 1):
                rank = 1 if side == game.winner else 2
                yield a_team | {"id": game.teams[side], "match_id": game.match_id, "index": side, "rank": rank}

    def seats() -> Iterator[dict[str, Any]]:
        for game in games:
            for side, person in enumerate(game.seats):
                told = {"id": new_id(), "match_id": game.match_id, "team_id": game.teams[side]}
                yield a_seat | told | {"player_id": person.player_id}

    copy_rows(Match, matches())
    copy_rows(MatchTeam, teams())
    copy_rows(MatchParticipant, seats())


def _write_ledger(world: Any, people: Sequence[Person], games: Sequence[Game], began: datetime) -> None:
    """The events in the order of play, then the standings as the last events left them."""
    from ratings.models import PlayerRating, RatingEvent, RatingModel
    from ratings.services.bulk import copy_rows

    model = RatingModel.objects.get(queue=world.queue)
    blank = _blank(RatingEvent) | {"rating_model_id": model.pk, "rating_before": 1500.0, "rating_after": 1500.0}
    blank |= {"canonical": "c" * 1200, "hash": "0" * 64, "previous_hash": "0" * 64}
    rng = random.Random(5)
    events = [_opening(blank, person, began, rng) for person in people]
    events += [_event(blank, person, game, rng) for game in games for person in game.seats]
    copy_rows(PlayerRating, (_standing(world, person, model.pk, began) for person in people))
    copy_rows(RatingEvent, events)


def _opening(blank: dict[str, Any], person: Person, began: datetime, rng: random.Random) -> dict[str, Any]:
    told = {"id": _id(began, rng), "player_rating_id": person.rating_id, "seq": 1, "kind": "placement"}
    return blank | told | {"created_at": began, "effective_at": began, "state_after": _state(person)}


def _event(blank: dict[str, Any], person: Person, game: Game, rng: random.Random) -> dict[str, Any]:
    won = game.seats[game.winner] is person
    before = person.position
    person.games += 1
    person.wins += won
    person.at = game.at
    if person.base is not None and person.games >= PLACED_AFTER:
        person.position = max(person.base + rng.randrange(-90, 90), 0)
        person.peak = max(person.position, person.peak or 0)
    return blank | {
        "id": _id(game.at, rng),
        "player_rating_id": person.rating_id,
        "seq": person.games + 1,
        "kind": "match",
        "match_id": game.match_id,
        "position_before": before,
        "position_after": person.position,
        "points_delta": None if before is None or person.position is None else person.position - before,
        "state_after": _state(person),
        "explanation": json.dumps({"result": "win" if won else "loss", "rank": "r" * 500}),
        "created_at": game.at,
        "effective_at": game.at,
    }


def _state(person: Person) -> str:
    at = None if person.at is None else person.at.isoformat()
    counts = {"games": person.games, "wins": person.wins, "draws": 0, "losses": person.games - person.wins}
    rank = {"tier": None, "division": None, "points": None, "peak_position": person.peak, "shield": 0}
    reached = {"position_reached_at": None if person.position is None else at, "placement_left": _left(person)}
    return json.dumps(counts | rank | reached | {"losses_at_zero": 0, "last_match_at": at, "top_rating": 1500.0})


def _left(person: Person) -> int:
    return 2 if person.position is None else 0


def _standing(world: Any, person: Person, model_id: UUID, began: datetime) -> dict[str, Any]:
    from ratings.models import PlayerRating

    counts = {"games": person.games, "wins": person.wins, "losses": person.games - person.wins}
    rank = {"position": person.position, "peak_position": person.peak, "placement_left": _left(person)}
    if person.position is not None:
        rank |= {"tier": person.position // 300, "points": person.position % 100, "division": 1}
    return {
        **_blank(PlayerRating),
        "id": person.rating_id,
        "player_id": person.player_id,
        "queue_id": world.queue.pk,
        "season_id": world.season.pk,
        "rating_model_id": model_id,
        "rating": 1500.0,
        "deviation": 80.0,
        "volatility": 0.06,
        **counts,
        **rank,
        "position_reached_at": None if person.position is None else person.at,
        "last_match_at": person.at,
        "last_seq": person.games + 1,
        "created_at": began,
    }


def _tidy() -> None:
    """What autovacuum does sooner or later: statistics, and the map of pages that all may see."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
