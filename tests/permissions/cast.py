"""Two clubs full of things to see and do, and everybody who may come to their doors."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from django.test import Client
from django.utils import timezone

from ladder.core.permissions import Role
from ladder.models import Club, Player, Queue
from ladder.services import clubs, invitations, queues, rating_models
from matchmaking.models import ReadyCheck
from matchmaking.services import queueing, tick
from matchmaking.store import clock
from ratings.models import RatingModel
from tests.ladder.world import World
from tests.web_record.stage import history, past_world


@dataclass
class Visitor:
    """Somebody at the door: what they are to the chess club, and a browser in which they are signed in."""

    name: str
    role: Role
    client: Client


@dataclass
class Cast:
    """The chess club (`world`), the go club (`other`), and whoever knocks."""

    world: World
    other: Club
    other_queue: Queue
    visitors: list[Visitor] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)

    def visitor(self, name: str) -> Visitor:
        """One of them by name."""
        return next(visitor for visitor in self.visitors if visitor.name == name)


def assemble() -> Cast:
    """Both clubs with a queue, a season, matches played and under way, a ready check and an invitation each."""
    world = past_world()
    history(world, " ".join(["alice>bob", "bob>alice", "carol>dave"] * 5))
    other_owner = Player.objects.create_user("rita", "rita@example.org", "pw")
    other = clubs.create_club(name="Go Club", slug="go", time_zone="UTC", owner=other_owner, now=world.now)
    other_queue = queues.create_queue(
        club=other, actor=other_owner, name="Even", slug="even", game_name="Go", now=world.now
    )
    cast = Cast(world=world, other=other, other_queue=other_queue)
    _invite_visitors(cast, other_owner)
    cast.values = _values(cast)
    return cast


def _invite_visitors(cast: Cast, other_owner: Player) -> None:
    world = cast.world
    outs = {
        name: Player.objects.create_user(name, f"{name}@example.org", "pw") for name in ("left", "banned", "asleep")
    }
    for player in outs.values():
        clubs.join_club(club=world.club, player=player, self_assessment="club", now=world.now)
    people = {
        "owner": (world.otto, Role.OWNER),
        "organizer": (world.olga, Role.ORGANIZER),
        "moderator": (world.maud, Role.MODERATOR),
        "player": (world.alice, Role.PLAYER),
        "no club": (world.stranger, Role.OUTSIDER),
        "another club's owner": (other_owner, Role.OUTSIDER),
        "left": (outs["left"], Role.OUTSIDER),
        "banned": (outs["banned"], Role.OUTSIDER),
        "inactive account": (outs["asleep"], Role.STRANGER),
    }
    cast.visitors = [Visitor("not signed in", Role.STRANGER, Client(raise_request_exception=False))]
    for name, (player, role) in people.items():
        client = Client(raise_request_exception=False)
        client.force_login(player)
        cast.visitors.append(Visitor(name, role, client))
    clubs.leave_club(club=world.club, player=outs["left"], now=world.now)
    clubs.end_membership(club=world.club, actor=world.otto, player=outs["banned"], now=world.now, ban=True)
    Player.objects.filter(pk=outs["asleep"].pk).update(is_active=False)


def _values(cast: Cast) -> dict[str, str]:
    """What fills the parameters of addresses, all of it of the chess club."""
    world = cast.world
    match = world.match(world.carol, world.dave)
    invitation, token = invitations.create_invitation(
        club=world.club, actor=world.otto, note="", days=3, max_uses=100, now=timezone.now()
    )
    return {
        "club_slug": world.club.slug,
        "queue_slug": world.queue.slug,
        "season_slug": world.season.slug,
        "match_id": str(match.pk),
        "check_id": str(_ready_check(cast).pk),
        "handle": world.dave.handle,
        "invitation_id": str(invitation.pk),
        "model_id": str(_draft(world).pk),
        "report_id": str(RatingModel.objects.get(queue=world.queue, version=1).report_id),
        "token": token,
        "key": "MTpub3RoaW5n",
        "uidb36": "abc",
    }


def _draft(world: World) -> RatingModel:
    """A model of the chess club's queue that nobody has replayed yet."""
    return rating_models.create_draft(
        queue=world.queue, actor=world.olga, algorithm="elo", parameters={"k": 24.0}, now=world.now
    )


def _ready_check(cast: Cast) -> ReadyCheck:
    """Alice and Bob have been found a match and are asked."""
    world = cast.world
    for player in (world.alice, world.bob):
        queueing.join(queue=world.queue, player=player, now=clock())
    tick.run_pool(queue_id=world.queue.pk, now=clock(), rng=random.Random(1))
    return ReadyCheck.objects.get()
