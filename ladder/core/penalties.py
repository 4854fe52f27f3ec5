"""How long an offence keeps somebody out of the queues: escalating, and forgotten with time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class PenaltyRules:
    """steps: the block of each level, level 0 (a warning) first; the last one repeats.

    forgotten_after: so much time without an offence takes one level back.
    """

    steps: tuple[timedelta, ...] = (
        timedelta(0),
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
    )
    forgotten_after: timedelta = timedelta(hours=24)

    @property
    def memory(self) -> timedelta:
        """How far back offences can matter."""
        return self.forgotten_after * (len(self.steps) + 1)


DEFAULT_RULES = PenaltyRules()


@dataclass(frozen=True, slots=True)
class Penalty:
    """What an offence leads to: its level (0 is a warning) and for how long it blocks."""

    level: int
    block: timedelta

    @property
    def is_warning(self) -> bool:
        """Whether it blocks nothing."""
        return not self.block


def next_penalty(offences: Iterable[datetime], *, now: datetime, rules: PenaltyRules = DEFAULT_RULES) -> Penalty:
    """What one more offence would lead to now, given the moments of the earlier ones in any order.

    Every offence raises the level by one, up to the last step; each full `forgotten_after` without one lowers it.
    Moments after `now` count as now, so a clock that stepped back forgives nothing and adds nothing.
    """
    level, last = 0, None
    for moment in [*sorted(min(offence, now) for offence in offences), now]:
        if last is not None:
            level = max(0, min(level + 1, len(rules.steps) - 1) - (moment - last) // rules.forgotten_after)
        last = moment
    return Penalty(level=level, block=rules.steps[level])
