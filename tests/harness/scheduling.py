"""Which tests stay together in a parallel run.

Tests on the live application go to one worker, which starts its processes once. The controller knows tests by
their names only, so the place tells: `tests/browser/`, or a file whose name starts with test_live or test_browser.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

LIVE = re.compile(r"(^|/)(browser/|test_(live|browser)[^/]*\.py)")
BY_FILE = "tests/infra/"  # their module fixtures are dear: a whole checkout, an environment


class Scheduling(LoadScopeScheduling):
    """Each test goes where there is time; the live ones all to one worker, and first."""

    def _split_scope(self, nodeid: str) -> str:
        if is_live(nodeid):
            return "live"
        return nodeid.partition("::")[0] if nodeid.startswith(BY_FILE) else nodeid


def is_live(nodeid: str) -> bool:
    """Whether the name belongs to the group of the live application."""
    return LIVE.search(nodeid.partition("::")[0]) is not None


def make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """For the common ways to run in parallel; explicit others (loadfile, each ...) stay as they are."""
    return Scheduling(config, log) if config.getvalue("dist") in ("load", "loadgroup") else None


def check_item(item: pytest.Item) -> None:
    """Mark a browser test as one, and insist on the place of those that use the live application."""
    fixtures = getattr(item, "fixturenames", ())
    if "browser" in fixtures:
        item.add_marker(pytest.mark.browser)
    if "live_app" in fixtures and not is_live(item.nodeid):
        raise pytest.UsageError(
            f"{item.nodeid} uses the live application: move it into tests/browser/, or name its file test_live_*.py, "
            f"so that a parallel run starts the application once."
        )
