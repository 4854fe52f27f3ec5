"""The visible rank: one whole number per player, and how a result moves it towards the hidden rating.

A position is division index x 100 + points. The rating maps to a target on the same scale; the gap between the two
is seen only in half divisions, so that no number of points given or taken says more than that about the rating.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ratings.core.rank_rules import DEFAULT_RULES, DIVISION, RankRules, Tier

__all__ = [
    "DEFAULT_RULES",
    "DIVISION",
    "Note",
    "RankLabel",
    "RankRules",
    "RankState",
    "RankStep",
    "Result",
    "Tier",
    "apply_result",
    "label",
    "new_state",
    "place",
    "target_position",
]

HALF = DIVISION // 2


class Result(StrEnum):
    """A match as one player saw it."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Note(StrEnum):
    """Named effects of a step, for the explanation."""

    PLACEMENT = "placement"
    PLACED = "placed"
    PROMOTED = "promoted"
    DEMOTED = "demoted"
    STOPPED_AT_ZERO = "stopped_at_zero"
    SHIELDED = "shielded"
    GUARDED = "guarded"
    UNPROTECTED = "unprotected"
    AT_THE_BOTTOM = "at_the_bottom"


@dataclass(frozen=True, slots=True)
class RankState:
    """What the next step depends on. `position` is None during placement, of which `placement_left` matches remain."""

    position: int | None = None
    placement_left: int = 0
    shield: int = 0
    losses_at_zero: int = 0


@dataclass(frozen=True, slots=True)
class RankStep:
    """A step: the state after it, the points it gave or took (None without a rank before), and why.

    steps: the gap between target and rank in half divisions, positive when the rank is below its target.
    """

    state: RankState
    delta: int | None
    target: int
    steps: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class RankLabel:
    """A position in words. tier counts from 0 at the bottom; division is 0 in an undivided tier.

    to_next: points missing to the next division, None in the top tier, which has no end.
    """

    position: int
    tier: int
    tier_name: str
    division: int
    points: int
    next_name: str

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Tier and division."""
        return _named(self.tier_name, self.division)

    @property
    def to_next(self) -> int | None:
        """Points missing to the next division, None in the top tier."""
        return DIVISION - self.points if self.next_name else None

    def as_dict(self) -> Mapping[str, object]:
        """What an explanation stores: the words as they were then."""
        return {"position": self.position, "name": self.name, "points": self.points, "tier": self.tier}


def _named(tier_name: str, division: int) -> str:
    return f"{tier_name} {division}" if division else tier_name


def label(rules: RankRules, position: int) -> RankLabel:
    """Tier, division and points of a position (a whole number from 0 on)."""
    index = _index(rules, position)
    tier, division = rules.places[index]
    following = rules.places[index + 1] if index + 1 < len(rules.places) else None
    next_name = _named(rules.tiers[following[0]].name, following[1]) if following else ""
    return RankLabel(position, tier, rules.tiers[tier].name, division, position - index * DIVISION, next_name)


def target_position(rules: RankRules, club_rating: float) -> int:
    """Where the rating (club scale) belongs. Not negative; the two endless divisions go on as steep as their neighbour.

    Raises ValueError for a rating that is not finite.
    """
    if not math.isfinite(club_rating):
        raise ValueError(f"a rating must be finite, got {club_rating!r}")
    begins = rules.begins
    index = sum(1 for begin in begins[1:] if begin is not None and begin <= club_rating)
    if 0 < index < len(begins) - 1:
        low, high = _begin(begins[index]), _begin(begins[index + 1])
        return index * DIVISION + min(int((club_rating - low) * DIVISION / (high - low)), DIVISION - 1)
    if index == 0:
        width = _begin(begins[2]) - _begin(begins[1]) if len(begins) > 2 else float(DIVISION)
        return max(DIVISION - 1 - int((_begin(begins[1]) - club_rating) * DIVISION / width), 0)
    width = _begin(begins[-1]) - _begin(begins[-2]) if len(begins) > 2 else float(DIVISION)
    return index * DIVISION + int((club_rating - _begin(begins[-1])) * DIVISION / width)


def place(rules: RankRules, club_rating: float) -> int:
    """The first position after placement: a stated way below the target, at a whole half division, under the cap."""
    below = max(target_position(rules, club_rating) - rules.placement_below, 0)
    return min(below // HALF * HALF, rules.placement_cap)


def new_state(rules: RankRules, *, returning: bool = False) -> RankState:
    """A season's start: everything still to place; who brings a rating along needs fewer matches."""
    return RankState(placement_left=rules.placement_returning if returning else rules.placement_matches)


