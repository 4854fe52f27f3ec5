"""What the pages of figures are tested on: two months of a club in which skill differs and results follow it."""

from __future__ import annotations

import random
from datetime import timedelta

from ladder.models import Player
from ladder.services import clubs
from ladder.services.imports import import_matches
from ladder.services.imports.reports import Source
from tests.ladder.world import World


def two_months(world: World, *, players: int = 16, matches: int = 400, seed: int = 5) -> list[Player]:
    """So many matches of so many players, who win as their skills say, with scores, over the last fifty days."""
    rng = random.Random(seed)
    people = []
    for number in range(players):
        player = Player.objects.create_user(f"member{number:02}", f"member{number:02}@example.org", "pw")
        clubs.join_club(club=world.club, player=player, self_assessment="club", now=world.now)
        people.append(player)
    skill = {player.handle: rng.gauss(1500.0, 250.0) for player in people}
    lines = ["date,team_a,team_b,score_a,score_b,result,round"]
    for number in range(matches):
        first, second = rng.sample(sorted(skill), 2)
        chance = 1.0 / (1.0 + 10.0 ** ((skill[second] - skill[first]) / 400.0))
        won = rng.random() < chance
        lost_by = rng.choice((1, 1, 2, 3, 5, 8))
        score = (11, 11 - lost_by) if won else (11 - lost_by, 11)
        day = (world.now + timedelta(days=number * 50 // matches)).date()
        lines.append(f"{day},{first},{second},{score[0]},{score[1]},{int(won)},{number}")
    source = Source("months.csv", "\n".join(lines).encode())
    report = import_matches(queue=world.queue, actor=world.otto, sources=[source], now=world.now + timedelta(days=59))
    assert report.imported == matches, report.bad
    world.now += timedelta(days=59)
    return people
