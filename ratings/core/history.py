"""Recorded matches in the flat form that replays read, and the two CSV layouts.

Two sides:  date,team_a,team_b,score_a,score_b,result,margin,event with optional neutral, played_a, played_b,
            perf_a, perf_b; members of a team joined by "|". Without `neutral` the first side has the side advantage.
Many sides: date,event,teams,ranks with teams joined by ";", members by "|", ranks by ";" (lower is better).
"""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ratings.core import guards
from ratings.core.problems import RatingInputError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CHUNK = 20_000
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Member:
    """One participant of a recorded match; `player` is an index."""

    player: int
    weight: float = 1.0
    performance: float = math.nan
    quit: bool = False
    party: int = NOBODY


@dataclass(frozen=True, slots=True)
class Recorded:
    """One match as recorded. `side` is the team with the side advantage, `day` a day number, both may be unknown."""

    teams: tuple[tuple[Member, ...], ...]
    ranks: tuple[float, ...]
    side: int = NOBODY
    margin: float = math.nan
    day: float = math.nan


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some matches, flat: see `ratings.core.kernels.replay_common`."""

    team_start: Ints
    member_start: Ints
    player: Ints
    weight: Floats
    place: Floats
    side: Ints
    margin: Floats
    day: Floats
    quit: Floats
    performance: Floats
    party: Ints

    def __len__(self) -> int:
        return len(self.margin)

    @property
    def teams(self) -> int:
        """How many teams stand in the chunk."""
        return len(self.place)

    def duels(self) -> bool:
        """Whether every match is one against one, played whole."""
        return (
            self.teams == 2 * len(self)
            and len(self.player) == self.teams
            and bool((np.diff(self.team_start) == 2).all())
            and bool((self.weight == 1.0).all())
        )

    @classmethod
    def of(cls, matches: Sequence[Recorded]) -> "Chunk":
        """Flatten matches."""
        teams = [team for match in matches for team in match.teams]
        members = [member for team in teams for member in team]
        return cls(
            team_start=_starts([len(match.teams) for match in matches]),
            member_start=_starts([len(team) for team in teams]),
            player=np.array([one.player for one in members], dtype=np.int64),
            weight=np.array([one.weight for one in members], dtype=np.float64),
            place=np.array([rank for match in matches for rank in match.ranks], dtype=np.float64),
            side=np.array([match.side for match in matches], dtype=np.int64),
            margin=np.array([match.margin for match in matches], dtype=np.float64),
            day=np.array([match.day for match in matches], dtype=np.float64),
            quit=np.array([float(one.quit) for one in members], dtype=np.float64),
            performance=np.array([one.performance for one in members], dtype=np.float64),
            party=np.array([one.party for one in members], dtype=np.int64),
        )


def _starts(sizes: Sequence[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)


def chunked(matches: Iterable[Recorded], size: int = CHUNK) -> Iterator[Chunk]:
    """Matches in chunks of `size`, in order."""
    waiting: list[Recorded] = []
    for match in matches:
        waiting.append(match)
        if len(waiting) == size:
            yield Chunk.of(waiting)
            waiting = []
    if waiting:
        yield Chunk.of(waiting)


@dataclass(slots=True)
class Names:
    """Players' names and the index that each was given when first met."""

    index: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        return self.index.setdefault(name, len(self.index))

    def __len__(self) -> int:
        return len(self.index)


@dataclass(frozen=True, slots=True)
class CsvHistory:
    """A file in one of the two layouts, read anew, row by row, each time it is walked."""

    path: Path
    names: Names = field(default_factory=Names)

    def matches(self) -> Iterator[Recorded]:
        """Every row in file order. Raises RatingInputError naming the row and the column."""
        with self.path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            read = _layout(rows.fieldnames or ())
            for number, row in enumerate(rows, start=2):
                try:
                    yield read(row, self.names)
                except (RatingInputError, ValueError, AttributeError, TypeError) as error:
                    raise RatingInputError(f"row {number}", str(error)) from error

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        """The same in flat form."""
        return chunked(self.matches(), size)

    def tied(self) -> list[float]:
        """For each match, the share of neighbours in the order of places that are tied; for two sides 1 is a draw."""
        return [_tied_neighbours(match.ranks) for match in self.matches()]


