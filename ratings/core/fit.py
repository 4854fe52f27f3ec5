"""Searches a model's parameters on the first part of a history and measures them on the rest.

A pattern search without dice: each round tries a step up and down every axis and the sum of all steps that helped,
goes to the best, and halves the steps where nothing helped. A round's candidates do not depend on one another, so
that they can be spread over workers: `evaluate` takes them all at once.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ratings.core.history import Chunk
from ratings.core.metrics import Tally, judge
from ratings.core.periods import MATCH
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine, parameter_schema
from ratings.core.replay import Replay
from ratings.core.replay_steps import Step, prepare

Parameters = Mapping[str, Any]
Evaluate = Callable[[Sequence[Parameters]], Sequence[float]]
_SMALLEST_STEP = 1 / 32
_BETTER = 1e-7


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter to search, with its first step: a factor (`ratio`) or an amount (`step`)."""

    name: str
    ratio: float = 0.0
    step: float = 0.0

    def moved(self, value: float, size: float) -> float:
        """The value `size` steps further."""
        return value * math.exp(size * math.log(self.ratio)) if self.ratio else value + size * self.step


_COMMON = (
    Axis("side_advantage", step=40.0),
    Axis("margin_weight", step=0.25),
    Axis("margin_power", step=0.25),
    Axis("margin_cap", ratio=1.5),
)
_GAUSSIAN = (Axis("beta", ratio=1.5), Axis("tau", ratio=2.0))
_GLICKO = (Axis("deviation", ratio=1.4), Axis("draw_probability", step=0.1))
AXES: dict[str, tuple[Axis, ...]] = {
    "elo": (*_COMMON, Axis("k", ratio=1.5), Axis("draw_probability", step=0.1)),
    "elo_fide": _COMMON,
    "glicko": (*_COMMON, *_GLICKO, Axis("deviation_floor", ratio=1.5)),
    "glicko2": (*_COMMON, *_GLICKO, Axis("tau", ratio=1.5), Axis("volatility", ratio=1.4)),
    "trueskill": (*_COMMON, *_GAUSSIAN, Axis("draw_probability", step=0.1)),
    "trueskill2": (
        *_COMMON,
        *_GAUSSIAN,
        Axis("draw_probability", step=0.1),
        Axis("experience_offset", step=40.0),
        Axis("performance_weight", step=0.1),
        Axis("party_offset", step=10.0),
    ),
    "weng_lin": (*_COMMON, *_GAUSSIAN, Axis("draw_probability", step=0.1)),
}


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a search found, and how many candidates it tried."""

    parameters: dict[str, Any]
    loss: float
    candidates: int
    rounds: int


def axes_for(name: str, chosen: Sequence[str] | None = None) -> tuple[Axis, ...]:
    """The axes of an engine, or those of the chosen parameters; an unknown one is refused."""
    known = {axis.name: axis for axis in AXES[name]}
    if not chosen:
        return tuple(known.values())
    ranges = {info.name: info for info in parameter_schema(name)}
    for parameter in chosen:
        if parameter not in ranges or ranges[parameter].kind not in ("number", "integer"):
            raise RatingInputError(parameter, f"is no number that {name} can be fitted by")
    return tuple(known.get(one) or Axis(one, step=_a_tenth(ranges[one])) for one in chosen)


def _a_tenth(info: Any) -> float:
    return max(abs(float(info.default)) / 10, ((info.high or 1.0) - (info.low or 0.0)) / 100)


def search(name: str, start: Parameters, axes: Sequence[Axis], evaluate: Evaluate, *, rounds: int = 40) -> Fitted:
    """The best parameters that a pattern search from `start` finds within so many rounds."""
    best = dict(get_engine(name, start).parameters.as_dict())
    loss = evaluate([best])[0]
    sizes = {axis.name: 1.0 for axis in axes}
    tried = 1
    done = 0
    while done < rounds and max(sizes.values()) >= _SMALLEST_STEP:
        done += 1
        steps = [(axis, sign) for axis in axes for sign in (1.0, -1.0)]
        candidates = [_stepped(name, best, [(axis, sign * sizes[axis.name])]) for axis, sign in steps]
        losses = evaluate(candidates)
        tried += len(candidates)
        helped = _better_side(steps, losses, loss)
        together = _stepped(name, best, [(axis, sign * sizes[axis.name]) for axis, sign in helped])
        choices = [*zip(losses, candidates, strict=True)]
        if len(helped) > 1:
            choices.append((evaluate([together])[0], together))
            tried += 1
        least, chosen = min(choices, key=lambda choice: choice[0])
        if least < loss - _BETTER:
            loss, best = least, chosen
        names = {axis.name for axis, _ in helped}
        sizes = {one: size if one in names else size / 2 for one, size in sizes.items()}
    return Fitted(best, loss, tried, done)


def _better_side(steps: Sequence[tuple[Axis, float]], losses: Sequence[float], loss: float) -> list[tuple[Axis, float]]:
    """For each axis on which a step helped, the better of the two."""
    found: dict[str, tuple[float, tuple[Axis, float]]] = {}
    for step, value in zip(steps, losses, strict=True):
        if value < loss - _BETTER and value < found.get(step[0].name, (math.inf, step))[0]:
            found[step[0].name] = (value, step)
    return [step for _, step in found.values()]


def _stepped(name: str, parameters: Parameters, steps: Sequence[tuple[Axis, float]]) -> dict[str, Any]:
    """Parameters some steps further, held within their ranges; a combination that is refused stays where it was."""
    ranges = {info.name: info for info in parameter_schema(name)}
    moved = dict(parameters)
    for axis, size in steps:
        info = ranges[axis.name]
        value = axis.moved(float(moved[axis.name]), size)
        value = max(value, info.low if info.low is not None else -math.inf)
        value = min(value, info.high if info.high is not None else math.inf)
        moved[axis.name] = round(value) if info.kind == "integer" else float(f"{value:.6g}")
    try:
        get_engine(name, moved)
    except RatingInputError:
        return dict(parameters)
    return moved


def measured_loss(
    name: str,
    parameters: Parameters,
    chunks: Iterable[Chunk],
    measured: tuple[int, int],
    *,
    ageing: bool = False,
    accelerate: bool | None = None,
    cache_folder: Path | None = None,
    period: str = MATCH,
) -> float:
    """Log loss over the matches numbered from `measured[0]` up to `measured[1]`; none after those is rated."""
    return loss_over(
        name,
        parameters,
        map(Step, chunks),
        measured,
        ageing=ageing,
        accelerate=accelerate,
        cache_folder=cache_folder,
        period=period,
    )


def loss_over(
    name: str,
    parameters: Parameters,
    steps: Iterable[Step],
    measured: tuple[int, int],
    *,
    ageing: bool = False,
    accelerate: bool | None = None,
    cache_folder: Path | None = None,
    period: str = MATCH,
) -> float:
    """The same over a club's own history, with what lies between its matches."""
    engine = get_engine(name, parameters)
    replay = Replay(
        engine, accelerate=accelerate, cache_folder=cache_folder, ageing=ageing, describe=False, period=period
    )
    tally = Tally()
    seen = 0
    for step in steps:
        if seen >= measured[1]:
            break
        prepare(replay, step)
        chunk = step.chunk
        if not len(chunk):
            continue
        played = replay.run(chunk)
        numbers = np.arange(seen, seen + len(chunk))
        tally.add(judge(chunk, played.chances), (numbers >= measured[0]) & (numbers < measured[1]))
        seen += len(chunk)
    return tally.loss / max(tally.matches, 1)


