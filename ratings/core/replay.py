"""Runs a model over recorded matches in order, match by match or by rating periods.

Memory grows with players, not with matches.

The loops are those of `ratings.core.kernels`, compiled where numba is installed and asked for. An engine without a
loop of its own (Elo by FIDE's rules) is walked match by match through its live door.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ratings.core import compiled
from ratings.core.elo import Elo
from ratings.core.engine_base import BaseEngine
from ratings.core.glicko import Glicko, Glicko2
from ratings.core.history import NOBODY, Chunk, Floats
from ratings.core.kernels import replay_elo, replay_elo_periods, replay_glicko, replay_glicko_periods, replay_sum
from ratings.core.kernels.replay_common import TRAIL
from ratings.core.periods import MATCH
from ratings.core.problems import RatingInputError
from ratings.core.replay_live import read_by_loops, walk
from ratings.core.replay_periods import Waiting, waiting_for
from ratings.core.team_sum import TeamSumEngine
from ratings.core.trueskill import TrueSkill, draw_margin
from ratings.core.trueskill2 import TrueSkill2
from ratings.core.types import Belief, Engine
from ratings.core.weng_lin import WengLin

_SCRATCH = 11
_STATE = ("rating", "deviation", "volatility", "last_day", "games", "trail", "top")


@dataclass(frozen=True, slots=True)
class Plan:
    """Which loops serve an engine, by match and by periods, and its parameters in the order that they read."""

    loop: ModuleType | None
    parameters: tuple[float, ...] = ()
    by_periods: ModuleType | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """What a chunk came to: a probability per team, and per match the fewest games and the mean rating before it."""

    chances: Floats
    fewest_games: Floats
    mean_rating: Floats


def plan_for(engine: BaseEngine, *, ageing: bool) -> Plan:
    """The loop and parameters for an engine."""
    if isinstance(engine, Elo):
        return Plan(replay_elo, _elo_parameters(engine), replay_elo_periods)
    if isinstance(engine, Glicko):
        return Plan(replay_glicko, _glicko_parameters(engine, ageing=ageing), replay_glicko_periods)
    if isinstance(engine, TrueSkill | WengLin):
        return Plan(replay_sum, _sum_parameters(engine, ageing=ageing))
    return Plan(None)


def _elo_parameters(engine: Elo) -> tuple[float, ...]:
    p = engine.p
    least = p.minimum_change / p.k
    return (p.k, p.provisional_k, float(p.provisional_games), least, engine.nu, *engine.rating_range, engine.centre)


def _glicko_parameters(engine: Glicko, *, ageing: bool) -> tuple[float, ...]:
    p = engine.p
    tau, cap, drift2 = 0.0, 0.0, p.c**2 / p.period_days
    if isinstance(engine, Glicko2):
        tau, cap, drift2 = engine.p.tau, engine.p.volatility_cap, 0.0
    bounds = (*engine.deviation_range, *engine.rating_range, engine.centre)
    return (tau, cap, engine.nu, *bounds, drift2, p.period_days, float(ageing))


def _sum_parameters(engine: TrueSkill | WengLin, *, ageing: bool) -> tuple[float, ...]:
    g = engine.g
    bounds = (*engine.deviation_range, *engine.rating_range, engine.centre)
    drift2 = (g.yearly_drift * engine.unit) ** 2 / 365.0
    if isinstance(engine, WengLin):
        model = (float(engine.model), g.beta, g.tau**2, 0.0, g.beta**2, engine.draw, float(engine.p.window))
        return (*model, engine.p.kappa, *bounds, drift2, float(ageing), 0.0, 1.0, 0.0, 0.0, 0.0)
    margin = draw_margin(engine.p.draw_probability, g.beta, 1)
    model = (float(replay_sum.TRUESKILL), g.beta, g.tau**2, g.beta**2, 0.0, margin, 0.0)
    signals = (0.0, 1.0, 0.0, 0.0, 0.0)
    if isinstance(engine, TrueSkill2):
        q, unit = engine.q, engine.unit
        signals = (
            q.experience_offset * unit,
            q.experience_games,
            q.quit_penalty * unit,
            q.performance_weight,
            q.performance_cap * unit,
        )
    return (*model, 0.0, *bounds, drift2, float(ageing), *signals)


class Replay:
    """One model's walk through a history. `run` takes the next chunk; `checkpoint` and `restore` stop and go on.

    ageing: widen deviations by the days between a player's matches, as the live ledger does.
    period: "match", or "week" or "month" for rating periods, of which `close` ends the last.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        accelerate: bool | None = None,
        cache_folder: Path | None = None,
        ageing: bool = False,
        describe: bool = True,
        period: str = MATCH,
    ) -> None:
        if not isinstance(engine, BaseEngine):
            raise RatingInputError("engine", f"{engine!r} did not come from the registry")
        self.engine = engine
        self.ageing = ageing
        self.describe = describe
        self.players = 0
        self.plan = plan_for(engine, ageing=ageing)
        self.accelerated = (compiled.available() if accelerate is None else accelerate) and self.plan.loop is not None
        self._loop: Any = self.plan.loop
        if self.accelerated:
            self._loop = compiled.compiled(self.plan.loop, cache_folder)
        self._state: dict[str, Any] = {name: self._vector(0) for name in _STATE}
        self._waiting = None if period == MATCH else self._start_waiting(period, cache_folder)

    def run(self, chunk: Chunk) -> Played:
        """Predict and update match after match."""
        most = int(np.diff(chunk.team_start).max(initial=0))
        if most > self.engine.max_teams:
            raise RatingInputError("teams", f"must be 2 to {self.engine.max_teams} for {self.engine.name}, got {most}")
        self._grow(int(chunk.player.max(initial=-1)) + 1)
        context = self._vector(2 * len(chunk) if self.describe else 0)
        chances = self._run_loop(chunk, context)
        described = np.asarray(context, dtype=np.float64).reshape(-1, 2)
        return Played(chances, described[:, 0], described[:, 1])

    def _run_loop(self, chunk: Chunk, context: Any) -> Floats:
        """One probability per team."""
        if self._waiting is not None:
            edge = lifts(self.engine, chunk), multipliers(self.engine, chunk)
            first = self._waiting.run(chunk, *edge, self._state, context)
            return np.stack((first, 1.0 - first), axis=1).ravel()
        if self._loop is None:
            return walk(self.engine, chunk, self._state, context, ageing=self.ageing)
        state = read_by_loops(self._state)
        lift, multiplier = lifts(self.engine, chunk), multipliers(self.engine, chunk)
        parameters = self._as_vector(np.array(self.plan.parameters))
        if chunk.duels() and not self._individual(chunk):
            score = 0.5 + 0.5 * np.sign(chunk.place[1::2] - chunk.place[0::2])
            parts = (chunk.player[0::2], chunk.player[1::2], score, lift[0::2] - lift[1::2], multiplier, chunk.day)
            chance = self._vector(len(chunk))
            self._loop.duels(tuple(map(self._as_vector, parts)), parameters, state, chance, context)
            first = np.asarray(chance)
            return np.stack((first, 1.0 - first), axis=1).ravel()
        flat = (
            chunk.team_start, chunk.member_start, chunk.player, chunk.weight, chunk.place, lift, multiplier, chunk.day,
            chunk.quit, chunk.performance,
        )  # fmt: skip
        scratch = tuple(self._vector(_scratch_size(chunk)) for _ in range(_SCRATCH))
        chances = self._vector(chunk.teams)
        self._loop.run(tuple(map(self._as_vector, flat)), parameters, state, chances, context, scratch)
        return np.asarray(chances, dtype=np.float64)

    def close(self) -> None:
        """Rate what still waits for the end of its period; matches that are rated one by one do not wait."""
        if self._waiting is not None:
            self._waiting.close(self._state)

    def _start_waiting(self, period: str, cache_folder: Path | None) -> Waiting:
        plan = self.plan
        return waiting_for(
            self.engine,
            period,
            plan.by_periods,
            plan.parameters,
            ageing=self.ageing,
            accelerated=self.accelerated,
            cache_folder=cache_folder,
        )

    def _individual(self, chunk: Chunk) -> bool:
        """Whether the chunk holds signals of single players that the loop for duels does not read."""
        return bool(chunk.quit.any()) or not bool(np.isnan(chunk.performance).all())

    def belief(self, player: int) -> Belief:
        """What the model now believes of a player, on its own scale."""
        deviation = float(self._state["deviation"][player]) if self.engine.tracks_deviation else None
        volatility = float(self._state["volatility"][player]) if self.engine.tracks_volatility else None
        return Belief(float(self._state["rating"][player]), deviation, volatility)

    def put(self, player: int, belief: Belief) -> None:
        """Set what is believed of a player, on the model's own scale: where somebody starts, or a change by hand."""
        self._grow(player + 1)
        self._state["rating"][player] = belief.rating
        self._state["top"][player] = max(self._state["top"][player], belief.rating)
        if belief.deviation is not None:
            self._state["deviation"][player] = belief.deviation
        if belief.volatility is not None:
            self._state["volatility"][player] = belief.volatility

    def games(self, player: int) -> int:
        """Matches the player has played."""
        return int(self._state["games"][player])

    def club_ratings(self) -> Floats:
        """Every player's rating on the club scale."""
        rating: Floats = np.asarray(self._state["rating"], dtype=np.float64)
        return self.on_club_scale(rating)

    def games_played(self) -> Floats:
        """Every player's number of matches."""
        games: Floats = np.asarray(self._state["games"], dtype=np.float64)
        return games

    def on_club_scale(self, ratings: Floats) -> Floats:
        """Ratings carried from the engine's own scale."""
        club: Floats = 1500.0 + (ratings - self.engine.centre) / self.engine.unit
        return club

    def trails(self) -> Floats:
        """The club ratings after each of the first 50 matches, a row per player; NaN where there was none."""
        trail: Floats = np.asarray(self._state["trail"], dtype=np.float64)
        return self.on_club_scale(trail.reshape(-1, TRAIL))

    def checkpoint(self) -> dict[str, Any]:
        """Everything needed to go on later, as a copy."""
        waiting = None if self._waiting is None else self._waiting.checkpoint()
        return {"players": self.players, "waiting": waiting, **{name: copy.copy(self._state[name]) for name in _STATE}}

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Go on from a checkpoint of a replay with the same model."""
        self.players = int(checkpoint["players"])
        for name in _STATE:
            self._state[name] = self._as_vector(np.array(checkpoint[name], dtype=np.float64))
        if self._waiting is not None:
            self._waiting.restore(checkpoint["waiting"])

    def _grow(self, players: int) -> None:
        more = players - self.players
        if more <= 0:
            return
        fresh = self.engine.newcomer()
        values = {
            "rating": fresh.rating,
            "deviation": fresh.deviation or 0.0,
            "volatility": fresh.volatility or 0.0,
            "last_day": 0.0,
            "games": 0.0,
            "trail": math.nan,
            "top": -math.inf,  # the default start was not reached by anybody who is put elsewhere
        }
        for name, value in values.items():
            room = more if name != "trail" else more * TRAIL * self.describe
            added = np.full(room, value)
            old = np.asarray(self._state[name], dtype=np.float64)
            self._state[name] = self._as_vector(np.concatenate((old, added)))
        self.players = players
        if self._waiting is not None:
            self._waiting.grow(players)

    def _vector(self, size: int) -> Any:
        return self._as_vector(np.zeros(size))

    def _as_vector(self, values: Any) -> Any:
        """A numpy array for compiled loops, a list for plain Python, which is faster there."""
        return np.ascontiguousarray(values) if self.accelerated else values.tolist()


def _scratch_size(chunk: Chunk) -> int:
    most_teams = int(np.diff(chunk.team_start).max(initial=0))
    bounds = chunk.member_start[chunk.team_start]
    return max(4 * most_teams, int(np.diff(bounds).max(initial=0))) + 1


def lifts(engine: BaseEngine, chunk: Chunk) -> Floats:
    """What is added to each team, on the engine's own scale: side advantage and parties."""
    points = np.zeros(chunk.teams)
    with_side = np.flatnonzero(chunk.side != NOBODY)
    points[chunk.team_start[:-1][with_side] + chunk.side[with_side]] += engine.parameters.side_advantage
    if engine.parameters.party_offset != 0.0:
        points += engine.parameters.party_offset * _party_shares(engine, chunk)
    return points * engine.unit


def _party_shares(engine: BaseEngine, chunk: Chunk) -> Floats:
    sizes = np.diff(chunk.member_start)
    team_of = np.repeat(np.arange(chunk.teams), sizes)
    grouped = np.flatnonzero(chunk.party != NOBODY)
    shares = np.zeros(chunk.teams)
    if len(grouped):
        keys = np.stack((team_of[grouped], chunk.party[grouped]))
        found, together = np.unique(keys, axis=1, return_counts=True)
        np.add.at(shares, found[0], together * (together - 1.0))
    return shares if isinstance(engine, TeamSumEngine) else shares / sizes


def multipliers(engine: BaseEngine, chunk: Chunk) -> Floats:
    """How much more each result moves for its margin; 1 where no margin is known."""
    power = engine.parameters.margin_power
    log = np.log1p(chunk.margin)
    growth = 1.0 + engine.parameters.margin_weight * (np.expm1(power * log) / power if power > 0.0 else log)
    return np.where(np.isnan(growth), 1.0, np.minimum(growth, engine.parameters.margin_cap))


def replay_all(replay: Replay, chunks: Sequence[Chunk]) -> list[Played]:
    """Run chunk after chunk."""
    return [replay.run(chunk) for chunk in chunks]