def apply_result(
    rules: RankRules, state: RankState, result: Result, *, club_rating: float, deviation: float | None, played: int
) -> RankStep:
    """The step for one rated match.

    club_rating and deviation: the hidden rating after the match, club scale. played: matches of the season, this
    one included. A win never costs, a loss never pays; the step is bounded by `rules.high` whatever the rating did.
    """
    target = target_position(rules, club_rating)
    if state.position is None:
        return _placement_step(rules, state, target, club_rating, deviation, played)
    steps = half_divisions(target - state.position)
    calm = RankState(state.position, 0, max(state.shield - 1, 0), state.losses_at_zero)
    if result is Result.LOSS:
        return _lose(rules, calm, state.position, target, steps, shielded=state.shield > 0)
    if result is Result.WIN:
        gain = min(max(rules.base + rules.gap_pay * steps, rules.low), rules.high)
    else:
        gain = min(max(rules.draw_pay * steps, -rules.draw_high), rules.draw_high)
    if gain >= 0:
        return _climb(rules, calm, state.position, gain, target, steps)
    return _slide(rules, calm, state.position, -gain, target, steps)


def half_divisions(gap: int) -> int:
    """A gap in points as whole half divisions, rounded to the nearest, halves away from zero."""
    size = (abs(gap) + HALF // 2) // HALF
    return size if gap >= 0 else -size


def _placement_step(
    rules: RankRules, state: RankState, target: int, club_rating: float, deviation: float | None, played: int
) -> RankStep:
    left = max(state.placement_left - 1, 0)
    sure = deviation is None or deviation <= rules.placement_deviation
    if left > 0 or not (sure or played >= rules.placement_most):
        return RankStep(RankState(placement_left=left), None, target, 0, (Note.PLACEMENT,))
    placed = RankState(position=place(rules, club_rating))
    return RankStep(placed, None, target, 0, (Note.PLACEMENT, Note.PLACED))


def _climb(rules: RankRules, state: RankState, position: int, gain: int, target: int, steps: int) -> RankStep:
    promoted = _index(rules, position + gain) > _index(rules, position)
    shield = rules.shield if promoted else state.shield
    after = RankState(position + gain, 0, shield, state.losses_at_zero if gain == 0 else 0)
    return RankStep(after, gain, target, steps, (Note.PROMOTED,) if promoted else ())


def _slide(rules: RankRules, state: RankState, position: int, cost: int, target: int, steps: int) -> RankStep:
    """A draw above the target: down, but never out of the division."""
    floor = _index(rules, position) * DIVISION
    down = min(cost, position - floor)
    notes = (Note.STOPPED_AT_ZERO,) if down < cost else ()
    after = RankState(position - down, 0, state.shield, state.losses_at_zero)
    return RankStep(after, -down, target, steps, notes)


def _lose(rules: RankRules, state: RankState, position: int, target: int, steps: int, *, shielded: bool) -> RankStep:
    cost = min(max(rules.base - rules.gap_pay * steps, rules.low), rules.high)
    index = _index(rules, position)
    floor = index * DIVISION

    def stay(at: int, *notes: Note, losses_at_zero: int = 0) -> RankStep:
        after = RankState(at, 0, state.shield, losses_at_zero)
        return RankStep(after, at - position, target, steps, notes)

    if index == 0:
        at = max(position - cost, 0)
        return stay(at, *([Note.AT_THE_BOTTOM] if at == 0 else []))
    if position - cost >= floor:
        return stay(position - cost)
    if position - target > rules.protected_within:
        return stay(position - cost, Note.UNPROTECTED, Note.DEMOTED)
    if position > floor:
        return stay(floor, Note.STOPPED_AT_ZERO)
    if shielded:
        return stay(floor, Note.SHIELDED)
    leaves_tier = rules.places[index][0] != rules.places[index - 1][0]
    if leaves_tier and state.losses_at_zero < rules.tier_guard:
        return stay(floor, Note.GUARDED, losses_at_zero=state.losses_at_zero + 1)
    return stay(position - cost, Note.DEMOTED)


def _index(rules: RankRules, position: int) -> int:
    return min(position // DIVISION, len(rules.places) - 1)


def _begin(value: float | None) -> float:
    assert value is not None, "only the very first division begins nowhere, and no caller asks for it"
    return value
