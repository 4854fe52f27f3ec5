"""What benchmarks/replay.py runs inside the virtual environment of the public libraries: microseconds a match.

    python replay_libraries.py DUELS TEAMS

DUELS and TEAMS are JSON files: [[a, b, score], ...] and [[team_a, team_b, score], ...]. Prints one JSON object.
Every library predicts the match and then updates with its result, on as many matches as are done in a few seconds.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import glicko2
import openskill.models
import trueskill
from elote import EloCompetitor

SECONDS = 4.0
Match = list[Any]


def microseconds(matches: list[Match], step: Callable[[Match], object]) -> float:
    """Time of one step, over at most SECONDS."""
    begun = time.process_time()
    done = 0
    for match in matches:
        step(match)
        done += 1
        if done % 256 == 0 and time.process_time() - begun > SECONDS:
            break
    return (time.process_time() - begun) / done * 1e6


def elote_step() -> Callable[[Match], object]:
    players: dict[int, EloCompetitor] = defaultdict(lambda: EloCompetitor(initial_rating=1500))

    def step(match: Match) -> None:
        a, b, score = match
        one, other = players[a], players[b]
        one.expected_score(other)
        if score == 1:
            one.beat(other)
        elif score == 0:
            other.beat(one)
        else:
            one.tied(other)

    return step


def glicko2_step() -> Callable[[Match], object]:
    players: dict[int, glicko2.Player] = defaultdict(glicko2.Player)

    def step(match: Match) -> None:
        a, b, score = match
        one, other = players[a], players[b]
        before = one.rating, one.rd
        spread = math.hypot(one.rd, other.rd) / 173.7178
        g = 1 / math.sqrt(1 + 3 * spread**2 / math.pi**2)
        1 / (1 + math.exp(-g * (one.rating - other.rating) / 173.7178))
        one.update_player([other.rating], [other.rd], [score])
        other.update_player([before[0]], [before[1]], [1 - score])

    return step


def trueskill_step(teams: bool) -> Callable[[Match], object]:
    environment = trueskill.TrueSkill()
    players: dict[int, trueskill.Rating] = defaultdict(environment.create_rating)

    def step(match: Match) -> None:
        a, b, score = match
        rosters = (a, b) if teams else ([a], [b])
        one, other = ([players[who] for who in roster] for roster in rosters)
        both = one + other
        spread = sum(rating.sigma**2 for rating in both) + len(both) * environment.beta**2
        environment.cdf((sum(r.mu for r in one) - sum(r.mu for r in other)) / math.sqrt(spread))
        rated = environment.rate([one, other], ranks=[1 - score, score])
        for roster, ratings in zip(rosters, rated, strict=True):
            players.update(zip(roster, ratings, strict=True))

    return step


def openskill_step(teams: bool) -> Callable[[Match], object]:
    model = openskill.models.PlackettLuce()
    players: dict[int, Any] = defaultdict(model.rating)

    def step(match: Match) -> None:
        a, b, score = match
        rosters = (a, b) if teams else ([a], [b])
        both = [[players[who] for who in roster] for roster in rosters]
        model.predict_win(both)
        rated = model.rate(both, ranks=[1 - score, score])
        for roster, ratings in zip(rosters, rated, strict=True):
            players.update(zip(roster, ratings, strict=True))

    return step


def main() -> None:
    """Measure all."""
    duels, teams = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
    figures = {
        "elo_1v1": microseconds(duels, elote_step()),
        "glicko2_1v1": microseconds(duels, glicko2_step()),
        "trueskill_1v1": microseconds(duels, trueskill_step(False)),
        "trueskill_3v3": microseconds(teams, trueskill_step(True)),
        "weng_lin_1v1": microseconds(duels, openskill_step(False)),
        "weng_lin_3v3": microseconds(teams, openskill_step(True)),
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
