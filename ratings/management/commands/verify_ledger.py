"""Prove the ledger: manage.py verify_ledger."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ratings.models import PlayerRating, RatingEvent
from ratings.services.verify import verify_ledger


class Command(BaseCommand):
    """Recompute every hash, chain, sum and row of the ledger; exit status 1 with the first rows that do not hold."""

    help = "Recompute the ledger's hashes and arithmetic and name the first row that does not hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--limit", type=int, default=20, help="how many broken ratings to name (20)")

    def handle(self, *_args: Any, **options: Any) -> None:
        problems = verify_ledger(limit=options["limit"])
        for problem in problems:
            self.stdout.write(self.style.ERROR(str(problem)))
        if problems:
            sys.exit(1)
        ratings, events = PlayerRating.objects.count(), RatingEvent.objects.count()
        self.stdout.write(self.style.SUCCESS(f"The ledger holds: {events} events of {ratings} ratings."))
