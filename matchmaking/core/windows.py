"""How far a ticket looks after it has waited so long. By elapsed time, never by attempts; it never shrinks."""

from matchmaking.core.policy import Policy, Window
from matchmaking.core.quality import quality_of_gap

__all__ = ["needed_quality", "search_ends_at", "width"]


def width(window: Window, waited: float) -> float:
    """Rating points either side that a ticket accepts after `waited` seconds."""
    widest = min(window.base + window.growth * max(0.0, waited), window.cap)
    for step in window.steps:
        if step.after > waited:
            break
        widest = max(widest, step.width)
    return widest


def needed_quality(window: Window, waited: float) -> float:
    """The least quality that a ticket accepts after `waited` seconds: that of an opponent at its window's edge."""
    return quality_of_gap(width(window, waited))


def search_ends_at(policy: Policy, joined_at: float, search_until: float = 0.0) -> float | None:
    """When the ticket expires, in seconds since the epoch; None for a policy without a lifetime."""
    return None if policy.lifetime is None else max(joined_at + policy.lifetime, search_until)
