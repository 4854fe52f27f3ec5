"""What waits come to: the middle half of them, those that never ended included."""

import math
from collections.abc import Sequence

__all__ = ["middle_half"]


def middle_half(waits: Sequence[float | None]) -> tuple[float, float | None] | None:
    """First and third quartile (nearest rank) in seconds; None among the waits stands for "found nobody".

    The upper end is None when more than a quarter found nobody, the whole answer when more than three quarters did.
    """
    if not waits:
        return None
    ordered = sorted(math.inf if wait is None else wait for wait in waits)
    low, high = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.25, 0.75))
    if math.isinf(low):
        return None
    return low, None if math.isinf(high) else high
