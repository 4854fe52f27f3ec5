"""manage.py import_matches: bring a match history into a queue."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ladder.models import Player, Queue, Season
from ladder.selectors.operators import owner_of, queue_named, season_named
from ladder.services.imports import ImportReport, Source, import_matches, sentence
from ratings.errors import DomainError

SHOWN_BAD_LINES = 50


class Command(BaseCommand):
    """Reads CSV files, says what is wrong with them line by line, and imports and rates them."""

    help = (
        "Import match histories (CSV with date, team_a, team_b, result and, if known, score_a, score_b, margin, event, "
        "round, id) into a queue and rate them in order. Nothing is imported when a line is bad, unless --skip-bad is "
        "given. Running it again imports only what is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The arguments."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
        parser.add_argument(
            "--queue", required=True, help="The queue's address: club/queue, or queue if it is the only one."
        )
        parser.add_argument("--season", help="Put every row into this season, whatever its date.")
        parser.add_argument("--dry-run", action="store_true", help="Check and count, write nothing.")
        parser.add_argument("--skip-bad", action="store_true", help="Import the good lines although others are bad.")
        parser.add_argument(
            "--allow-repeats", action="store_true", help="Lines equal in everything are several matches."
        )
        parser.add_argument(
            "--as", dest="actor", metavar="HANDLE", help="Who imports; the club's first owner if not given."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the import and tell what came of it."""
        try:
            report = self._import(options)
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        self._tell_bad(report)
        self._tell_sum(report, dry_run=options["dry_run"])
        if report.bad and not options["skip_bad"]:
            raise CommandError("Nothing was imported. Correct the lines above, or give --skip-bad to leave them out.")

    def _import(self, options: dict[str, Any]) -> ImportReport:
        queue: Queue = queue_named(options["queue"])
        season: Season | None = season_named(queue, options["season"]) if options["season"] else None
        actor: Player = owner_of(queue.club, options["actor"])
        try:
            sources = [Source(path.name, path.read_bytes()) for path in options["files"]]
        except OSError as error:
            raise CommandError(f"Cannot read {error.filename}: {error.strerror}.") from error
        return import_matches(
            queue=queue,
            actor=actor,
            sources=sources,
            season=season,
            dry_run=options["dry_run"],
            skip_bad=options["skip_bad"],
            allow_repeats=options["allow_repeats"],
            progress=self._progress,
            now=timezone.now(),
        )

    def _progress(self, done: int, total: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\rrated {done:,} of {total:,} matches", ending="" if done < total else "\n")
            self.stdout.flush()
        elif done == total or done % 5000 == 0:
            self.stdout.write(f"rated {done:,} of {total:,} matches")

    def _tell_bad(self, report: ImportReport) -> None:
        for bad in report.bad[:SHOWN_BAD_LINES]:
            self.stderr.write(f"{bad.source}, line {bad.line}: {sentence(bad)}")
        if len(report.bad) > SHOWN_BAD_LINES:
            self.stderr.write(f"... and {len(report.bad) - SHOWN_BAD_LINES:,} more bad lines.")

    def _tell_sum(self, report: ImportReport, *, dry_run: bool) -> None:
        verb = "imported" if report.written else ("would be imported" if dry_run else "could be imported")
        self.stdout.write(
            f"{report.imported:,} matches {verb}, {report.known:,} known already, {len(report.bad):,} bad lines, "
            f"{len(report.new_players):,} new players."
        )
        for name, count in report.seasons.items():
            self.stdout.write(f"  season {name}: {count:,}")
        if report.outside:
            self.stdout.write(f"  {report.outside:,} of them are dated outside every season and go to the open one.")
        if report.draws:
            self.stdout.write(f"  {report.draws:,} of them are draws, which this queue's report form does not offer.")
        if report.out_of_order:
            self.stdout.write(
                f"  {report.out_of_order:,} rows are dated before the row above; the file's order was kept."
            )
