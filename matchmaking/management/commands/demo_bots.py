"""manage.py demo_bots: the demo's bots, until stopped."""

import random
import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matchmaking.demo.runner import Runner
from ratings.errors import NotFound


class Command(BaseCommand):
    """Runs the bots in the foreground."""

    help = "Let the demo club's bots queue, accept, play, report and confirm, until SIGTERM or SIGINT."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Run until a signal asks to stop."""
        stop = threading.Event()
        before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
        self.stdout.write("The demo's bots are playing.")
        try:
            Runner(rng=random.Random()).run(stop)
        except NotFound as refusal:
            raise CommandError(refusal.message) from refusal
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.stdout.write("The demo's bots have left.")
