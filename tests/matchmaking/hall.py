"""A hall to play in: the club of tests/ladder/world.py with a clock, a tick and short words for what people do."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ladder.models import Match, MatchParticipant, Membership, Player
from ladder.selectors import seasons
from matchmaking import selectors
from matchmaking.models import ReadyCheck, Ticket, TicketEvent, TicketMember
from matchmaking.selectors.rows import PlayState
from matchmaking.services import policies, queueing, ready
from matchmaking.services.ready import ReadyOutcome
from matchmaking.services.recovery import reconcile
from matchmaking.services.tick import TickReport, run_pool
from matchmaking.services.tickets import pool_of
from matchmaking.store import Pool, get_store
from ratings.models import PlayerRating
from ratings.services.placement import Newcomer, ensure_ratings
from tests.ladder.world import World


@dataclass
class Hall:
    """Everybody is rated 1500 until told otherwise; windows are 50 + 25 t up to 400 (preset quick)."""

    world: World
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def now(self) -> datetime:
        return self.world.now

    @property
    def pool(self) -> Pool:
        return pool_of(self.world.queue)

    def later(self, seconds: float) -> datetime:
        return self.world.later(seconds=seconds)

    def rate(self, player: Player, rating: float) -> None:
        """Believe this of the player, on the club scale."""
        rules = seasons.require_current(self.world.queue)
        ensure_ratings(
            queue_id=self.world.queue.pk,
            season_id=rules.season_id,
            newcomers=[Newcomer(player.pk, "club")],
            rules=seasons.rank_rules(rules),
            now=self.now,
        )
        PlayerRating.objects.filter(player=player).update(rating=rating, deviation=60.0)

    def people(self, number: int, *, rating: float = 1500.0) -> list[Player]:
        """More members, made quickly."""
        made = Player.objects.bulk_create(
            Player(handle=f"guest{index}", handle_key=f"guest{index}") for index in range(number)
        )
        Membership.objects.bulk_create(
            Membership(club=self.world.club, player=player, self_assessment="club", joined_at=self.now)
            for player in made
        )
        return made

    def crowd(self, number: int) -> list[Player]:
        """So many strangers to each other, all searching since now; put into the store by recovery, in one go."""
        players = self.people(number)
        tickets = Ticket.objects.bulk_create(
            Ticket(queue=self.world.queue, leader=player, joined_at=self.now) for player in players
        )
        TicketMember.objects.bulk_create(TicketMember(ticket=ticket, player=ticket.leader) for ticket in tickets)
        TicketEvent.objects.bulk_create(
            TicketEvent(ticket=ticket, kind="joined", created_at=self.now) for ticket in tickets
        )
        reconcile(now=self.now)
        return players

    def preset(self, name: str) -> None:
        policies.set_preset(queue=self.world.queue, actor=self.world.olga, preset=name, now=self.now)

    def join(self, *players: Player) -> list[Ticket]:
        return [queueing.join(queue=self.world.queue, player=player, now=self.now) for player in players]

    def tick(self, seconds: float = 1.0) -> TickReport:
        """Let time pass, then tick."""
        return run_pool(queue_id=self.world.queue.pk, now=self.later(seconds), rng=self.rng)

    def check(self, player: Player) -> ReadyCheck:
        """The player's newest ready check."""
        return ReadyCheck.objects.filter(answers__player=player).latest("created_at")

    def accept(self, player: Player, check: ReadyCheck | None = None) -> ReadyOutcome:
        check = check or self.check(player)
        return ready.accept(ready_check_id=check.pk, player=player, now=self.now)

    def decline(self, player: Player, check: ReadyCheck | None = None) -> ReadyOutcome:
        check = check or self.check(player)
        return ready.decline(ready_check_id=check.pk, player=player, now=self.now)

    def see(self, *players: Player) -> None:
        for player in players:
            ready.mark_seen(ready_check_id=self.check(player).pk, player=player, now=self.now)

    def expire(self, seconds: float = 0.0) -> int:
        return ready.expire_due(now=self.later(seconds))

    def card(self, player: Player) -> PlayState:
        return selectors.play_state(player=player, queue=self.world.queue, now=self.now)

    def ticket(self, player: Player) -> Ticket:
        """The player's newest ticket."""
        return Ticket.objects.filter(members__player=player).latest("joined_at", "id")

    def waited(self, player: Player) -> float:
        return (self.now - self.ticket(player).joined_at).total_seconds()

    def searching(self) -> set[str]:
        """Whom the store has in the pool: hexadecimal player ids."""
        return {one.player for ticket in get_store().load(self.pool).tickets for one in ticket.members}

    def in_store(self, player: Player) -> bool:
        return player.pk.hex in self.searching()

    def live_match(self, player: Player) -> Match | None:
        seat = MatchParticipant.objects.filter(player=player, is_live=True).select_related("match").first()
        return seat.match if seat else None


def ago(now: datetime, seconds: float) -> datetime:
    """So many seconds before."""
    return now - timedelta(seconds=seconds)
