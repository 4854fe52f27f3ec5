"""What the bots' runner sees: read from the database like any page would, in a handful of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import redis
from django.conf import settings

from ladder.live import club_channel
from ladder.models import Match, MatchParticipant, Player, Queue
from ladder.selectors import seasons
from matchmaking.demo.brain import Waiting
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, TicketMember
from matchmaking.models.tickets import Ticket
from ratings.core.assessments import SELF_ASSESSMENTS
from ratings.selectors import club_beliefs

MIDDLE = 1500.0


@dataclass(frozen=True, slots=True)
class Scene:
    """The moment. waiting: everybody who searches. idle: bots free to join, with their ratings. asked: ready checks
    that wait for a bot. matches: those with a bot that are to be played, reported or confirmed.
    """

    waiting: Sequence[Waiting]
    idle: Mapping[UUID, float]
    asked: Sequence[ReadyCheckAnswer]
    matches: Sequence[Match]

    @property
    def has_people(self) -> bool:
        """Whether a person searches or plays."""
        in_matches = (seat.player for match in self.matches for seat in match.participants.all())
        return any(not one.is_bot for one in self.waiting) or any(not player.is_bot for player in in_matches)


def look(queue: Queue, bots: Mapping[UUID, Player], answers: Mapping[UUID, str], *, now: datetime) -> Scene:
    """Read the scene. answers: the members' self-assessments, for those without a rating yet."""
    members = TicketMember.objects.filter(is_live=True, ticket__queue__club_id=queue.club_id)
    searching = list(members.select_related("ticket", "player"))
    busy = {member.player_id for member in searching} | set(
        MatchParticipant.objects.filter(player__in=bots, is_live=True).values_list("player_id", flat=True)
    )
    free = [bot for bot in bots if bot not in busy]
    here = [
        member
        for member in searching
        if member.ticket.queue_id == queue.pk and member.ticket.state == Ticket.State.SEARCHING
    ]
    ratings = ratings_of(queue, [*free, *(member.player_id for member in here)], answers, now=now)
    waiting = [
        Waiting(
            player=member.player_id,
            is_bot=member.player.is_bot,
            waited=(now - member.ticket.joined_at).total_seconds(),
            rating=ratings[member.player_id],
        )
        for member in here
    ]
    idle = {bot: ratings[bot] for bot in free}
    return Scene(waiting=waiting, idle=idle, asked=_asked(queue), matches=_matches(queue))


def ratings_of(
    queue: Queue, players: Sequence[UUID], answers: Mapping[UUID, str], *, now: datetime
) -> dict[UUID, float]:
    """Everybody's rating in the open season on the club scale, or what their self-assessment stands for."""
    start = {player: SELF_ASSESSMENTS.get(answers.get(player, ""), MIDDLE) for player in players}
    rules = seasons.current(queue)
    if rules is None:
        return start
    beliefs = club_beliefs(queue_id=queue.pk, season_id=rules.season_id, player_ids=players, now=now)
    return start | {player: belief.rating for player, belief in beliefs.items()}


def pages_open(queue: Queue) -> bool:
    """Whether anybody has a page of the club open; asks the live channel, so that nothing has to be written."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    with client:
        return any(count for _channel, count in client.pubsub_numsub(club_channel(queue.club_id)))


def _asked(queue: Queue) -> list[ReadyCheckAnswer]:
    pending = ReadyCheckAnswer.objects.filter(
        answer=ReadyCheckAnswer.Answer.PENDING,
        ready_check__state=ReadyCheck.State.OPEN,
        ready_check__match__queue=queue,
        player__is_bot=True,
    )
    return list(pending.select_related("ready_check", "player"))


def _matches(queue: Queue) -> list[Match]:
    under_way = Match.objects.filter(
        queue=queue,
        state__in=[Match.State.ASSIGNED, Match.State.REPORTED],
        participants__player__is_bot=True,
    )
    return list(under_way.distinct().prefetch_related("participants__player").order_by("id")[:200])
