"""Where the commands read matches from: a file in one of the CSV layouts, or a queue of a club."""

import json
import time
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management import CommandError
from django.utils import timezone

from ratings.core.history import CHUNK, CsvHistory, tied_in
from ratings.core.periods import MATCH
from ratings.core.replay_steps import Step
from ratings.core.report import ModelSpec
from ratings.core.requests import ModelChoice
from ratings.models import ReplayReport
from ratings.selectors.queues import club_zone, queue_at
from ratings.selectors.replay_history import QueueHistory
from ratings.selectors.reports import player_handles
from ratings.services import report_runs

MODEL = "NAME[@week|@month][:JSON]"


@dataclass(frozen=True, slots=True)
class Matches:
    """Recorded matches. tied: of each the share of tied neighbours. steps: a walk, in pieces of at most so many.

    names: of the players, once they were walked. ages: whether deviations widen between matches unless said otherwise.
    """

    tied: Sequence[float]
    steps: Callable[[int], Iterable[Step]]
    names: Callable[[], Sequence[str]]
    ages: bool


def add_source(parser: ArgumentParser) -> None:
    """The arguments that say what to read."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--csv", type=Path, metavar="FILE", help="recorded matches")
    source.add_argument("--queue", metavar="CLUB/QUEUE", help="the rated matches of a queue, as addresses name it")
    parser.add_argument("--store", action="store_true", help="keep the report, with --queue")
    parser.add_argument(
        "--ageing",
        action=BooleanOptionalAction,
        default=None,
        help="widen deviations between matches by their dates (a queue does, a file does not)",
    )


def add_out(parser: ArgumentParser) -> None:
    """The argument that says where to write; a place where nothing can be written is refused before the work."""
    parser.add_argument("--json", type=_writable, metavar="OUT", help="write the report here")


def _writable(text: str) -> Path:
    path = Path(text)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"there is no folder {path.parent}")
    return path


def write(path: Path | None, report: object) -> None:
    """The report as JSON, where a place was named. Raises CommandError."""
    if path is None:
        return
    try:
        path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(str(error)) from error


def read(options: dict[str, Any], specs: Sequence[ModelSpec]) -> Matches:
    """What the arguments name. Raises RatingInputError for a bad file, NotFound for an unknown queue."""
    if options["csv"] is not None:
        file = CsvHistory(options["csv"])
        return Matches(file.tied(), lambda size: map(Step, file.chunks(size)), lambda: list(file.names.index), False)
    queue_id = queue_at(options["queue"])
    by_periods = any(spec.period != MATCH for spec in specs)
    history = QueueHistory(queue_id, timezone.now(), club_zone(queue_id) if by_periods else UTC)
    tied = [share for step in history.steps(CHUNK) for share in tied_in(step.chunk)]
    return Matches(tied, history.steps, lambda: player_handles(history.players), True)


def ageing(options: dict[str, Any], matches: Matches) -> bool:
    """Whether deviations widen between matches."""
    return matches.ages if options["ageing"] is None else bool(options["ageing"])


def choices(specs: Sequence[ModelSpec]) -> list[ModelChoice]:
    """Models as a stored report takes them."""
    return [ModelChoice(spec.label, spec.name, spec.parameters, spec.period) for spec in specs]


def compute(report: ReplayReport) -> ReplayReport:
    """Compute a stored report here, beside the workers; what one of them holds is waited for."""
    return report_runs.run_report(report_id=report.pk, clock=now, pause=lambda: time.sleep(0.5))


def queue_of(options: dict[str, Any]) -> UUID:
    """The queue that the arguments name. Raises NotFound."""
    return queue_at(options["queue"])


def now() -> datetime:
    """The present moment."""
    return timezone.now()


def at_least_one(text: str) -> int:
    """A whole number from 1 on."""
    value = int(text)
    if value < 1:
        raise ArgumentTypeError(f"must be at least 1, got {text}")
    return value


def share(text: str) -> float:
    """A share of the matches, at least 0 and below 1."""
    value = float(text)
    if not 0.0 <= value < 1.0:
        raise ArgumentTypeError(f"must be at least 0 and below 1, got {text}")
    return value
