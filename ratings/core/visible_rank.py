"""The visible rank: one whole number per player, and how a result moves it towards the hidden rating.

A position is division index x 100 + points. The rating maps to a target on the same scale; the gap between the two
is seen only in half divisions, so that no number of points given or taken says more than that about the rating.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    "title_of",
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
    REDUCED = "reduced"
    HELD_BY_RESET = "held_by_reset"


@dataclass(frozen=True, slots=True)
class RankState:
    """What the next step depends on. `position` is None during placement, of which `placement_left` matches remain.

    start: during the placement that follows a reset, the position that the reset left.
    """

    position: int | None = None
    placement_left: int = 0
    shield: int = 0
    losses_at_zero: int = 0
    start: int | None = None

    @property
    def last_known(self) -> int | None:
        """The position, or during placement the one that a reset left, if any."""
        return self.start if self.position is None else self.position


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


def place(rules: RankRules, club_rating: float, start: int | None = None) -> int:
    """The first position after placement: a stated way below the target, at a whole half division, under the cap.

    start: where a reset left the rank, of which the first position stays within a stated number of divisions.
    """
    below = max(target_position(rules, club_rating) - rules.placement_below, 0)
    free = min(below // HALF * HALF, rules.placement_cap)
    if start is None:
        return free
    reach = rules.reset_leave * DIVISION
    return min(max(free, start - reach), start + reach)


def new_state(rules: RankRules, *, returning: bool = False, start: int | None = None) -> RankState:
    """A season's start: everything still to place; who brings a rating along needs fewer matches.

    start: what a reset made of the rank of the season before, if there was one.
    """
    left = rules.placement_returning if returning else rules.placement_matches
    return RankState(placement_left=left, start=start)


def title_of(rules: RankRules, position: int, place: int) -> str:
    """The title of who stands in the top tier at this place of the leaderboard; empty without one."""
    if _index(rules, position) < len(rules.places) - 1:
        return ""
    return next((title.name for title in rules.titles if place <= title.best), "")


def apply_result(
    rules: RankRules,
    state: RankState,
    result: Result,
    *,
    club_rating: float,
    deviation: float | None,
    played: int,
    percent: int = 100,
) -> RankStep:
    """The step for one rated match.

    club_rating and deviation: the hidden rating after the match, club scale. played: matches of the season, this
    one included. percent: how much of its points the match pays and costs; a rank that exists is never left
    untouched by rounding. A win never costs, a loss never pays; the step is bounded by `rules.high` whatever the
    rating did.
    """
    target = target_position(rules, club_rating)
    if state.position is None:
        return _placement_step(rules, state, target, club_rating, deviation, played)
    steps = half_divisions(target - state.position)
    points = _reduced(_points(rules, result, steps), percent)
    calm = RankState(state.position, 0, max(state.shield - 1, 0), state.losses_at_zero)
    if result is Result.LOSS:
        step = _lose(rules, calm, state.position, points, target, steps, shielded=state.shield > 0)
    elif points >= 0:
        step = _climb(rules, calm, state.position, points, target, steps)
    else:
        step = _slide(rules, calm, state.position, -points, target, steps)
    return step if percent == 100 else replace(step, notes=(Note.REDUCED, *step.notes))


def _points(rules: RankRules, result: Result, steps: int) -> int:
    """What a win pays, a draw moves (down below zero) or a loss costs at a gap of so many half divisions."""
    if result is Result.DRAW:
        return min(max(rules.draw_pay * steps, -rules.draw_high), rules.draw_high)
    lean = rules.gap_pay * steps
    return min(max(rules.base + (lean if result is Result.WIN else -lean), rules.low), rules.high)


def _reduced(points: int, percent: int) -> int:
    """That many per cent of the points, rounded to the nearest but not to nothing."""
    if percent == 100 or points == 0:
        return points
    size = max((abs(points) * percent + 50) // 100, 1 if percent else 0)
    return size if points > 0 else -size


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
        return RankStep(RankState(placement_left=left, start=state.start), None, target, 0, (Note.PLACEMENT,))
    position = place(rules, club_rating, state.start)
    held = (Note.HELD_BY_RESET,) if position != place(rules, club_rating) else ()
    return RankStep(RankState(position=position), None, target, 0, (Note.PLACEMENT, Note.PLACED, *held))


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


def _lose(
    rules: RankRules, state: RankState, position: int, cost: int, target: int, steps: int, *, shielded: bool
) -> RankStep:
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
