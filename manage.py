#!/usr/bin/env python3
"""Django's command line for this project; attaches to, or starts, the embedded servers when no URLs are given."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.project.settings")
    from ladder.project.embedded.command import servers_for_command

    with servers_for_command(Path(__file__).resolve().parent, sys.argv):
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
