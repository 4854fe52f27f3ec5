"""Replay reports: models side by side over one history, in figures ready for JSON.

Per model: the figures over all matches; the same over newcomers' first ten matches, per rating band, per party size;
how fast newcomers converge; where players now stand and who moves most against the first model.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ratings.core.history import NOBODY, Chunk, Floats, Ints
from ratings.core.metrics import Mask, Tally, judge
from ratings.core.paired import Blocks
from ratings.core.periods import MATCH, check_period
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine, parameter_schema
from ratings.core.replay import Played, Replay
from ratings.core.replay_steps import Step, prepare

BAND = 200
NEWCOMER_GAMES = 10
NEAR = 100.0
SETTLED_AFTER = 50
LISTED = 20
_SHOWN = 200  # of a text that cannot be read
_ERROR_AT = (1, 2, 3, 5, 10, 15, 20, 30, 40)
_DRAW_PRIOR_MATCHES = 20
_DRAW_PRIOR = 0.10


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model to replay: a label for the report, the engine's name, its parameters and its rating period."""

    label: str
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    period: str = MATCH

    @classmethod
    def parse(cls, text: str) -> "ModelSpec":
        """`NAME[@week|@month][:JSON]`; raises RatingInputError for anything else."""
        head, colon, rest = text.partition(":")
        name, at, period = head.partition("@")
        if not colon:
            parameters: Any = {}
        else:
            try:
                parameters = json.loads(rest)
            except (ValueError, RecursionError) as error:  # the second for brackets without end
                raise RatingInputError("model", f"{_short(rest)} is not JSON: {error}") from error
        if not isinstance(parameters, dict):
            raise RatingInputError("model", f"the parameters of {name} must be a JSON object")
        engine = get_engine(name, parameters)
        if at and period == MATCH:
            raise RatingInputError("period", "is left out for a model that rates match by match")
        check_period(engine, period if at else MATCH, teams=2, team_size=1)
        return cls(text, name, parameters, period if at else MATCH)

    def with_measured_draws(self, tied: Sequence[float]) -> "ModelSpec":
        """An engine that needs a chance of a draw, and was given none, takes it from the matches not measured.

        `tied` is the share of tied neighbours in each of them; few matches move the usual chance but little.
        """
        wants = any(info.name == "draw_probability" and info.default for info in parameter_schema(self.name))
        if not wants or "draw_probability" in self.parameters or not tied:
            return self
        share = (sum(tied) + _DRAW_PRIOR * _DRAW_PRIOR_MATCHES) / (len(tied) + _DRAW_PRIOR_MATCHES)
        return replace(self, parameters={**self.parameters, "draw_probability": round(min(share, 0.95), 6)})


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


@dataclass(frozen=True, slots=True)
class Settings:
    """How to replay. The first `ignored` matches are rated and not measured; `clock` tells seconds."""

    ignored: int = 0
    ageing: bool = False
    accelerate: bool | None = None
    cache_folder: Path | None = None
    clock: Callable[[], float] = lambda: 0.0


class Measured:
    """One model on its way through a history."""

    def __init__(self, spec: ModelSpec, settings: Settings) -> None:
        self.spec = spec
        self.settings = settings
        self.seconds = 0.0
        self.seen = 0
        self.total = Tally()
        self.blocks = Blocks()
        self.newcomers = Tally()
        self.bands: dict[int, Tally] = {}
        self.parties: dict[int, Tally] = {}
        self.replay = Replay(
            get_engine(spec.name, spec.parameters),
            accelerate=settings.accelerate,
            cache_folder=settings.cache_folder,
            ageing=settings.ageing,
            period=spec.period,
        )

    def take(self, chunk: Chunk) -> None:
        """Run the next matches and measure those that count."""
        start = self.settings.clock()
        played = self.replay.run(chunk)
        self.seconds += self.settings.clock() - start
        counted = np.arange(self.seen, self.seen + len(chunk)) >= self.settings.ignored
        self.seen += len(chunk)
        self._measure(chunk, played, counted)

    def _measure(self, chunk: Chunk, played: Played, counted: Mask) -> None:
        judged = judge(chunk, played.chances)
        self.total.add(judged, counted)
        self.blocks.add(judged.loss[counted])
        self.newcomers.add(judged, counted & (played.fewest_games < NEWCOMER_GAMES))
        bands = (np.floor(self.replay.on_club_scale(played.mean_rating) / BAND) * BAND).astype(np.int64)
        for groups, labels in ((self.bands, bands), (self.parties, party_sizes(chunk))):
            for label in np.unique(labels[counted]):
                groups.setdefault(int(label), Tally()).add(judged, counted & (labels == label))

    def take_step(self, step: Step) -> None:
        """The next matches of a club's own history, and what lies before them."""
        prepare(self.replay, step)
        if len(step.chunk):
            self.take(step.chunk)

    def report(self, names: Sequence[str], reference: "Measured") -> dict[str, Any]:
        """The model's part of the report."""
        reference.replay.close()
        figures = self.figures()
        figures["standings"] = standings(self.replay, names)
        figures["movers"] = movers(self.replay, reference.replay, names)
        return figures

    def figures(self) -> dict[str, Any]:
        """What the predictions were worth, without anybody's name. The history is over."""
        self.replay.close()
        figures: dict[str, Any] = dict(self.total.summary())
        if self.total.pairs > self.total.decided:
            figures["pair_accuracy"] = self.total.pairs_right / self.total.pairs
        figures["seconds"] = self.seconds
        figures["matches_per_second"] = self.seen / self.seconds if self.seconds else None
        figures["period"] = self.spec.period
        figures["parameters"] = self.replay.engine.parameters.as_dict()
        figures["calibration"] = self.total.calibration()
        figures["blocks"] = self.blocks.as_dict()
        figures["newcomers"] = self.newcomers.summary()
        figures["bands"] = {str(band): tally.summary() for band, tally in sorted(self.bands.items())}
        figures["party_sizes"] = {str(size): tally.summary() for size, tally in sorted(self.parties.items())}
        figures["convergence"] = convergence(self.replay.trails())
        return figures


