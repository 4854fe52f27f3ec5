"""The keeper: one small process per instance that starts both servers, restarts a dead one, and ends with its users.

Started by client.py. It ends when it can take the users' lock alone, that is when no client is left, or on SIGTERM;
the servers end with it, by its own hand or, when it is killed, by the kernel (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

from ladder.project.embedded import postgres, valkey
from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.layout import Layout
from ladder.project.embedded.locks import open_lock, started_at, try_lock
from ladder.project.embedded.placement import Placement, place_postgres
from ladder.project.embedded.private import write_private

LOOK_EVERY = 0.2
MANY_DEATHS = 5
MANY_DEATHS_SECONDS = 30.0


class Keeper:
    """Holds the two servers of one instance."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.place: Placement | None = None
        self.servers: dict[str, subprocess.Popen[bytes]] = {}
        self.deaths: deque[float] = deque(maxlen=MANY_DEATHS)
        self.told_to_stop = False

    def run(self) -> int:
        """Start, keep, stop; the exit status of the process."""
        try:
            self.start()
            self.keep()
        except EmbeddedError as error:
            self.say(ready=False, error=str(error))
            return 1
        except OSError as error:
            self.say(ready=False, error=f"The embedded servers cannot start: {error}.")
            return 1
        finally:
            self.stop()
        self.layout.state_file.unlink(missing_ok=True)
        postgres.remove_sockets(self.layout.sockets)
        return 0

    def start(self) -> None:
        """Bring both up and say so."""
        self.say(ready=False)
        self.place = place_postgres(self.layout)
        postgres.prepare(self.layout, self.place)
        postgres.prepare_sockets(self.layout.sockets, self.place.identity)
        self.servers["PostgreSQL"] = postgres.start(self.layout, self.place)
        self.servers["Valkey"] = valkey.start(self.layout)
        self.say(ready=True)

    def keep(self) -> None:
        """Until nobody needs us: look after the servers."""
        users = open_lock(self.layout.users_lock)
        while not self.told_to_stop and not try_lock(users):
            for name, server in list(self.servers.items()):
                if server.poll() is not None:
                    self.restart(name, server.returncode)
            time.sleep(LOOK_EVERY)

    def restart(self, name: str, status: int) -> None:
        """Start a dead server again, unless it keeps dying."""
        print(f"{name} ended with status {status}; starting it again", flush=True)  # noqa: T201 - the keeper's log
        now = time.monotonic()
        self.deaths.append(now)
        if len(self.deaths) == MANY_DEATHS and now - self.deaths[0] < MANY_DEATHS_SECONDS:
            raise EmbeddedError(f"{name} died {MANY_DEATHS} times within {MANY_DEATHS_SECONDS:.0f} s; see its log.")
        if name == "Valkey":
            self.servers[name] = valkey.start(self.layout)
            return
        assert self.place is not None
        postgres.prepare(self.layout, self.place)
        self.servers[name] = postgres.start(self.layout, self.place)

    def stop(self) -> None:
        """Valkey first: PostgreSQL keeps the facts and goes last."""
        if "Valkey" in self.servers:
            valkey.stop(self.servers["Valkey"])
        if "PostgreSQL" in self.servers:
            postgres.stop(self.servers["PostgreSQL"])

    def say(self, *, ready: bool, error: str | None = None) -> None:
        """Write what clients wait for."""
        state = {
            "pid": os.getpid(),
            "started": started_at(os.getpid()),
            "ready": ready,
            "error": error,
            "note": self.place.note if self.place else None,
            "servers": {name: server.pid for name, server in self.servers.items()},
        }
        write_private(self.layout.state_file, json.dumps(state))


def main() -> None:
    """`python -m ladder.project.embedded.keeper FOLDER INSTANCE`."""
    layout = Layout(folder=Path(sys.argv[1]), instance=sys.argv[2])
    os.umask(0o077)
    lock = open_lock(layout.keeper_lock)
    patience = time.monotonic() + 1.0
    while not try_lock(lock):  # clients touch it for a moment when they look
        if time.monotonic() > patience:
            return  # another keeper was quicker
        time.sleep(0.02)
    keeper = Keeper(layout)

    def told(_sign: int, _frame: object) -> None:
        keeper.told_to_stop = True

    signal.signal(signal.SIGTERM, told)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.exit(keeper.run())


if __name__ == "__main__":
    main()
