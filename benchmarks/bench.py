"""What every benchmark shares: its own servers and database, the machine's name, and how figures are shown."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

INSTANCE = "bench"
SLOT = 900


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


@contextmanager
def own_database() -> Iterator[None]:
    """An empty migrated database on servers of its own, Django set up on it; dropped afterwards."""
    from ladder.project import embedded
    from tests.harness import databases

    servers = embedded.ensure_servers(ROOT, INSTANCE)
    template = databases.ensure_template(servers.database_url, ROOT)
    databases.copy_template(servers.database_url, template, INSTANCE)
    os.environ.update(
        DATABASE_URL=databases.with_name(servers.database_url, INSTANCE),
        REDIS_URL=servers.redis_url,
        STORE_PREFIX=INSTANCE,
        TESTING="1",
        LOG_LEVEL="WARNING",
        LADDER_PROCESS="worker",
        DJANGO_SETTINGS_MODULE="ladder.project.settings",
        DJANGO_ALLOW_ASYNC_UNSAFE="1",
    )
    import django

    django.setup()
    try:
        yield
    finally:
        from django.db import connections

        connections.close_all()
        databases.drop(servers.database_url, INSTANCE)
        servers.close(wait=False)


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser with the one option that all benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else")
    return parser


def show(figures: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures, with the machine they were measured on."""
    whole = {"machine": machine(), "figures": dict(figures)}
    if as_json:
        sys.stdout.write(json.dumps(whole, indent=2) + "\n")
        return
    sys.stdout.write(", ".join(f"{name} {value}" for name, value in whole["machine"].items()) + "\n")
    for name, value in figures.items():
        sys.stdout.write(f"  {name:<50} {value}\n")


def progress(line: str, *, as_json: bool) -> None:
    """Say what is being measured, away from the figures."""
    if not as_json:
        sys.stderr.write(f"… {line}\n")
