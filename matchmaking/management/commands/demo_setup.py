"""manage.py demo_setup: the demo club, ready to look around."""

import time
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from matchmaking.demo.report import ensure_report
from matchmaking.demo.setup import ensure_demo


class Command(BaseCommand):
    """Builds the demo club once and tells how to get in."""

    help = "Build the demo club (a real history in three seasons, bots, three accounts). A second run changes nothing."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Build it and print the accounts."""
        started = time.monotonic()
        demo = ensure_demo(now=timezone.now())
        ensure_report(demo.queue, clock=timezone.now)
        if demo.made:
            self.stdout.write(f"Demo club built in {time.monotonic() - started:.1f} s: /c/{demo.club.slug}/")
        else:
            self.stdout.write(f"Demo club is there: /c/{demo.club.slug}/")
        for account in demo.accounts:
            self.stdout.write(f"  {account.role:10} {account.handle:16} password {account.password}")
