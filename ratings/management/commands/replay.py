"""`manage.py replay --csv FILE --model NAME[@PERIOD][:JSON] ...`: models side by side over recorded matches."""

import json
import time
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ratings.core.history import CsvHistory
from ratings.core.problems import RatingInputError
from ratings.core.report import ModelSpec, Settings, compare

MODEL = "NAME[@week|@month][:JSON]"
_COLUMNS = ("log_loss", "brier", "accuracy", "ece", "pair_accuracy")


class Command(BaseCommand):
    """Prints a table; `--json` writes the whole report."""

    help = "Replay recorded matches with one or more rating models and compare their predictions."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the models, and how to measure."""
        parser.add_argument("--csv", type=Path, required=True, metavar="FILE", help="recorded matches")
        parser.add_argument("--model", action="append", required=True, metavar=MODEL, help="may be repeated")
        parser.add_argument("--ignore-first", type=share, default=0.1, metavar="SHARE", help="rated, not measured")
        parser.add_argument("--ageing", action="store_true", help="widen deviations between matches by their dates")
        parser.add_argument("--plain", action="store_true", help="plain Python, also where numba is installed")
        parser.add_argument("--json", type=Path, metavar="OUT", help="write the report here")

    def handle(self, *_: Any, **options: Any) -> None:
        """Replay, print, write."""
        try:
            report = replay_csv(options["csv"], options["model"], options)
        except (RatingInputError, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        for line in table(report):
            self.stdout.write(line)
        if options["json"] is not None:
            options["json"].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def share(text: str) -> float:
    """A share of the matches, at least 0 and below 1."""
    value = float(text)
    if not 0.0 <= value < 1.0:
        raise ArgumentTypeError(f"must be at least 0 and below 1, got {text}")
    return value


def replay_csv(path: Path, models: list[str], options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The report over a file; see the command's arguments for the options."""
    specs = [ModelSpec.parse(text) for text in models]
    history = CsvHistory(path)
    tied = history.tied()
    count = len(tied)
    ignored = int(count * options["ignore_first"])
    how = Settings(
        ignored=ignored,
        ageing=options["ageing"],
        accelerate=False if options["plain"] else None,
        cache_folder=settings.VAR_DIR / "numba",
        clock=time.perf_counter,
    )
    measured = [spec.with_measured_draws(tied[:ignored]) for spec in specs]
    return compare(measured, history.chunks(), lambda: list(history.names.index), how)


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
