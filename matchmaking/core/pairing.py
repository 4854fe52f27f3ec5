"""One tick of a 1v1 queue: oldest first, each with the closest opponent whom both accept.

The definition is quadratic: for each ticket still free, oldest first, look at every other free ticket and take
the acceptable one with the least gap, the older among equals. Here the free tickets stand in shelves of equal rating,
each shelf oldest first, and the shelves form a doubly linked list by rating, so that a ticket looks outward from its
own shelf and stops at the first opponent that fits. Windows never shrink with waiting, so within a shelf nobody behind
a ticket whose window is too narrow can do better; and since accepting is mutual, a ticket that found nobody
cannot be found by a younger one and leaves the shelves.
"""

import itertools
import math
import random
from collections.abc import Sequence

from matchmaking.core.policy import Policy
from matchmaking.core.quality import avoids, quality_of_gap
from matchmaking.core.types import Expired, Proposal, TickPlan, WaitingTicket
from matchmaking.core.windows import search_ends_at, width

__all__ = ["plan_tick"]


class _Seat:
    """A free ticket with what the search asks of it again and again: its rating, and how far it looks now."""

    __slots__ = ("is_free", "rating", "reach", "ticket")

    def __init__(self, ticket: WaitingTicket, reach: float) -> None:
        self.ticket, self.rating, self.reach = ticket, ticket.rating, reach
        self.is_free = True


class _Shelf:
    """The free tickets of one rating, oldest first; `start` skips those that have left."""

    __slots__ = ("lower", "rating", "seats", "start", "upper")

    def __init__(self, rating: float) -> None:
        self.rating = rating
        self.seats: list[_Seat] = []
        self.start = 0
        self.lower: _Shelf | None = None
        self.upper: _Shelf | None = None


class _Index:
    """All free tickets by rating; built from seats in order of age."""

    def __init__(self, seats: Sequence[_Seat]) -> None:
        self.shelves: dict[float, _Shelf] = {}
        for seat in seats:
            shelf = self.shelves.get(seat.rating)
            if shelf is None:
                shelf = self.shelves[seat.rating] = _Shelf(seat.rating)
            shelf.seats.append(seat)
        ordered = [self.shelves[rating] for rating in sorted(self.shelves)]
        for lower, upper in itertools.pairwise(ordered):
            lower.upper, upper.lower = upper, lower

    def take(self, seat: _Seat) -> None:
        """The ticket is no longer free; an empty shelf leaves the list."""
        seat.is_free = False
        shelf = self.shelves[seat.rating]
        seats, start = shelf.seats, shelf.start
        while start < len(seats) and not seats[start].is_free:
            start += 1
        shelf.start = start
        if start == len(seats):
            if shelf.lower is not None:
                shelf.lower.upper = shelf.upper
            if shelf.upper is not None:
                shelf.upper.lower = shelf.lower


class _Search:
    """The look outward from one ticket, and what stood in its way."""

    def __init__(self, index: _Index, now: float) -> None:
        self.index, self.now = index, now
        self.looked_at = 0

    def opponent_of(self, seeker: _Seat) -> tuple[_Seat | None, str]:
        """The closest acceptable free ticket, or None and the reason."""
        home = self.index.shelves[seeker.rating]
        lower, upper = home.lower, home.upper
        reason = "alone" if lower is None and upper is None else "window"
        found, why = self._first_on(home, seeker, 0.0)
        reason = why or reason
        while found is None:
            below = seeker.rating - lower.rating if lower is not None else math.inf
            above = upper.rating - seeker.rating if upper is not None else math.inf
            gap = min(below, above)
            if gap > seeker.reach:
                break
            if lower is not None and below == gap:
                found, why = self._first_on(lower, seeker, gap)
                reason, lower = why or reason, lower.lower
            if upper is not None and above == gap:
                other, why = self._first_on(upper, seeker, gap)
                reason, upper = why or reason, upper.upper
                found = _older(found, other)
        return found, reason

    def _first_on(self, shelf: _Shelf, seeker: _Seat, gap: float) -> tuple[_Seat | None, str]:
        """The oldest on the shelf who accepts the gap and is not avoided; else what kept the seeker off."""
        reason = ""
        for position in range(shelf.start, len(shelf.seats)):
            seat = shelf.seats[position]
            if not seat.is_free or seat is seeker:
                continue
            self.looked_at += 1
            if seat.reach < gap:
                return None, reason or "their_window"
            if not avoids(seeker.ticket, seat.ticket, self.now):
                return seat, ""
            reason = "avoid"
        return None, reason


def plan_tick(tickets: Sequence[WaitingTicket], policy: Policy, now: float, rng: random.Random) -> TickPlan:
    """The plan of one tick. The order in which tickets are given changes nothing; `rng` draws who is the first side.

    A ticket at fault is set apart with its fault, one past its end expires; the rest are matched without them.
    """
    broken, expired, free = _sort_out(tickets, policy, now)
    window = policy.window
    seats = [_Seat(ticket, width(window, now - ticket.joined_at)) for ticket in free]
    search = _Search(_Index(seats), now)
    proposals: list[Proposal] = []
    waiting: dict[str, str] = {}
    for seat in seats:
        if not seat.is_free:
            continue
        opponent, reason = search.opponent_of(seat)
        search.index.take(seat)
        if opponent is None:
            waiting[seat.ticket.id] = reason
            continue
        search.index.take(opponent)
        proposals.append(_propose(seat, opponent, rng))
    return TickPlan(tuple(proposals), tuple(expired), broken, waiting, search.looked_at)


def _older(a: _Seat | None, b: _Seat | None) -> _Seat | None:
    if a is None or b is None:
        return a or b
    return a if a.ticket.age_order < b.ticket.age_order else b


def _propose(a: _Seat, b: _Seat, rng: random.Random) -> Proposal:
    first, second = (a, b) if rng.random() < 0.5 else (b, a)
    gap = abs(a.rating - b.rating)
    return Proposal(
        teams=((first.ticket.id,), (second.ticket.id,)),
        quality=quality_of_gap(gap),
        gap=gap,
        windows={a.ticket.id: a.reach, b.ticket.id: b.reach},
    )


def _sort_out(
    tickets: Sequence[WaitingTicket], policy: Policy, now: float
) -> tuple[dict[str, str], list[Expired], list[WaitingTicket]]:
    """Tickets at fault, tickets past their end, and the rest oldest first. A player's second ticket is a fault."""
    broken: dict[str, str] = {}
    sound: list[WaitingTicket] = []
    for ticket in tickets:
        fault = ticket.fault()
        if fault is None and len(ticket.members) != 1:
            fault = "too_many_members"
        if fault is None:
            sound.append(ticket)
        else:
            broken[ticket.id] = fault
    sound.sort(key=lambda ticket: ticket.age_order)
    expired: list[Expired] = []
    free: list[WaitingTicket] = []
    players: set[str] = set()
    for ticket in sound:
        player = ticket.members[0].player
        end = search_ends_at(policy, ticket.joined_at, ticket.search_until)
        if player in players:
            broken[ticket.id] = "player_waits_twice"
        elif end is not None and now >= end:
            expired.append(Expired(ticket.id, ticket.waited(now)))
        else:
            free.append(ticket)
        players.add(player)
    return broken, expired, free
