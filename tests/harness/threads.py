"""Real races: several callables set off at the same moment, each on a database connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections


def run_together(*callables: Callable[[], Any], timeout: float = 30.0) -> list[Any]:
    """Run all at once; returns each one's result, or the exception it raised, in the order given.

    Needs a test with `transaction=True`: other connections see only what is committed.
    """
    barrier = threading.Barrier(len(callables))
    outcomes: list[Any] = [TimeoutError(f"not done after {timeout:.0f} s")] * len(callables)

    def one(index: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait(timeout)
            outcomes[index] = call()
        except Exception as error:  # noqa: BLE001 - the caller judges every outcome
            outcomes[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one, args=pair, daemon=True) for pair in enumerate(callables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout)
    return outcomes
