"""The embedded PostgreSQL and Valkey: the real servers from wheels, for one checkout, with their data under `var/`.

Standard library only, no Django: the start-up scripts, `manage.py`, the settings and the tests all import this.

Nobody "owns" the servers. A keeper process (keeper.py) holds them for as long as at least one client holds the
shared lock that `ensure_servers` takes, so `bin/serve`, a `manage.py` command and a test run may come and go in any
order, and a client killed at once still counts as gone.
"""

from ladder.project.embedded.client import Servers, ensure_servers, running_servers
from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.private import secret_key
from ladder.project.embedded.urls import Urls, celery_broker_url, urls_for

__all__ = [
    "EmbeddedError",
    "Servers",
    "Urls",
    "celery_broker_url",
    "ensure_servers",
    "running_servers",
    "secret_key",
    "urls_for",
]
