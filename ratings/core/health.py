"""Whether ratings still mean what they meant: what a week of play did to them, and when that is worth a warning.

A prediction that holds makes every change by a match zero on average, whatever K or deviation stands before it, so
what is left over by the established players of a week is chance. Two things make it a warning: it lifts or lowers
them by half a division within eight weeks (the step in which the visible rank looks at the rating, so that ranks
move without anybody playing better), and it is three standard errors from nothing, which chance alone reaches once in
370 looks. The standard error comes from the matches themselves: the squares of what each left over.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

RUNNING_WEEKS = 8
LIMIT = 50.0  # points of the club scale within RUNNING_WEEKS: half a division
CERTAIN = 3.0  # standard errors
FEWEST_MATCHES = 30
ESTABLISHED_AFTER = 10  # matches: until then a rating finds its place, and what it gives away is its own error
ACTIVE_WEEKS = 4  # who played within so many weeks counts as active

PLAY, START, STAFF, SEASON, MODEL, OTHER = "play", "start", "staff", "season", "model", "other"
GROUPS: Mapping[str, str] = {
    "match": PLAY,
    "placement": START,
    "correction": STAFF,
    "smurf_adjustment": STAFF,
    "reversal": STAFF,
    "refund": STAFF,
    "recompute": STAFF,
    "merge": STAFF,
    "season_reset": SEASON,
    "model_change": MODEL,
    "decay": OTHER,
    "reserve": OTHER,
}


@dataclass(frozen=True, slots=True)
class Week:
    """One week (from its Monday) of a queue, in points of the club scale.

    low, median, high: 10th, 50th and 90th percentile of the active players' ratings at its end; None without any.
    by_play: the sum of all changes by matches. established: players past their first matches who played; lifted: the
    sum of their changes; squares: over the matches, the square of what each left over among them.
    sums: the changes that are not play, by group.
    """

    starts: date
    active: int = 0
    low: float | None = None
    median: float | None = None
    high: float | None = None
    matches: int = 0
    by_play: float = 0.0
    established: int = 0
    lifted: float = 0.0
    squares: float = 0.0
    sums: Mapping[str, float] = field(default_factory=dict)

    @property
    def per_match(self) -> float | None:
        """What a match of the week left over, on average."""
        return self.by_play / self.matches if self.matches else None

    @property
    def lift(self) -> float:
        """By how much play moved the average established player."""
        return self.lifted / self.established if self.established else 0.0

    @property
    def lift_variance(self) -> float:
        """The variance of that, were it chance alone."""
        return self.squares / self.established**2 if self.established else 0.0


@dataclass(frozen=True, slots=True)
class Drift:
    """What the eight weeks up to one did to established players who played in all of them, and how sure that is."""

    points: float
    error: float
    matches: int

    @property
    def is_judged(self) -> bool:
        """Whether there was enough play to say anything."""
        return self.matches >= FEWEST_MATCHES

    @property
    def is_certain(self) -> bool:
        """Whether chance alone would hardly do it."""
        return self.is_judged and self.points != 0.0 and abs(self.points) >= CERTAIN * self.error

    @property
    def is_warning(self) -> bool:
        """Whether ranks move without anybody playing better."""
        return self.is_certain and abs(self.points) >= LIMIT


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the last weeks say. kind: "none", "few", "steady", "rising" or "falling".

    shift: by how much the middle rating moved over the same weeks; is_shift: whether it moved by the limit although
    play did not do it (other people play, or ratings were set by hand).
    """

    kind: str
    drift: Drift
    shift: float | None = None
    is_shift: bool = False


def monday_of(day: date) -> date:
    """The first day of the week a day lies in."""
    return day - timedelta(days=day.weekday())


def without_gaps(weeks: Sequence[Week]) -> tuple[Week, ...]:
    """The weeks in order, with empty ones where nothing happened."""
    ordered = sorted(weeks, key=lambda week: week.starts)
    filled = list(ordered[:1])
    for earlier, later in pairwise(ordered):
        missing = (later.starts - earlier.starts).days // 7 - 1
        filled += [Week(earlier.starts + timedelta(weeks=number + 1)) for number in range(missing)]
        filled.append(later)
    return tuple(filled)


def running_drift(weeks: Sequence[Week]) -> tuple[Drift, ...]:
    """For each week, what it and the seven before it did. The weeks stand in order, without gaps."""
    return tuple(_drift(weeks[max(0, at - RUNNING_WEEKS + 1) : at + 1]) for at in range(len(weeks)))


def _drift(weeks: Sequence[Week]) -> Drift:
    return Drift(
        points=math.fsum(week.lift for week in weeks),
        error=math.sqrt(math.fsum(week.lift_variance for week in weeks)),
        matches=sum(week.matches for week in weeks),
    )


def verdict(weeks: Sequence[Week]) -> Verdict:
    """What to say about the last of these weeks, which stand in order, without gaps."""
    if not weeks:
        return Verdict("none", Drift(0.0, 0.0, 0))
    drift = running_drift(weeks)[-1]
    shift = _shift(weeks)
    if not drift.is_judged:
        return Verdict("few", drift, shift)
    if drift.is_warning:
        return Verdict("rising" if drift.points > 0.0 else "falling", drift, shift)
    is_shift = shift is not None and abs(shift) >= LIMIT and abs(shift - drift.points) >= LIMIT / 2
    return Verdict("steady", drift, shift, is_shift)


def _shift(weeks: Sequence[Week]) -> float | None:
    """From the middle rating before the running weeks to the last one; None where either is unknown."""
    if len(weeks) <= RUNNING_WEEKS:
        return None
    before, after = weeks[-RUNNING_WEEKS - 1].median, weeks[-1].median
    return None if before is None or after is None else after - before
