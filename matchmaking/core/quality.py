"""How good a pairing is: quality for people and records, cost for the search. Forbidden is None."""

from matchmaking.core.types import WaitingTicket

__all__ = ["avoids", "expected_score", "pair_cost", "quality_of_gap"]


def expected_score(gap: float) -> float:
    """Chance of the side that is `gap` points ahead, on the club scale: 1 / (1 + 10^(-gap/400))."""
    return 1.0 / (1.0 + 10.0 ** (-gap / 400.0)) if gap >= 0 else 1.0 - expected_score(-gap)


def quality_of_gap(gap: float) -> float:
    """1 - 2|p - 0.5|: 1 for an even game, 0.72 at a gap of 100 points, 0.18 at 400."""
    return 1.0 - 2.0 * abs(expected_score(abs(gap)) - 0.5)


def avoids(a: WaitingTicket, b: WaitingTicket, now: float) -> bool:
    """Whether either ticket holds a player of the other on its avoid list at `now`."""
    return _holds(a, b, now) or _holds(b, a, now)


def pair_cost(a: WaitingTicket, b: WaitingTicket, window_a: float, window_b: float, now: float) -> float | None:
    """Rating points between the two, or None where they must not meet: outside either's own window, or avoided."""
    gap = abs(a.rating - b.rating)
    if gap > window_a or gap > window_b or avoids(a, b, now):
        return None
    return gap


def _holds(a: WaitingTicket, b: WaitingTicket, now: float) -> bool:
    return bool(a.avoid) and any(a.avoid.get(seeker.player, 0.0) > now for seeker in b.members)
