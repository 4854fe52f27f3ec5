"""`manage.py golden FILE...`: reference values against the rating core."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.core.golden import run_cases


class Command(BaseCommand):
    """Prints each failing case; the last line is `N passed, M failed`; exit status 1 when one failed."""

    help = "Check the rating core against files of reference values."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One file and more."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run every case of every file."""
        passed = failed = 0
        for file in options["files"]:
            for verdict in run_cases(_cases(file)):
                if verdict.passed:
                    passed += 1
                else:
                    failed += 1
                    self.stdout.write(f"FAILED {verdict.case}: {verdict.problem}")
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed:
            sys.exit(1)


def _cases(file: Path) -> list[dict[str, Any]]:
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{file}: {error}") from error
    cases = content.get("cases") if isinstance(content, dict) else content
    if not isinstance(cases, list):
        raise CommandError(f'{file}: no list of cases under "cases"')
    return cases
