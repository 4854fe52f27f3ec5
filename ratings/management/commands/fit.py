"""`manage.py fit --csv FILE --model NAME[@PERIOD][:JSON] ...`: parameters from the first part of a history."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ratings.core.fit import Parameters, Split, axes_for, fit_report, measured_loss
from ratings.core.history import Chunk, CsvHistory
from ratings.core.problems import RatingInputError
from ratings.core.report import ModelSpec
from ratings.management.commands.replay import MODEL, share

_CHUNK = 2_000  # a search stops reading at its last match, so small pieces waste little


class Command(BaseCommand):
    """Prints the fitted parameters and the log loss on the searched part, the held-out rest, and both."""

    help = "Search the parameters of rating models on the first part of recorded matches; measure them on the rest."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the models, and what to search."""
        parser.add_argument("--csv", type=Path, required=True, metavar="FILE", help="recorded matches")
        parser.add_argument("--model", action="append", required=True, metavar=MODEL, help="where to start")
        parser.add_argument("--train", type=share, default=0.6, metavar="SHARE", help="searched on, the rest held out")
        parser.add_argument("--ignore-first", type=share, default=0.1, metavar="SHARE", help="rated, not measured")
        parser.add_argument("--only", default="", metavar="A,B", help="search these parameters only")
        parser.add_argument("--rounds", type=int, default=40, help="at most so many rounds a search")
        parser.add_argument("--ageing", action="store_true", help="widen deviations between matches by their dates")
        parser.add_argument("--json", type=Path, metavar="OUT", help="write the reports here")

    def handle(self, *_: Any, **options: Any) -> None:
        """Fit one model after the other."""
        try:
            reports = fit_csv(options["csv"], options["model"], options)
        except (RatingInputError, OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        for report in reports:
            self.stdout.write(f"{report['model']} {json.dumps(report['parameters'])}")
            for part in ("train", "held_out", "all"):
                losses = report[part]
                self.stdout.write(
                    f"  {part:<9}{losses['matches']:>9} matches  {losses['start']:.4f} -> {losses['fitted']:.4f}"
                )
        if options["json"] is not None:
            options["json"].write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")


def fit_csv(path: Path, models: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    """A report per model; see the command's arguments for the options."""
    specs = [ModelSpec.parse(text) for text in models]
    history = CsvHistory(path)
    tied = history.tied()
    count = len(tied)
    split = Split(int(count * options["ignore_first"]), int(count * options["train"]), count)
    if not split.ignored < split.train < split.total:
        raise RatingInputError("train", "leaves nothing to search on or nothing to hold out")
    chunks = list(history.chunks(_CHUNK))
    only = [name.strip() for name in options["only"].split(",") if name.strip()]
    reports = []
    for spec in specs:
        started = spec.with_measured_draws(tied[: split.ignored])
        losses = Losses(spec, chunks, ageing=options["ageing"])
        axes = axes_for(spec.name, only)
        report = fit_report(spec.name, started.parameters, axes, losses, split, rounds=options["rounds"])
        reports.append({**report, "period": spec.period})
    return reports


class Losses:
    """Log loss of candidates over a span of the history, one after the other."""

    def __init__(self, spec: ModelSpec, chunks: Sequence[Chunk], *, ageing: bool) -> None:
        self.spec = spec
        self.chunks = chunks
        self.ageing = ageing

    def __call__(self, candidates: Sequence[Parameters], span: tuple[int, int]) -> list[float]:
        folder = settings.VAR_DIR / "numba"
        return [
            measured_loss(
                self.spec.name,
                candidate,
                self.chunks,
                span,
                ageing=self.ageing,
                cache_folder=folder,
                period=self.spec.period,
            )
            for candidate in candidates
        ]
