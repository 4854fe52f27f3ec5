"""What a row of results says about somebody: runs, rivals, opponents and hours. Pure."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from typing import Generic, TypeVar

Who = TypeVar("Who", bound=Hashable)

LEAST_MEETINGS = 2


@dataclass(frozen=True, slots=True)
class Meeting(Generic[Who]):
    """One finished match against one opponent; letter: W, D or L."""

    opponent: Who
    letter: str


@dataclass(frozen=True, slots=True)
class Rivalry(Generic[Who]):
    """All meetings with one opponent."""

    opponent: Who
    wins: int
    losses: int
    draws: int

    @property
    def meetings(self) -> int:
        """How often."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Run:
    """How often the same result came in a row; letter: W, D or L, empty for no run at all."""

    letter: str
    length: int


@dataclass(frozen=True, slots=True)
class Hour:
    """What came of the matches that ended in one hour of the day, 0 to 23."""

    hour: int
    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def matches(self) -> int:
        """How many."""
        return self.wins + self.losses + self.draws


def present_run(letters: Sequence[str]) -> Run:
    """The run that the last result belongs to."""
    for letter, run in groupby(reversed(letters)):
        return Run(letter, sum(1 for _result in run))
    return Run("", 0)


def best_run(letters: Sequence[str]) -> int:
    """The most wins in a row."""
    best = run = 0
    for letter in letters:
        run = run + 1 if letter == "W" else 0
        best = max(best, run)
    return best


def closest_rival(meetings: Sequence[Meeting[Who]]) -> Rivalry[Who] | None:
    """The opponent met at least twice with the most even score; then the one met most, then most recently.

    meetings: oldest first. None when nobody was met twice.
    """
    met = [rivalry for rivalry in _latest_first(meetings) if rivalry.meetings >= LEAST_MEETINGS]
    return min(met, key=lambda one: (abs(one.wins - one.losses), -one.meetings), default=None)


def opponents(meetings: Sequence[Meeting[Who]]) -> list[Rivalry[Who]]:
    """Everybody met, the one met most often first; of equal ones the one met last. meetings: oldest first."""
    return sorted(_latest_first(meetings), key=lambda one: -one.meetings)


def _latest_first(meetings: Sequence[Meeting[Who]]) -> list[Rivalry[Who]]:
    tallies: dict[Who, list[int]] = {}
    for meeting in meetings:
        tally = tallies.pop(meeting.opponent, [0, 0, 0])
        tally["WLD".index(meeting.letter)] += 1
        tallies[meeting.opponent] = tally  # put last: the order is by the latest meeting
    return [Rivalry(who, *tally) for who, tally in reversed(tallies.items())]


def by_hour(ends: Iterable[tuple[datetime, str]], zone: tzinfo) -> tuple[Hour, ...]:
    """All twenty-four hours, in the time of `zone`; ends: when each match ended, and its letter."""
    tallies = [[0, 0, 0] for _hour in range(24)]
    for at, letter in ends:
        tallies[at.astimezone(zone).hour]["WLD".index(letter)] += 1
    return tuple(Hour(hour, *tally) for hour, tally in enumerate(tallies))
