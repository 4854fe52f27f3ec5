"""Whether everything that a game needs is there."""

from dataclasses import dataclass
from datetime import datetime

import redis
from django.db import DatabaseError, connection

from matchmaking.store.heartbeat import last_tick

LATE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Health:
    """Each part's state: "ok", or what is wrong with it. tick_age: seconds since the worker last ticked."""

    database: str
    store: str
    worker: str
    tick_age: float | None

    @property
    def is_ready(self) -> bool:
        """Whether people can be served and matched."""
        return (self.database, self.store, self.worker) == ("ok", "ok", "ok")


def health(*, now: datetime) -> Health:
    """Ask every part; never raises."""
    database = "ok"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        database = "does not answer"
    try:
        ticked = last_tick()
    except redis.RedisError:
        return Health(database, "does not answer", "unknown while the store does not answer", None)
    if ticked is None:
        return Health(database, "ok", "no tick in the last hour: is a worker running, and beat?", None)
    age = max(0.0, (now - ticked).total_seconds())
    worker = "ok" if age <= LATE_SECONDS else f"last tick {age:.0f} s ago: is a worker running, and beat?"
    return Health(database, "ok", worker, round(age, 3))
