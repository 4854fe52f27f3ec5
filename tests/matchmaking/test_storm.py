"""Thousands of random steps from several threads at once, with crashes of the store in between; then the invariants."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from ladder.models import Match, MatchParticipant, Player
from ladder.services import matches
from matchmaking.models import ReadyCheck
from matchmaking.services import queueing, ready
from matchmaking.services.recovery import reconcile
from matchmaking.services.tick import run_pool
from ratings.errors import DomainError
from tests.harness.threads import run_together
from tests.matchmaking.crash import empty_the_store
from tests.matchmaking.hall import Hall
from tests.matchmaking.invariants import assert_invariants

pytestmark = [pytest.mark.race, pytest.mark.service]

STEPS, THREADS = 600, 4


@dataclass
class Storm:
    """Shared time, and what people and workers may do at any moment."""

    hall: Hall
    players: list[Player]
    lock: threading.Lock = field(default_factory=threading.Lock)
    done: dict[str, int] = field(default_factory=dict)

    def time(self) -> datetime:
        with self.lock:
            return self.hall.later(0.15)

    def run(self, seed: int) -> None:
        """One thread's share; a refusal in words is fine, anything else is a fault."""
        dice = random.Random(seed)
        acts: list[Callable[[random.Random], object]] = [self.join, self.join, self.answer, self.answer, self.answer]
        acts += [self.cancel, self.tick, self.tick, self.expire, self.recover, self.finish]
        for _step in range(STEPS):
            act = dice.choice(acts)
            try:
                act(dice)
            except DomainError:
                continue
            with self.lock:
                self.done[act.__name__] = self.done.get(act.__name__, 0) + 1

    def join(self, dice: random.Random) -> object:
        return queueing.join(queue=self.hall.world.queue, player=dice.choice(self.players), now=self.time())

    def cancel(self, dice: random.Random) -> object:
        return queueing.cancel(player=dice.choice(self.players), now=self.time())

    def answer(self, dice: random.Random) -> object:
        """Somebody in an open check sees it, accepts or (one in five) declines."""
        check = ReadyCheck.objects.filter(state="open").order_by("?").first()
        if check is None:
            return None
        player = dice.choice([answer.player for answer in check.answers.select_related("player")])
        ready.mark_seen(ready_check_id=check.pk, player=player, now=self.time())
        say = ready.decline if dice.random() < 0.2 else ready.accept
        return say(ready_check_id=check.pk, player=player, now=self.time())

    def tick(self, dice: random.Random) -> object:
        return run_pool(queue_id=self.hall.world.queue.pk, now=self.time(), rng=dice)

    def expire(self, dice: random.Random) -> object:
        return ready.expire_due(now=self.time())

    def recover(self, dice: random.Random) -> object:
        if dice.random() < 0.1:
            empty_the_store()
        return reconcile(now=self.time())

    def finish(self, dice: random.Random) -> object:
        """A started match is over, so that its players come back."""
        seat = MatchParticipant.objects.filter(is_live=True, match__state=Match.State.ASSIGNED).first()
        return seat and matches.cancel(match_id=seat.match_id, reason="played", now=self.time())


def assert_nobody_is_stuck(storm: Storm) -> None:
    """Once matches are played and blocks are over, everybody can search and be matched again."""
    hall = storm.hall
    for match in Match.objects.filter(state=Match.State.ASSIGNED):
        matches.cancel(match_id=match.pk, reason="played", now=hall.now)
    for player in storm.players:
        queueing.cancel(player=player, now=hall.now)
    hall.later(3 * 86_400)
    hall.join(*storm.players)
    assert hall.tick().formed == len(storm.players) // 2


def test_invariants_4_5_and_6_hold_after_thousands_of_random_steps_from_threads(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    storm = Storm(hall, hall.people(10))

    outcomes = run_together(*(lambda seed=seed: storm.run(seed) for seed in range(THREADS)), timeout=240)

    assert outcomes == [None] * THREADS
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert all(storm.done.get(name, 0) > 50 for name in ("join", "answer", "tick", "cancel")), storm.done
    assert Match.objects.filter(assigned_at__isnull=False).count() > 20
    reconcile(now=hall.later(60))
    assert_invariants(hall)
    ready.expire_due(now=hall.later(60))
    reconcile(now=hall.later(60))
    assert not ReadyCheck.objects.filter(state="open").exists()
    assert_invariants(hall)
    assert_nobody_is_stuck(storm)
