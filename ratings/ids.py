"""Primary keys for every package: UUIDv7, made here because PostgreSQL 15 and Python 3.11 cannot."""

import os
import time
import uuid

from ratings.core.ids import uuid7


def new_id() -> uuid.UUID:
    """A fresh time-ordered key."""
    return uuid7(time.time_ns() // 1_000_000, os.urandom(10))
