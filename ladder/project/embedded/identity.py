"""As whom a server process runs. PostgreSQL refuses root, and initdb wants an account for its uid.

As root the first choice is a user namespace: our own uid is seen inside as an ordinary one, PostgreSQL finds no
root, files stay ours, and nothing in a closed home needs opening. Where the kernel or the container forbids that,
the server runs as `nobody` on data outside the checkout (placement.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Identity:
    """Owner of the files, and the uid that the process sees itself as when it lives in a user namespace."""

    uid: int
    gid: int
    seen_as: int | None = None


def ourselves() -> Identity:
    """Run as whoever runs us."""
    return Identity(os.geteuid(), os.getegid())


def nobody() -> Identity:
    """The account without rights."""
    entry = pwd.getpwnam("nobody")
    return Identity(entry.pw_uid, entry.pw_gid)


def in_namespace() -> Identity | None:
    """Ourselves, seen inside as `nobody`; None where user namespaces are forbidden or switched off."""
    if os.environ.get("EMBEDDED_USER_NAMESPACE", "on") == "off":
        return None
    identity = Identity(os.geteuid(), os.getegid(), seen_as=pwd.getpwnam("nobody").pw_uid)
    try:
        trial = spawn(["/bin/sh", "-c", "exit 0"], identity, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return identity if trial.wait() == 0 else None


def has_account(uid: int) -> bool:
    """Whether the uid has an entry in the password database."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def spawn(
    command: Sequence[str],
    identity: Identity,
    *,
    stdout: int | IO[bytes],
    death_signal: signal.Signals = signal.SIGKILL,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, from `/`, with a clean environment, tied to our own life.

    Call it from the main thread: the kernel sends `death_signal` when the thread that forked ends.
    """
    other = identity.uid != os.geteuid()
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        cwd="/",
        env=clean_environment(),
        start_new_session=True,
        pass_fds=pass_fds,
        user=identity.uid if other else None,
        group=identity.gid if other else None,
        extra_groups=[] if other else None,
        preexec_fn=_before_exec(identity, death_signal, os.getpid()),  # noqa: PLW1509 - callers have one thread
    )


def clean_environment() -> dict[str, str]:
    """Our environment without what would steer PostgreSQL (PG*) or its messages and sorting (LANG, LC_*)."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG", "PYTHON", "LD_"))}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def die_with_parent(death_signal: signal.Signals, parent: int) -> None:
    """Ask the kernel for a signal when the parent ends. Must run after any change of uid, which clears the wish."""
    if _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it ended before we asked
        os.kill(os.getpid(), signal.SIGKILL)


def _before_exec(identity: Identity, death_signal: signal.Signals, parent: int) -> Callable[[], None]:
    def run() -> None:
        if identity.seen_as is not None:
            _enter_namespace(identity)
        die_with_parent(death_signal, parent)

    return run


def _enter_namespace(identity: Identity) -> None:
    if _libc.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWUSER) failed")
    with contextlib.suppress(FileNotFoundError):  # kernels before 3.19 have no such file
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{identity.seen_as} {identity.uid} 1\n")
    Path("/proc/self/gid_map").write_text(f"{identity.seen_as} {identity.gid} 1\n")
