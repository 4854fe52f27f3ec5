"""A search of parameters spread over workers, a few candidates a part; what is known decides what comes next.

The search is deterministic, so it needs no memory of its own: each time the last part of a batch is in, it is walked
again from the start with the losses that are known, up to the first batch that is not.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from ratings.core.fit import MARGIN_START, Axis, Parameters, Split, axes_for, fit_report
from ratings.core.requests import FitSettings
from ratings.models import ReplayPart, ReplayReport
from ratings.services.report_parts import add_parts, complete

CANDIDATES_A_PART = 6


class _Unknown(Exception):
    """Candidates that nobody has measured yet, by key."""

    def __init__(self, tasks: dict[str, dict[str, Any]]) -> None:
        super().__init__()
        self.tasks = tasks


@dataclass(frozen=True, slots=True)
class _Known:
    """The losses that are in, by key; asked for another one it stops the search."""

    losses: dict[str, float] = field(default_factory=dict)

    def __call__(self, candidates: Sequence[Parameters], span: tuple[int, int]) -> list[float]:
        tasks = [{"parameters": dict(one), "from": span[0], "to": span[1]} for one in candidates]
        keys = [_key(task) for task in tasks]
        missing = {key: task for key, task in zip(keys, tasks, strict=True) if key not in self.losses}
        if missing:
            raise _Unknown(missing)
        return [self.losses[key] for key in keys]


def advance(report: ReplayReport, now: datetime) -> None:
    """The next batch of candidates, or the end of the search. Inside the transaction that holds the report's lock."""
    wish = FitSettings.of(report.settings)
    axes = axes_for(wish.start.name, wish.only)
    done = report.parts.filter(state=ReplayPart.State.DONE).values_list("result__losses", flat=True)
    known = _Known({key: loss for losses in done for key, loss in losses.items()})
    try:
        found = fit_report(
            wish.start.name, wish.start.parameters, axes, known, split_of(report, wish), rounds=wish.rounds
        )
    except _Unknown as unknown:
        report.progress_done = len(known.losses)
        report.progress_total = max(most_candidates(axes, wish.rounds), len(known.losses) + len(unknown.tasks))
        report.message = _("%(n)d candidates measured") % {"n": len(known.losses)}
        report.save(update_fields=["progress_done", "progress_total", "message"])
        add_parts(report, _bundles(unknown.tasks), now)
        return
    report.progress_total = len(known.losses)
    complete(report, {"fit": {**found, "period": wish.start.period}}, now)


def split_of(report: ReplayReport, wish: FitSettings) -> Split:
    """Where the search ends and the held-out part begins, in numbers of matches."""
    count = report.history_matches or 0
    return Split(int(count * wish.ignore_first), int(count * wish.train), count)


def most_candidates(axes: Sequence[Axis], rounds: int) -> int:
    """How many candidates a search can need at most."""
    searches = 2 if MARGIN_START.keys() <= {axis.name for axis in axes} else 1
    return searches * (1 + rounds * (2 * len(axes) + 1)) + 4


def _bundles(tasks: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A batch in parts of a few candidates each: enough parts for many workers, and enough work for each."""
    keys = list(tasks)
    for start in range(0, len(keys), CANDIDATES_A_PART):
        chosen = keys[start : start + CANDIDATES_A_PART]
        yield chosen[0], {key: tasks[key] for key in chosen}


def _key(task: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()
