"""uvicorn on a socket that the runner already holds: the port stays ours while a dead web process is replaced.

`python -m ladder.project.embedded.web FD`. The command line's own `--fd` takes the socket for a unix one and then
leaves Nagle's algorithm on, which costs 40 ms here and there.
"""

from __future__ import annotations

import socket
import sys

import uvicorn

APPLICATION = "ladder.project.asgi:application"


def main() -> None:
    """Serve until told to stop; open streams get one second."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    config = uvicorn.Config(
        APPLICATION, lifespan="off", log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
