"""Crashes between two steps, as the servers would see them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from tests.harness.store import store, wipe_store
from tests.harness.workspace import ROOT


@contextmanager
def store_unheard() -> Iterator[None]:
    """What the store is told inside is lost, as when a worker dies right after its commit in PostgreSQL."""
    client = store()
    kept = {key: client.dump(key) for key in client.scan_iter(f"{settings.STORE_PREFIX}:*", count=1000)}
    yield
    wipe_store()
    for key, value in kept.items():
        client.restore(key, 0, value, replace=True)


def empty_the_store() -> None:
    """FLUSHALL as far as this test is concerned."""
    wipe_store()


def run_and_die(script: str) -> int:
    """Run the script in a process of its own on the same servers; it ends by its own SIGKILL. Returns its exit code."""
    prelude = "import django, os, signal; django.setup()\ndie = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
    command = [sys.executable, "-c", prelude + script]
    return subprocess.run(command, cwd=ROOT, env=os.environ.copy(), check=False, timeout=60).returncode
