"""History match by match through an engine's live door: for engines without a loop, and to check the loops."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ratings.core.engine_base import BaseEngine
from ratings.core.history import NOBODY, Chunk, Floats
from ratings.core.kernels.replay_common import describe, note
from ratings.core.match_facts import FIDE_MARK
from ratings.core.types import Belief, PeriodGame, PlayerFacts, Signals


def walk(engine: BaseEngine, chunk: Chunk, state: dict[str, Any], context: Any, *, ageing: bool) -> Floats:
    """Predict and update every match of a chunk; the state is that of `ratings.core.replay`. A probability per team."""
    chances = np.zeros(chunk.teams)
    for m in range(len(chunk)):
        first, last = int(chunk.team_start[m]), int(chunk.team_start[m + 1])
        begin, end = int(chunk.member_start[first]), int(chunk.member_start[last])
        describe(m, begin, end, chunk.player, state["rating"], state["games"], context)
        if ageing:
            _age(engine, chunk, m, begin, end, state)
        rows = [
            [int(who) for who in chunk.player[chunk.member_start[team] : chunk.member_start[team + 1]]]
            for team in range(first, last)
        ]
        _match(engine, chunk, m, rows, state, chances)
    return chances


def _match(
    engine: BaseEngine, chunk: Chunk, m: int, rows: list[list[int]], state: dict[str, Any], chances: Floats
) -> None:
    first = int(chunk.team_start[m])
    teams = [[belief_of(engine, state, who) for who in row] for row in rows]
    side = None if chunk.side[m] == NOBODY else int(chunk.side[m])
    signals = _signals(chunk, m, rows, state)
    for position, chance in enumerate(engine.expected(teams, side, signals)):
        chances[first + position] = chance
    weights = list(_shaped(chunk, m, chunk.weight))
    places = [float(chunk.place[first + position]) for position in range(len(rows))]
    new = engine.update(teams, places, weights, signals, side)
    for row, team, shares in zip(rows, new, weights, strict=True):
        for who, after, share in zip(row, team, shares, strict=True):
            keep_top(state, who, after.rating)
            state["rating"][who] = after.rating
            state["deviation"][who] = after.deviation or 0.0
            state["volatility"][who] = after.volatility or 0.0
            if share > 0.0:
                note(who, after.rating, state["games"], state["trail"])


def belief_of(engine: BaseEngine, state: dict[str, Any], who: int) -> Belief:
    """A player's belief out of the state."""
    deviation = float(state["deviation"][who]) if engine.tracks_deviation else None
    volatility = float(state["volatility"][who]) if engine.tracks_volatility else None
    return Belief(float(state["rating"][who]), deviation, volatility)


def facts_of(state: dict[str, Any], who: int, games: int, first_games: tuple[PeriodGame, ...] = ()) -> PlayerFacts:
    """What FIDE's K depends on: `games` so far, and whether the highest rating so far reached 2400."""
    top = max(state["top"][who], state["rating"][who])
    return PlayerFacts(games=games, has_reached_2400=top >= FIDE_MARK, first_games=first_games)


def keep_top(state: dict[str, Any], who: int, after: float) -> None:
    """Remember the highest rating before the new one takes the place of the old."""
    state["top"][who] = max(state["top"][who], state["rating"][who], after)


def read_by_loops(state: dict[str, Any]) -> tuple[Any, ...]:
    """The state as the loops read it, without the highest ratings: only FIDE's K asks for them, and it has no loop."""
    return tuple(values for name, values in state.items() if name != "top")


def _age(engine: BaseEngine, chunk: Chunk, m: int, begin: int, end: int, state: dict[str, Any]) -> None:
    today = float(chunk.day[m])
    if math.isnan(today):
        return
    for member in range(begin, end):
        who = int(chunk.player[member])
        idle = today - float(state["last_day"][who])
        if state["games"][who] > 0 and idle > 0.0:
            state["deviation"][who] = engine.widen(belief_of(engine, state, who), idle).deviation or 0.0
        state["last_day"][who] = today


def _shaped(chunk: Chunk, m: int, values: Any) -> Iterator[list[float]]:
    for team in range(int(chunk.team_start[m]), int(chunk.team_start[m + 1])):
        yield [float(value) for value in values[chunk.member_start[team] : chunk.member_start[team + 1]]]


def _signals(chunk: Chunk, m: int, rows: list[list[int]], state: dict[str, Any]) -> Signals:
    games = [[int(state["games"][who]) for who in row] for row in rows]
    margin = float(chunk.margin[m])
    return Signals(
        margin=None if math.isnan(margin) else margin,
        games=games,
        parties=[[None if party == NOBODY else int(party) for party in row] for row in _shaped(chunk, m, chunk.party)],
        quits=[[left > 0.0 for left in row] for row in _shaped(chunk, m, chunk.quit)],
        performance=[
            [None if math.isnan(figure) else figure for figure in row] for row in _shaped(chunk, m, chunk.performance)
        ],
        facts=[[facts_of(state, who, int(state["games"][who])) for who in row] for row in rows],
    )
