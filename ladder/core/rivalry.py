"""What a row of results says about somebody: the best run, the closest rival. Pure."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
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
    tallies: dict[Who, list[int]] = {}
    for meeting in meetings:
        tally = tallies.pop(meeting.opponent, [0, 0, 0])
        tally["WLD".index(meeting.letter)] += 1
        tallies[meeting.opponent] = tally  # put last: the order is by the latest meeting
    met = [(who, tally) for who, tally in reversed(tallies.items()) if sum(tally) >= LEAST_MEETINGS]
    if not met:
        return None
    who, (wins, losses, draws) = min(met, key=lambda entry: (abs(entry[1][0] - entry[1][1]), -sum(entry[1])))
    return Rivalry(opponent=who, wins=wins, losses=losses, draws=draws)
