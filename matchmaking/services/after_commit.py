"""What the store is told once PostgreSQL has committed. Whatever goes wrong there, the committed request stands."""

from collections.abc import Callable
from typing import ParamSpec

from django.db import transaction

P = ParamSpec("P")


def after_commit(act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Do this once the present transaction is committed; an error is logged, and recovery mends the store.

    A plain function, not a partial: to log an error Django asks the callback for its __qualname__.
    """

    def carry_out() -> None:
        act(*args, **kwargs)

    transaction.on_commit(carry_out, robust=True)
