"""A club with its cast, for every test of the doors: owner otto, organizer olga, moderator maud, and four players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ladder.core.permissions import Role
from ladder.models import Club, Match, OutboxEvent, Player, Queue, Season
from ladder.services import clubs, matches, outbox, queues, results, seasons
from ladder.services.matches import Seat
from ratings.models import PlayerRating

START = datetime(2030, 3, 1, 18, 0, tzinfo=UTC)


@dataclass
class World:
    """A club whose 1v1 queue has an open season, with a clock that tests move by hand."""

    club: Club
    queue: Queue
    season: Season
    otto: Player
    olga: Player
    maud: Player
    alice: Player
    bob: Player
    carol: Player
    dave: Player
    stranger: Player
    now: datetime

    def later(self, **span: float) -> datetime:
        """Move the clock on."""
        self.now += timedelta(**span)
        return self.now

    def match(self, *players: Player, state: Match.State = Match.State.ASSIGNED) -> Match:
        """A match of these players, one a side, ready to be played."""
        return matches.create(
            queue=self.queue,
            season=self.season,
            seats=[[Seat(player.pk)] for player in players],
            quality=0.9,
            now=self.later(seconds=1),
            state=state,
        )


def build_world(start: datetime = START) -> World:
    """Make the club through its own doors; its clock begins at `start`."""
    names = ("otto", "olga", "maud", "alice", "bob", "carol", "dave", "stranger")
    cast = {name: Player.objects.create_user(name, f"{name}@example.org", "pw") for name in names}
    otto = cast["otto"]
    club = clubs.create_club(name="Chess Club", slug="chess", time_zone="Europe/Berlin", owner=otto, now=start)
    for name in names[1:-1]:
        clubs.join_club(club=club, player=cast[name], self_assessment="club", now=start)
    clubs.set_role(club=club, actor=otto, player=cast["olga"], role=Role.ORGANIZER, now=start)
    clubs.set_role(club=club, actor=otto, player=cast["maud"], role=Role.MODERATOR, now=start)
    queue = queues.create_queue(
        club=club,
        actor=cast["olga"],
        name="Blitz",
        slug="blitz",
        game_name="Chess",
        draws_allowed=True,
        now=start,
    )
    season = seasons.create_season(
        club=club,
        actor=cast["olga"],
        name="Spring",
        slug="spring",
        queues=[queue],
        starts_at=start,
        ends_at=None,
        now=start,
    )
    season = seasons.open_season(season=season, actor=cast["olga"], now=start)
    return World(club=club, queue=queue, season=season, now=start, **cast)


def play(world: World, winner: Player, loser: Player) -> Match:
    """A match from formation to its agreed result, not yet rated."""
    match = world.match(winner, loser)
    results.report(match_id=match.pk, actor=winner, revision=0, winner=0, scores=None, now=world.later(seconds=1))
    return results.confirm(match_id=match.pk, actor=loser, revision=1, now=world.later(seconds=1))


def rating_of(world: World, player: Player) -> PlayerRating:
    """The player's standing in the season."""
    return PlayerRating.objects.get(player=player, season=world.season)


def drain_outbox(now: datetime, rounds: int = 50) -> None:
    """Consume like a worker would, until nothing is left; fails when something stays."""
    for _round in range(rounds):
        waiting = list(OutboxEvent.objects.filter(delivered_at__isnull=True).values_list("pk", flat=True))
        if not waiting:
            return
        for event_id in waiting:
            outbox.consume(event_id=event_id, now=now)
    raise AssertionError(f"the outbox still holds {waiting}")