def tied_in(chunk: Chunk) -> list[float]:
    """The same of flat matches."""
    bounds = zip(chunk.team_start[:-1], chunk.team_start[1:], strict=True)
    return [_tied_neighbours(chunk.place[first:last].tolist()) for first, last in bounds]


def _tied_neighbours(ranks: Sequence[float]) -> float:
    return (len(ranks) - len(set(ranks))) / (len(ranks) - 1)


def _layout(columns: Sequence[str]) -> Any:
    present = set(columns)
    if {"teams", "ranks"} <= present:
        return many_sides
    if {"team_a", "team_b"} <= present and present & {"result", "score_a"}:
        return two_sides
    raise RatingInputError("columns", "need team_a, team_b, result or teams, ranks")


def two_sides(row: Mapping[str, str], names: Names) -> Recorded:
    """A row of the two-sided layout."""
    teams = tuple(
        _team(row[f"team_{side}"], row.get(f"played_{side}"), row.get(f"perf_{side}"), names) for side in "ab"
    )
    guards.nobody_twice([[one.player for one in team] for team in teams])
    if not all(any(one.weight > 0.0 for one in team) for team in teams):
        raise RatingInputError("played", "leaves a side of which nobody played")
    score = _result(row)
    margin = row.get("margin")
    return Recorded(
        teams=teams,
        ranks=(1.0 - score, score),
        side=NOBODY if (row.get("neutral") or "0").strip() == "1" else 0,
        margin=abs(guards.number("margin", float(margin))) if margin else math.nan,
        day=_day(row.get("date")),
    )


def many_sides(row: Mapping[str, str], names: Names) -> Recorded:
    """A row of the many-sided layout."""
    teams = tuple(_team(team, None, None, names) for team in row["teams"].split(";"))
    ranks = tuple(guards.number("ranks", float(rank)) for rank in row["ranks"].split(";"))
    guards.nobody_twice([[one.player for one in team] for team in teams])
    if not 2 <= len(teams) <= guards.MAX_TEAMS:
        raise RatingInputError("teams", f"must be 2 to {guards.MAX_TEAMS}, got {len(teams)}")
    guards.ranks(ranks, len(teams))
    return Recorded(teams=teams, ranks=ranks, day=_day(row.get("date")))


def _team(text: str, played: str | None, figures: str | None, names: Names) -> tuple[Member, ...]:
    players = [name.strip() for name in text.split("|")]
    if not all(players) or len(players) > guards.MAX_TEAM_SIZE:
        raise RatingInputError("team", f"must name 1 to {guards.MAX_TEAM_SIZE} members, got {text!r}")
    weights = [guards.number("played", float(share), 0, 100) / 100 for share in _split("played", played, len(players))]
    perf = [_figure(one) for one in _split("perf", figures, len(players), empty="")]
    return tuple(
        Member(names[name], weight, figure) for name, weight, figure in zip(players, weights, perf, strict=True)
    )


def _figure(text: str) -> float:
    return guards.number("perf", float(text)) if text.strip() else math.nan


def _split(name: str, text: str | None, count: int, empty: str = "100") -> list[str]:
    if not text:
        return [empty] * count
    parts = text.split("|")
    if len(parts) != count:
        raise RatingInputError(name, f"must have one value per member, {count}, got {len(parts)}")
    return parts


def _result(row: Mapping[str, str]) -> float:
    if row.get("result"):
        score = float(row["result"])
        if score not in (0.0, 0.5, 1.0):
            raise RatingInputError("result", f"must be 1, 0.5 or 0, got {row['result']}")
        return score
    a, b = float(row["score_a"]), float(row["score_b"])
    return 0.5 + 0.5 * ((a > b) - (a < b))


def _day(text: str | None) -> float:
    return float(date.fromisoformat(text[:10]).toordinal()) if text else math.nan
