"""Whether `collectstatic` has anything to do: a fingerprint of the sources, kept under var/."""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDERS = ("static", "ladder/static", "matchmaking/static", "ratings/static")
DECIDING = ("requirements.txt", "ladder/project/settings.py")  # the packages' own files, and how they are stored


def fingerprint(root: Path) -> str:
    """Changes with any name, size or time of a static source file, with the packages and with the settings."""
    digest = hashlib.sha256()
    files = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()]
    for path in sorted([*files, *(root / name for name in DECIDING)]):
        found = path.stat()
        digest.update(f"{path.relative_to(root)}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def is_collected(root: Path, var: Path) -> bool:
    """Whether var/static was made from exactly these sources."""
    try:
        return (var / "static.fingerprint").read_text() == fingerprint(root) and (var / "static").is_dir()
    except OSError:
        return False


def note_collected(root: Path, var: Path) -> None:
    """Remember what var/static was made from."""
    (var / "static.fingerprint").write_text(fingerprint(root))