MARGIN_START = {"margin_power": 1.0, "margin_weight": 0.05, "margin_cap": 10.0}


@dataclass(frozen=True, slots=True)
class Split:
    """Match numbers: rated only below `ignored`, searched on up to `train`, held out up to `total`."""

    ignored: int
    train: int
    total: int


def search_from_several(
    name: str, start: Parameters, axes: Sequence[Axis], evaluate: Evaluate, *, rounds: int = 40
) -> Fitted:
    """The better of two searches: from `start`, and from a start whose margin counts in full."""
    found = search(name, start, axes, evaluate, rounds=rounds)
    if not {"margin_power", "margin_weight", "margin_cap"} <= {axis.name for axis in axes}:
        return found
    other = search(name, {**start, **MARGIN_START}, axes, evaluate, rounds=rounds)
    best = min(found, other, key=lambda fitted: fitted.loss)
    tried, done = found.candidates + other.candidates, found.rounds + other.rounds
    return Fitted(best.parameters, best.loss, tried, done)


def fit_report(
    name: str,
    start: Parameters,
    axes: Sequence[Axis],
    evaluate: Callable[[Sequence[Parameters], tuple[int, int]], Sequence[float]],
    split: Split,
    *,
    rounds: int = 40,
) -> dict[str, Any]:
    """Fit on the first part; log loss of start and fitted parameters on it, on the held-out rest, and on both.

    `evaluate` gives the log loss of each candidate over the matches numbered from the first up to the second.
    """
    train = (split.ignored, split.train)
    fitted = search_from_several(name, start, axes, lambda candidates: evaluate(candidates, train), rounds=rounds)
    first = get_engine(name, start).parameters.as_dict()
    report: dict[str, Any] = {
        "model": name,
        "parameters": {key: value for key, value in fitted.parameters.items() if value != first[key] or key in start},
        "candidates": fitted.candidates,
        "rounds": fitted.rounds,
    }
    spans = {"train": train, "held_out": (split.train, split.total), "all": (split.ignored, split.total)}
    for label, span in spans.items():
        before, after = evaluate([first, fitted.parameters], span)
        report[label] = {"matches": span[1] - span[0], "start": before, "fitted": after}
    return report
