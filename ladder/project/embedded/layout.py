"""Where everything of one embedded instance lies. Paths only: nothing here touches the disk but `var_dir`'s reading."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

SOCKETS = Path("/tmp")  # noqa: S108 - a socket path holds 107 bytes at most; the folder is ours alone (mode 0700)
OUTSIDE = Path("/var/lib/ladder-embedded")
POSTGRES_PORT = 5432
POSTGRES_USER = "app"
POSTGRES_DATABASE = "ladder"


def var_dir(root: Path) -> Path:
    """The folder for everything that is made while running: `VAR_DIR`, or `var/` in the checkout."""
    return Path(os.environ.get("VAR_DIR") or root / "var").absolute()


@dataclass(frozen=True)
class Layout:
    """One instance (`main` for people, `test` for test runs) of one checkout."""

    folder: Path
    instance: str

    @classmethod
    def of(cls, root: Path | str, instance: str = "main") -> Layout:
        """The layout for the checkout at `root`; the same for every process that asks."""
        return cls(folder=var_dir(Path(root)) / "embedded" / instance, instance=instance)

    @property
    def key(self) -> str:
        """Twelve hex digits that no other instance or checkout on this machine has."""
        return hashlib.sha256(os.fsencode(os.path.realpath(self.folder))).hexdigest()[:12]

    @property
    def sockets(self) -> Path:
        """The short folder of the unix sockets."""
        return SOCKETS / f"ladder-{self.key}"

    @property
    def valkey_socket(self) -> Path:
        """Valkey's socket."""
        return self.sockets / "valkey.sock"

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder, where it can stay inside the checkout."""
        return self.folder / "postgres"

    @property
    def outside(self) -> Path:
        """Where root keeps the data (and a copy of the binaries) when PostgreSQL cannot run inside the checkout."""
        return OUTSIDE / self.key

    @property
    def has_data(self) -> bool:
        """Whether there is a database already, inside or outside the checkout."""
        return self.data.exists() or (self.outside / "postgres").exists()

    @property
    def password_file(self) -> Path:
        """The password of the database user, made with the data folder."""
        return self.folder / "password"

    @property
    def users_lock(self) -> Path:
        """Held shared by every client; once the keeper gets it alone, nobody needs the servers."""
        return self.folder / "users.lock"

    @property
    def keeper_lock(self) -> Path:
        """Held by the keeper for its whole life."""
        return self.folder / "keeper.lock"

    @property
    def state_file(self) -> Path:
        """What the keeper has to say: its pid, whether the servers answer, what went wrong."""
        return self.folder / "state.json"

    @property
    def logs(self) -> Path:
        """Log files of the keeper and the two servers."""
        return self.folder / "log"
