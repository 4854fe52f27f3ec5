"""docs/operators/settings.md names exactly the variables that the code reads."""

from __future__ import annotations

import re

from tests.harness.workspace import ROOT

READ = re.compile(
    r"""(?:env\.(?:text|flag|whole|words|url)|environ\.get|getenv)\(\s*"([A-Z_]+)"|"([A-Z_]+)" in os\.environ"""
)
ELSEWHERE = {"DJANGO_SETTINGS_MODULE"}  # Django's own
OF_THE_SHELL_SCRIPTS = {"PYTHON"}
OF_THE_TESTS = {"CHROMIUM"}


def test_every_setting_is_listed_and_every_listed_one_exists() -> None:
    sources = [path.read_text() for path in (ROOT / "ladder" / "project").rglob("*.py")]
    read = {first or second for text in sources for first, second in READ.findall(text)} - ELSEWHERE

    table = (ROOT / "docs" / "operators" / "settings.md").read_text()
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}

    assert listed == read | OF_THE_SHELL_SCRIPTS | OF_THE_TESTS
