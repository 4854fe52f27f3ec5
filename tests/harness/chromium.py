"""Chromium for the browser tests: found, or installed where that is ours to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The program: what CHROMIUM names, else the first known one on the path."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def ensure() -> str | None:
    """None when there is a browser now; else why not and what to do."""
    if find():
        return None
    if os.environ.get("CHROMIUM"):
        return f"CHROMIUM names {os.environ['CHROMIUM']}, which is no program"
    apt = shutil.which("apt-get")
    if apt is None:
        return "Chromium is not installed and there is no apt-get here; install it, or set CHROMIUM to its path"
    if os.geteuid() != 0:
        return "Chromium is not installed and only root may install it; run: sudo apt-get install chromium"
    sys.stdout.write("test: installing Chromium (apt-get)\n")
    sys.stdout.flush()
    for command in ([apt, "update", "-qq"], [apt, "install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            return f"Chromium could not be installed ({' '.join(command[1:])}: {' '.join(last)})"
    return None if find() else "apt-get installed the package chromium, yet there is no such program"
