"""How bots behave, as pure decisions. Delays and results are drawn from what they are about, so a restarted runner
goes on as if nothing had been.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

LIVELY, CALM, ASLEEP = 2.5, 20.0, 600.0
"""Mean seconds between two bots joining by themselves: with people about, a while after, and long after."""
LIVELY_FOR, CALM_FOR = 1800.0, 24 * 3600.0
KEPT_IDLE = 0.4
PERSON_PATIENCE, PERSON_AGAIN, BOT_PATIENCE = 1.0, 5.0, 5.0
NEAR = 150.0
SPAN = 400.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result: the winning side (None for a draw) and the goals of both."""

    winner: int | None
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody in the queue: how long, in seconds, and the rating they are matched by."""

    player: UUID
    is_bot: bool
    waited: float
    rating: float


def delay(about: str, low: float, high: float) -> float:
    """Seconds a bot takes for something, always the same for the same thing."""
    return random.Random(about).uniform(low, high)


def play(about: str, skills: tuple[float, float]) -> Outcome:
    """How a match of these true skills ends, always the same for the same match."""
    rng = random.Random(about)
    chance = 1 / (1 + 10 ** ((skills[1] - skills[0]) / 400))
    draw = 0.24 * (1 - abs(2 * chance - 1))
    drawn = rng.random()
    if drawn < draw:
        goals = rng.choice((0, 1, 1, 2))
        return Outcome(None, (goals, goals))
    winner = 0 if rng.random() < chance else 1
    lost = rng.choice((0, 0, 1, 1, 2))
    won = lost + rng.choice((1, 1, 1, 2, 2, 3))
    return Outcome(winner, (won, lost) if winner == 0 else (lost, won))


def pace(*, since_person: float) -> float:
    """Mean seconds between bots joining by themselves. The longer nobody was about, the less is written, so a demo
    left alone for weeks stays small.
    """
    if since_person < LIVELY_FOR:
        return LIVELY
    return CALM if since_person < CALM_FOR else ASLEEP


def may_join_by_itself(*, idle: int, bots: int) -> bool:
    """Whether enough bots stay free for people who come."""
    return idle > bots * KEPT_IDLE


def company(waiting: Sequence[Waiting], idle: Mapping[UUID, float], rng: random.Random) -> list[UUID]:
    """The idle bots that should join now because somebody waits with nobody near in the queue.

    People are looked after at once, bots after a while. Of the three nearest idle bots one is drawn, so that one meets
    different ones, but never a far one while a near one is free.
    """
    free = dict(idle)
    ratings = {one.player: one.rating for one in waiting}
    called = []
    for one in sorted(waiting, key=lambda each: (each.is_bot, -each.waited)):
        near = sum(abs(other - one.rating) <= NEAR for player, other in ratings.items() if player != one.player)
        bot = _nearest(one, free, rng) if near < _wanted(one) else None
        if bot is not None:
            ratings[bot] = free.pop(bot)
            called.append(bot)
    return called


def _wanted(one: Waiting) -> int:
    """How many should be near: one after a while; for a person one more every few seconds, should they not fit."""
    if one.is_bot:
        return int(one.waited >= BOT_PATIENCE)
    return 0 if one.waited < PERSON_PATIENCE else 1 + int(one.waited / PERSON_AGAIN)


def _nearest(one: Waiting, free: Mapping[UUID, float], rng: random.Random) -> UUID | None:
    nearest = sorted(free, key=lambda bot: abs(free[bot] - one.rating))[:3]
    near = [bot for bot in nearest if abs(free[bot] - one.rating) <= NEAR] or nearest[:1]
    return rng.choice(near) if near and abs(free[near[0]] - one.rating) <= SPAN else None
