"""One bad apple never stops the others: loops over tickets, checks and pools run each item inside this."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

logger = logging.getLogger(__name__)


@contextmanager
def carry_on(what: str) -> Iterator[None]:
    """Whatever goes wrong inside is logged with its traceback and ends here."""
    try:
        yield
    except Exception:
        # Any fault at all: a queue must not stand still for everybody because of one ticket.
        logger.exception("%s failed; the others go on", what)
