"""Files that only their owner may read: the database password, the state, the secret key of a checkout."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.layout import var_dir


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all; replaces an older one."""
    half = path.with_name(f"{path.name}.{os.getpid()}.half")
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    half.rename(path)


def secret_key(root: Path | str) -> str:
    """Django's secret key of this checkout, made once under `var/` (mode 0600)."""
    path = var_dir(Path(root)) / "secret-key"
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise EmbeddedError(
            f"{path} cannot be read ({error.strerror}); run as its owner, or set SECRET_KEY."
        ) from error
    return _made_once(path)


def _made_once(path: Path) -> str:
    """Of several processes that make it at the same moment, the first one's counts for all."""
    own = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(own, secrets.token_urlsafe(50))
    except OSError as error:
        raise EmbeddedError(
            f"{path} cannot be made ({error.strerror}); set SECRET_KEY, or VAR_DIR to another folder."
        ) from error
    try:
        os.link(own, path)
    except FileExistsError:
        pass
    finally:
        own.unlink()
    return path.read_text().strip()