def compare(
    specs: Sequence[ModelSpec], chunks: Iterable[Chunk], names: Callable[[], Sequence[str]], settings: Settings
) -> dict[str, dict[str, Any]]:
    """Run every model over the same chunks, read once. `names` is asked for the players' names at the end."""
    return compare_over(specs, map(Step, chunks), names, settings)


def compare_over(
    specs: Sequence[ModelSpec], steps: Iterable[Step], names: Callable[[], Sequence[str]], settings: Settings
) -> dict[str, dict[str, Any]]:
    """The same over steps, with what lies between the matches."""
    running = [Measured(spec, settings) for spec in specs]
    for step in steps:
        for measured in running:
            measured.take_step(step)
    known = names()
    return {one.spec.label: one.report(known, running[0]) for one in running}


def party_sizes(chunk: Chunk) -> Ints:
    """The largest party in each match; 1 where everybody came alone."""
    largest = np.ones(len(chunk), dtype=np.int64)
    grouped = np.flatnonzero(chunk.party != NOBODY)
    if len(grouped) == 0:
        return largest
    team_of = np.repeat(np.arange(chunk.teams), np.diff(chunk.member_start))
    match_of = np.repeat(np.arange(len(chunk)), np.diff(chunk.team_start))
    found, together = np.unique(np.stack((team_of[grouped], chunk.party[grouped])), axis=1, return_counts=True)
    np.maximum.at(largest, match_of[found[0]], together)
    return largest


def convergence(trails: Floats) -> dict[str, Any]:
    """How many matches newcomers need until they stay within 100 points of their own value after 50 matches."""
    settled = trails[:, :SETTLED_AFTER][~np.isnan(trails[:, SETTLED_AFTER - 1])] if trails.size else trails
    if len(settled) == 0:
        return {"players": 0, "median": None, "p90": None, "error": {}}
    away = np.abs(settled - settled[:, -1:])
    last_far = np.where((away > NEAR).any(axis=1), SETTLED_AFTER - np.argmax(away[:, ::-1] > NEAR, axis=1), 0)
    needed = last_far + 1
    return {
        "players": len(settled),
        "median": float(np.median(needed)),
        "p90": float(np.percentile(needed, 90)),
        "error": {str(at): float(away[:, at - 1].mean()) for at in _ERROR_AT},
    }


def standings(replay: Replay, names: Sequence[str]) -> list[dict[str, Any]]:
    """The first of the table by club rating, among those who have played."""
    ratings, games = replay.club_ratings(), replay.games_played()
    order = [int(player) for player in np.argsort(-ratings, kind="stable") if games[player] > 0]
    return [
        {
            "place": place,
            "player": names[player],
            "rating": round(float(ratings[player]), 1),
            "games": int(games[player]),
        }
        for place, player in enumerate(order[:LISTED], start=1)
    ]


def movers(replay: Replay, reference: Replay, names: Sequence[str]) -> list[dict[str, Any]]:
    """Who stands furthest from the place that the reference model gives."""
    here, there = _places(replay), _places(reference)
    moved = there - here
    order = np.argsort(-np.abs(moved), kind="stable")[:LISTED]
    return [
        {"player": names[player], "place": int(here[player]), "reference": int(there[player])}
        for player in map(int, order)
        if moved[player] != 0
    ]


Standing = tuple[str, float, float | None, int]


def everybody(replay: Replay, names: Sequence[str]) -> list[Standing]:
    """Who has played, the best first: name, rating and deviation on the club scale, number of matches."""
    rows: list[Standing] = []
    for player in map(int, np.argsort(-replay.club_ratings(), kind="stable")):
        if replay.games(player) > 0:
            club = replay.engine.to_club(replay.belief(player))
            rows.append((names[player], club.rating, club.deviation, replay.games(player)))
    return rows


def moved_places(rows: Sequence[Standing], reference: Sequence[Standing]) -> list[dict[str, Any]]:
    """Of all who stand in both tables those whose places differ most, as `movers` tells them."""
    there = {row[0]: place for place, row in enumerate(reference, start=1)}
    moved = [(row[0], place, there[row[0]]) for place, row in enumerate(rows, start=1) if row[0] in there]
    moved.sort(key=lambda one: (-abs(one[2] - one[1]), one[1]))
    return [
        {"player": player, "place": place, "reference": before}
        for player, place, before in moved[:LISTED]
        if place != before
    ]


def _places(replay: Replay) -> Ints:
    order = np.argsort(-replay.club_ratings(), kind="stable")
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(1, len(order) + 1)
    return places
