"""The loop in which the bots live. It keeps nothing: what it needs it reads, so it may be stopped at any moment."""

import logging
import random
import threading
import time
from datetime import datetime
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone
from redis.exceptions import RedisError

from ladder.models import Club, Membership, Player, Queue
from matchmaking.demo import acts, brain, cast
from matchmaking.demo.scene import Scene, look, pages_open
from matchmaking.demo.setup import bots_of
from matchmaking.models import Ticket
from matchmaking.store import clock
from ratings.errors import NotFound

logger = logging.getLogger(__name__)

BEAT_SECONDS = 0.5
SLOW_BEAT_SECONDS = 1.0
LOOK_AROUND_SECONDS = 10.0
LONGEST_PAUSE = 10.0


class Runner:
    """Runs the demo's bots until `stop` is set."""

    def __init__(self, *, rng: random.Random) -> None:
        self._rng = rng
        self._queue: Queue | None = None
        self._bots: dict[UUID, Player] = {}
        self._answers: dict[UUID, str] = {}
        self._person_seen = time.monotonic()
        self._looked_around = 0.0
        self._next_join = 0.0

    def run(self, stop: threading.Event) -> None:
        """Beat until told to stop; a database or store that is away for a while is waited for."""
        pause = BEAT_SECONDS
        while not stop.wait(pause):
            try:
                self.beat()
                pause = BEAT_SECONDS if self._pace() == brain.LIVELY else SLOW_BEAT_SECONDS
            except (OperationalError, InterfaceError, RedisError) as error:
                pause = min(pause * 2, LONGEST_PAUSE)
                logger.warning("the bots wait %.0f s for the servers: %s", pause, error)
                connection.close()
        self.leave()

    def beat(self) -> None:
        """Look once and do what is due."""
        queue = self._look_around()
        now, store_now = timezone.now(), clock()
        scene = look(queue, self._bots, self._answers, now=store_now)
        if scene.has_people:
            self._person_is_here()
        for answer in scene.asked:
            acts.accept(answer, now=store_now)
        for match in scene.matches:
            acts.carry_on(match, queue, self._answers, now=now)
        self._join(queue, scene, now=store_now)

    def leave(self) -> None:
        """Nobody waits for a bot that is gone: end what still searches."""
        try:
            for ticket in Ticket.objects.filter(
                state=Ticket.State.SEARCHING, leader__in=list(self._bots)
            ).select_related("leader"):
                acts.leave(ticket.leader, now=clock())
        except (OperationalError, InterfaceError, RedisError) as error:
            logger.warning("the bots could not leave the queue: %s", error)

    def _join(self, queue: Queue, scene: Scene, *, now: datetime) -> None:
        for bot in brain.company(scene.waiting, scene.idle, self._rng):
            acts.join(queue, self._bots[bot], now=now)
        if time.monotonic() < self._next_join:
            return
        self._next_join = time.monotonic() + self._rng.expovariate(1 / self._pace())
        if brain.may_join_by_itself(idle=len(scene.idle), bots=len(self._bots)):
            acts.join(queue, self._bots[self._rng.choice(sorted(scene.idle))], now=now)

    def _pace(self) -> float:
        return brain.pace(since_person=time.monotonic() - self._person_seen)

    def _person_is_here(self) -> None:
        self._person_seen = time.monotonic()
        self._next_join = min(self._next_join, self._person_seen + brain.LIVELY)

    def _look_around(self) -> Queue:
        """The demo's queue; who its bots are and whether anybody watches is read anew now and then."""
        if self._queue is not None and time.monotonic() < self._looked_around + LOOK_AROUND_SECONDS:
            return self._queue
        club = Club.objects.filter(slug=cast.CLUB_SLUG).first()
        queue = Queue.objects.filter(club=club, slug=cast.QUEUE_SLUG).select_related("club").first() if club else None
        if club is None or queue is None:
            raise NotFound("no_demo", "There is no demo club yet: run manage.py demo_setup first.")
        if pages_open(queue):
            self._person_is_here()
        self._bots = {bot.pk: bot for bot in bots_of(club)}
        self._answers = dict(Membership.objects.filter(club=club).values_list("player_id", "self_assessment"))
        self._queue, self._looked_around = queue, time.monotonic()
        return queue
