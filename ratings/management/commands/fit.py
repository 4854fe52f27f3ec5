"""`manage.py fit --csv FILE|--queue CLUB/QUEUE --model NAME[@PERIOD][:JSON] ...`: parameters from recorded matches."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ratings.core.fit import Parameters, Split, axes_for, fit_report, loss_over
from ratings.core.problems import RatingInputError
from ratings.core.replay_steps import Step
from ratings.core.report import ModelSpec
from ratings.errors import DomainError
from ratings.management import reading
from ratings.services import reports

_CHUNK = 2_000  # a search stops reading at its last match, so small pieces waste little


class Command(BaseCommand):
    """Prints the fitted parameters and the log loss on the searched part, the held-out rest, and both."""

    help = "Search the parameters of rating models on the first part of recorded matches; measure them on the rest."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to read, the models, and what to search."""
        share = reading.share
        reading.add_source(parser)
        parser.add_argument("--model", action="append", required=True, metavar=reading.MODEL, help="where to start")
        parser.add_argument("--train", type=share, default=0.6, metavar="SHARE", help="searched on, the rest held out")
        parser.add_argument("--ignore-first", type=share, default=0.1, metavar="SHARE", help="rated, not measured")
        parser.add_argument("--only", default="", metavar="A,B", help="search these parameters only")
        parser.add_argument("--rounds", type=reading.at_least_one, default=40, help="at most so many rounds a search")
        reading.add_out(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Fit one model after the other."""
        try:
            found = fit(options["model"], options)
        except (RatingInputError, DomainError, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        for report in found:
            self.stdout.write(f"{report['model']} {json.dumps(report['parameters'])}")
            for part in ("train", "held_out", "all"):
                losses = report[part]
                self.stdout.write(
                    f"  {part:<9}{losses['matches']:>9} matches  {losses['start']:.4f} -> {losses['fitted']:.4f}"
                )
        reading.write(options["json"], found)


def fit(models: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    """A report per model; see the command's arguments for the options."""
    specs = [ModelSpec.parse(text) for text in models]
    matches = reading.read(options, specs)
    count = len(matches.tied)
    split = Split(int(count * options["ignore_first"]), int(count * options["train"]), count)
    if not split.ignored < split.train < split.total:
        raise RatingInputError("train", "leaves nothing to search on or nothing to hold out")
    only = [name.strip() for name in options["only"].split(",") if name.strip()]
    ages = reading.ageing(options, matches)
    started = [spec.with_measured_draws(matches.tied[: split.ignored]) for spec in specs]
    if options["store"]:
        return [_stored(spec, only, options, ages=ages) for spec in started]
    steps = list(matches.steps(_CHUNK))
    found = []
    for spec in started:
        losses = Losses(spec, steps, ageing=ages)
        axes = axes_for(spec.name, only)
        report = fit_report(spec.name, spec.parameters, axes, losses, split, rounds=options["rounds"])
        found.append({**report, "period": spec.period})
    return found


def _stored(spec: ModelSpec, only: Sequence[str], options: dict[str, Any], *, ages: bool) -> dict[str, Any]:
    """The search over a queue, kept, its candidates shared with the workers."""
    if options["queue"] is None:
        raise CommandError("--store keeps reports of a --queue.")
    (start,) = reading.choices([spec])
    report = reports.request_fit(
        queue_id=reading.queue_of(options),
        start=start,
        requested_by=None,
        only=only,
        train=options["train"],
        ignore_first=options["ignore_first"],
        rounds=options["rounds"],
        ageing=ages,
        now=reading.now(),
    )
    found: dict[str, Any] = reading.compute(report).result["fit"]
    return found


class Losses:
    """Log loss of candidates over a span of the history, one after the other."""

    def __init__(self, spec: ModelSpec, steps: Sequence[Step], *, ageing: bool) -> None:
        self.spec = spec
        self.steps = steps
        self.ageing = ageing

    def __call__(self, candidates: Sequence[Parameters], span: tuple[int, int]) -> list[float]:
        return [
            loss_over(
                self.spec.name,
                candidate,
                self.steps,
                span,
                ageing=self.ageing,
                cache_folder=settings.VAR_DIR / "numba",
                period=self.spec.period,
            )
            for candidate in candidates
        ]
