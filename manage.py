#!/usr/bin/env python3
"""Django's command line for this project; attaches to, or starts, the embedded servers when no URLs are given."""

import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def into_own_environment() -> None:
    """Go on in the checkout's .venv when another Python was asked; a virtual environment that is active is kept.

    Where there is none yet, say what makes it.
    """
    if sys.prefix != sys.base_prefix:
        return
    python = ROOT / ".venv" / "bin" / "python"
    if python.exists():
        os.execv(python, [str(python), *sys.argv])  # noqa: S606 - our own interpreter, our own arguments
    if importlib.util.find_spec("django") is None:
        sys.exit(f"manage.py: Django is not installed for {sys.executable}. Make the environment first: bin/setup")


def main() -> None:
    """Run the command that the arguments name."""
    into_own_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.project.settings")
    from ladder.project.embedded.command import servers_for_command

    with servers_for_command(ROOT, sys.argv):
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
