"""Made-up histories for replay tests."""

import math
import random

from ratings.core.history import NOBODY, Member, Recorded


def duels(count: int, players: int, seed: int = 1) -> list[Recorded]:
    """One against one with draws, margins, a side for most, and days."""
    rng = random.Random(seed)
    skill = [rng.gauss(0, 1) for _ in range(players)]
    found = []
    for number in range(count):
        a, b = rng.sample(range(players), 2)
        gap = skill[a] - skill[b] + rng.gauss(0, 1)
        score = 0.5 if abs(gap) < 0.2 else float(gap > 0)
        found.append(
            Recorded(
                teams=((Member(a),), (Member(b),)),
                ranks=(1 - score, score),
                side=rng.choice([0, 0, 1, NOBODY]),
                margin=float(int(abs(gap) * 3)),
                day=math.nan if number % 17 == 0 else float(number // 20),
            )
        )
    return found


def everything(count: int, players: int, seed: int = 2) -> list[Recorded]:
    """Teams and free-for-alls of all sizes with shares played, quits, figures and parties."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        sizes = [rng.randint(1, 3) for _ in range(rng.choice([2, 2, 2, 3, 6]))]
        drawn = rng.sample(range(players), sum(sizes))
        teams = []
        for size in sizes:
            teams.append(tuple(_member(rng, drawn.pop(), first=not row) for row in range(size)))
        ranks = tuple(float(rng.randint(0, 3)) for _ in sizes)
        found.append(
            Recorded(
                teams=tuple(teams),
                ranks=ranks,
                side=rng.choice([0, NOBODY]),
                margin=rng.choice([math.nan, 0.0, 7.0]),
                day=math.nan if number % 13 == 0 else float(number // 10),
            )
        )
    return found


def _member(rng: random.Random, player: int, *, first: bool) -> Member:
    return Member(
        player=player,
        weight=1.0 if first else rng.choice([0.0, 0.5, 1.0]),
        performance=rng.choice([math.nan, rng.gauss(10, 3)]),
        quit=rng.random() < 0.05,
        party=rng.choice([NOBODY, 1, 1, 2]),
    )
