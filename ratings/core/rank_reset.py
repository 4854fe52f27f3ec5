"""What a new season makes of the rank of the last one: carried into the new table, and moved towards its middle."""

from itertools import pairwise
from typing import Any

from ratings.core.rank_rules import DIVISION, RankRules
from ratings.core.visible_rank import HALF, label, target_position


def carried_into(old: RankRules, new: RankRules, position: int) -> int:
    """The position in the new table that stands for what the position stood for in the old one.

    With the same boundaries it is the same; else it goes by the ratings at which both tables set it.
    """
    return position if old.begins == new.begins else target_position(new, rating_at(old, position))


def rating_at(rules: RankRules, position: int) -> float:
    """A rating (club scale) whose target is the position, give or take a point for rounding."""
    begins = [begin for begin in rules.begins if begin is not None]
    index = min(position // DIVISION, len(begins))
    widths = [high - low for low, high in pairwise(begins)] or [float(DIVISION)]
    if index == 0:
        return begins[0] - (DIVISION - 0.5 - position) * widths[0] / DIVISION
    width = widths[min(index, len(widths)) - 1]
    return begins[index - 1] + (position - index * DIVISION + 0.5) * width / DIVISION


def middle_of(rules: RankRules) -> int:
    """The position towards which a reset moves everybody."""
    return (len(rules.places) - 1) * DIVISION * rules.reset_middle // 100


def compressed(rules: RankRules, position: int) -> int:
    """The position after a reset: so much of its distance from the middle is kept, down to a whole half division."""
    middle = middle_of(rules)
    kept = abs(position - middle) * rules.reset_kept // 100
    moved = middle + kept if position >= middle else middle - kept
    return max(moved, 0) // HALF * HALF


def after_reset(old: RankRules, new: RankRules, position: int | None) -> int | None:
    """Where placement starts in a season with the new rules, for who stood there in one with the old rules.

    None for who had no rank then. It is made of ranks and settings alone: nothing in it tells of the rating.
    """
    return None if position is None else compressed(new, carried_into(old, new, position))


def reset_facts(old: RankRules, new: RankRules, position: int, start: int) -> dict[str, Any]:
    """What an explanation says of a reset: the rank before and where placement starts, in words, and by which rule."""
    return {
        "before": dict(label(old, position).as_dict()),
        "start": dict(label(new, start).as_dict()),
        "middle": label(new, middle_of(new)).name,
        "kept": new.reset_kept,
        "leave": new.reset_leave,
    }
