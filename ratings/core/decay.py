"""What idle days do to a visible rank, told by the dates of the club's calendar and by nothing else.

Days without a match are counted from the last match on, without those that a pause covers. The first `decay_grace` of
them are free, then those that were put by, and of the rest every `decay_every`-th costs `decay_points`, down to the
foot of the tier. A day costs once it is over. So what is lost depends on which days were played and paused, never on
when somebody looked.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ratings.core.rank_rules import DIVISION, RankRules

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days from the first to the last, both included; without a last one while the end is open."""

    first: date
    last: date | None = None

    def covers(self, day: date) -> bool:
        """Whether the day is one of them."""
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of a club, for one season of a queue.

    pauses: days that are not counted. last_day: the last one that is, None while the season goes on. reckoned_to: the
    last one that has been reckoned with for everybody.
    """

    zone: tzinfo = UTC
    pauses: tuple[Stretch, ...] = ()
    last_day: date | None = None
    reckoned_to: date | None = None

    def day_of(self, at: datetime) -> date:
        """The club's date at a moment."""
        return at.astimezone(self.zone).date()

    def end_of(self, day: date) -> datetime:
        """The moment at which the day is over: when the next one begins by the club's clocks."""
        return datetime.combine(day + ONE_DAY, time(), self.zone).astimezone(UTC)

    def counts(self, day: date) -> bool:
        """Whether being idle on the day is counted."""
        if self.last_day is not None and day > self.last_day:
            return False
        return not any(pause.covers(day) for pause in self.pauses)

    def idle_between(self, active_on: date, day: date) -> int:
        """How many days after the one and before the other are counted."""
        return sum(self.counts(active_on + ONE_DAY * step) for step in range(1, (day - active_on).days))


PLAIN_DAYS = Calendar()  # of UTC, without pauses


@dataclass(frozen=True, slots=True)
class Idleness:
    """What is known of somebody's days: the last one played, days put by until then, the last one reckoned with."""

    active_on: date
    banked: int = 0
    reckoned_to: date | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """What a day costs: points off the position before. number: the how-manieth counted day since the last match."""

    day: date
    position: int
    points: int
    number: int


def played(rules: RankRules, calendar: Calendar, idleness: Idleness, day: date) -> Idleness:
    """After a match on the day: idle days begin anew, less what was put by and used, more what the match puts by."""
    idle = calendar.idle_between(idleness.active_on, day)
    used = min(max(idle - rules.decay_grace, 0), idleness.banked)
    banked = min(idleness.banked - used + rules.decay_bank, rules.decay_bank_limit)
    return Idleness(max(idleness.active_on, day), banked, idleness.reckoned_to)


def fades(rules: RankRules, position: int | None) -> bool:
    """Whether a rank at the position would lose points by idleness."""
    if position is None or not rules.fades:
        return False
    tier, _division = rules.places[_index(rules, position)]
    return tier >= rules.decay_from and position > foot_of_tier(rules, position)


def foot_of_tier(rules: RankRules, position: int) -> int:
    """The lowest position of the tier in which a position lies: decay goes no further."""
    tier, _division = rules.places[_index(rules, position)]
    return next(index for index, (one, _) in enumerate(rules.places) if one == tier) * DIVISION


def losses(rules: RankRules, calendar: Calendar, idleness: Idleness, position: int, until: date) -> tuple[Loss, ...]:
    """What the days up to `until` cost that were not reckoned with yet, the earliest first; empty at the foot."""
    found = []
    for number, day in _costly_days(rules, calendar, idleness, until):
        if not fades(rules, position):
            break
        points = min(rules.decay_points, position - foot_of_tier(rules, position))
        found.append(Loss(day, position, points, number))
        position -= points
    return tuple(found)


def next_loss(rules: RankRules, calendar: Calendar, idleness: Idleness, within: int = 400) -> date | None:
    """The next day that costs points unless it is played on; None if there is none within so many days."""
    start = _reckoned(calendar, idleness)
    days = _costly_days(rules, calendar, idleness, start + within * ONE_DAY)
    return next((day for _number, day in days), None)


def first_loss(rules: RankRules, calendar: Calendar, idleness: Idleness, within: int = 800) -> date | None:
    """The first costly day since the last match, reckoned with or not; None if there is none within so many days."""
    from_the_start = replace(calendar, reckoned_to=None)
    return next_loss(rules, from_the_start, Idleness(idleness.active_on, idleness.banked), within)


def _costly_days(rules: RankRules, calendar: Calendar, idleness: Idleness, until: date) -> Iterable[tuple[int, date]]:
    """(number, day) of the days that cost, the number counting days since the last match."""
    free = rules.decay_grace + idleness.banked
    start = _reckoned(calendar, idleness)
    number = calendar.idle_between(idleness.active_on, start + ONE_DAY)
    for step in range(1, (until - start).days + 1):
        day = start + ONE_DAY * step
        if calendar.counts(day):
            number += 1
            if number > free and (number - free) % rules.decay_every == 0:
                yield number, day


def _reckoned(calendar: Calendar, idleness: Idleness) -> date:
    """The last day that is no longer looked at: played on, or reckoned with for this player or for everybody."""
    known = (idleness.active_on, idleness.reckoned_to, calendar.reckoned_to)
    return max(day for day in known if day is not None)


def _index(rules: RankRules, position: int) -> int:
    return min(position // DIVISION, len(rules.places) - 1)
