"""Waiting for the first page: asked at the socket itself, past any proxy that the environment names."""

from __future__ import annotations

import socket
import time
import urllib.request

from ladder.project.embedded.output import Output

LONG_SECONDS = 15.0
PAUSE = 0.02


class FirstPage:
    """Asks for /healthz until it is there; says once, with the reason, when that takes long."""

    def __init__(self, listener: socket.socket, output: Output) -> None:
        host, port = listener.getsockname()[:2]
        local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
        self.request = urllib.request.Request(f"http://{local}:{port}/healthz", headers={"Host": f"localhost:{port}"})
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.output = output
        self.complain_at: float | None = time.monotonic() + LONG_SECONDS

    def answers(self) -> bool:
        """Whether it answers now."""
        try:
            with self.opener.open(self.request, timeout=0.5):
                return True
        except OSError as error:
            if self.complain_at is not None and time.monotonic() > self.complain_at:
                self.complain_at = None
                self.output.say(f"the first page does not answer yet ({error}); the lines above may say why")
            time.sleep(PAUSE)
            return False
