"""Hot state of the matchmaker: pools, reservations, leases, and the clock that everybody goes by."""

import logging
from datetime import UTC, datetime

from django.conf import settings
from redis.exceptions import RedisError

from matchmaking.store.keys import Pool
from matchmaking.store.valkey import Store, store_at

__all__ = ["Pool", "Store", "clock", "get_store"]

logger = logging.getLogger(__name__)


def get_store() -> Store:
    """The store that the settings name."""
    return store_at(settings.REDIS_URL, settings.STORE_PREFIX)


def clock() -> datetime:
    """The store's time; while the store is away, this machine's, so that pages and joins go on."""
    try:
        return get_store().now()
    except RedisError as error:
        logger.warning("store's clock not reached, using our own: %s", error)
        return datetime.now(UTC)
