"""`manage.py replay --csv FILE|--queue CLUB/QUEUE --model NAME[@PERIOD][:JSON] ...`: models side by side."""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ratings.core.history import CHUNK
from ratings.core.problems import RatingInputError
from ratings.core.report import ModelSpec, Settings, compare_over
from ratings.errors import DomainError
from ratings.management import reading
from ratings.services import reports

_COLUMNS = ("log_loss", "brier", "accuracy", "ece", "pair_accuracy")


class Command(BaseCommand):
    """Prints a table; `--json` writes the whole report, `--store` keeps it beside the queue's other reports."""

    help = "Replay recorded matches with one or more rating models and compare their predictions."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to read, the models, and how to measure."""
        reading.add_source(parser)
        parser.add_argument("--model", action="append", required=True, metavar=reading.MODEL, help="may be repeated")
        parser.add_argument(
            "--ignore-first", type=reading.share, default=0.1, metavar="SHARE", help="rated, not measured"
        )
        parser.add_argument("--plain", action="store_true", help="plain Python, also where numba is installed")
        reading.add_out(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        """Replay, print, write."""
        try:
            report = replay(options["model"], options)
        except (RatingInputError, DomainError, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        for line in table(report):
            self.stdout.write(line)
        reading.write(options["json"], report)


def replay(models: Sequence[str], options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The report; see the command's arguments for the options."""
    specs = [ModelSpec.parse(text) for text in models]
    matches = reading.read(options, specs)
    ignored = int(len(matches.tied) * options["ignore_first"])
    measured = [spec.with_measured_draws(matches.tied[:ignored]) for spec in specs]
    ages = reading.ageing(options, matches)
    if options["store"]:
        return _stored(measured, options, ages=ages)
    how = Settings(
        ignored=ignored,
        ageing=ages,
        accelerate=False if options["plain"] else None,
        cache_folder=settings.VAR_DIR / "numba",
        clock=time.perf_counter,
    )
    return compare_over(measured, matches.steps(CHUNK), matches.names, how)


def _stored(specs: Sequence[ModelSpec], options: dict[str, Any], *, ages: bool) -> dict[str, dict[str, Any]]:
    """The report of a queue, kept."""
    if options["queue"] is None:
        raise CommandError("--store keeps reports of a --queue.")
    report = reports.request_replay(
        queue_id=reading.queue_of(options),
        models=reading.choices(specs),
        requested_by=None,
        ignore_first=options["ignore_first"],
        ageing=ages,
        now=reading.now(),
    )
    done = reading.compute(report)
    return {one["label"]: one for one in done.result["models"]}


def table(report: dict[str, dict[str, Any]]) -> list[str]:
    """The figures in columns, one line per model."""
    columns = [name for name in _COLUMNS if any(name in figures for figures in report.values())]
    width = max(len("model"), *(len(label) for label in report))
    lines = [f"{'model':<{width}}  {'matches':>9}  " + "  ".join(f"{name:>13}" for name in columns) + "  matches/s"]
    for label, figures in report.items():
        shown = [figures.get(name) for name in columns]
        cells = "  ".join(f"{'-' if value is None else f'{value:.4f}':>13}" for value in shown)
        speed = figures["matches_per_second"]
        lines.append(f"{label:<{width}}  {figures['matches']:>9}  {cells}  {speed or 0:>9.0f}")
    return lines
