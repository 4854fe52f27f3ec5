"""Recorded matches in the flat form that replays read, and the two CSV layouts.

Two sides:  date,team_a,team_b,score_a,score_b,result,margin,event with optional neutral, played_a, played_b,
            perf_a, perf_b; members of a team joined by "|". Without `neutral` the first side has the side advantage.
Many sides: date,event,teams,ranks with teams joined by ";", members by "|", ranks by ";" (lower is better).
"""

import csv
import math
import sys
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
_ANY = sys.float_info.max  # of scores only the order counts
_NEUTRAL = {"": False, "0": False, "false": False, "1": True, "true": True}
_READ = {
    *("date", "team_a", "team_b", "score_a", "score_b", "result", "margin", "neutral"),
    *("played_a", "played_b", "perf_a", "perf_b", "teams", "ranks"),
}


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
        if self.path.exists() and not self.path.is_file():
            raise RatingInputError("file", f"{self.path} must be a plain file: it is read more than once")
        with self.path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.reader(lines)
            columns = [name.strip() for name in _row(rows, 1) or ()]
            read = _layout(columns)
            number = 1
            while (cells := _row(rows, number := number + 1)) is not None:
                if not cells:
                    continue
                try:
                    yield read(_named(columns, cells), self.names)
                except RatingInputError as error:
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


def _row(rows: Iterator[list[str]], number: int) -> list[str] | None:
    """The next row's cells, None after the last. Raises RatingInputError for what is no CSV."""
    try:
        return next(rows, None)
    except csv.Error as error:
        raise RatingInputError(f"row {number}", f"is not CSV: {error}") from error


def _named(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Cells by column; cells beyond the last column are not looked at, missing ones are missing by name."""
    return {name: cell.strip() for name, cell in zip(columns, cells, strict=False)}


def _layout(columns: Sequence[str]) -> Any:
    present = set(columns)
    twice = sorted({name for name in columns if name in _READ and columns.count(name) > 1})
    if twice:
        raise RatingInputError("columns", f"name {', '.join(twice)} twice")
    if {"teams", "ranks"} <= present:
        return many_sides
    if {"team_a", "team_b"} <= present and ("result" in present or {"score_a", "score_b"} <= present):
        return two_sides
    raise RatingInputError("columns", "need team_a, team_b, result (or score_a, score_b) or teams, ranks")


def two_sides(row: Mapping[str, str], names: Names) -> Recorded:
    """A row of the two-sided layout."""
    sides = [_members(f"team_{side}", _cell(row, f"team_{side}")) for side in "ab"]
    guards.nobody_twice(sides)
    teams = tuple(
        _team(players, row.get(f"played_{side}", ""), row.get(f"perf_{side}", ""), names)
        for side, players in zip("ab", sides, strict=True)
    )
    if not all(any(one.weight > 0.0 for one in team) for team in teams):
        raise RatingInputError("played", "leaves a side of which nobody played")
    score = _result(row)
    margin = row.get("margin")
    return Recorded(
        teams=teams,
        ranks=(1.0 - score, score),
        side=NOBODY if _is_neutral(row.get("neutral", "")) else 0,
        margin=abs(_number("margin", margin)) if margin else math.nan,
        day=_day(row.get("date")),
    )


def many_sides(row: Mapping[str, str], names: Names) -> Recorded:
    """A row of the many-sided layout."""
    sides = [_members("teams", team) for team in _cell(row, "teams").split(";")]
    ranks = tuple(_number("ranks", rank) for rank in _cell(row, "ranks").split(";"))
    guards.nobody_twice(sides)
    teams = tuple(_team(players, "", "", names) for players in sides)
    if not 2 <= len(teams) <= guards.MAX_TEAMS:
        raise RatingInputError("teams", f"must be 2 to {guards.MAX_TEAMS}, got {len(teams)}")
    guards.ranks(ranks, len(teams))
    return Recorded(teams=teams, ranks=ranks, day=_day(row.get("date")))


def _cell(row: Mapping[str, str], column: str) -> str:
    if column not in row:
        raise RatingInputError(column, "is missing")
    return row[column]


def _number(column: str, text: str, low: float = -guards.LARGEST_NUMBER, high: float = guards.LARGEST_NUMBER) -> float:
    try:
        value = float(text)
    except ValueError:
        raise RatingInputError(column, f"must be a number, got {text!r}") from None
    return guards.number(column, value, low, high)


def _is_neutral(text: str) -> bool:
    if text.casefold() not in _NEUTRAL:
        raise RatingInputError("neutral", f"must be 1 or 0, got {text!r}")
    return _NEUTRAL[text.casefold()]


def _members(column: str, text: str) -> list[str]:
    players = [name.strip() for name in text.split("|")]
    if not all(players) or len(players) > guards.MAX_TEAM_SIZE:
        raise RatingInputError(column, f"must name 1 to {guards.MAX_TEAM_SIZE} members, got {text!r}")
    return players


def _team(players: Sequence[str], played: str, figures: str, names: Names) -> tuple[Member, ...]:
    weights = [_number("played", share, 0, 100) / 100 for share in _split("played", played, len(players))]
    perf = [_figure(one) for one in _split("perf", figures, len(players), empty="")]
    return tuple(
        Member(names[name], weight, figure) for name, weight, figure in zip(players, weights, perf, strict=True)
    )


def _figure(text: str) -> float:
    return _number("perf", text) if text.strip() else math.nan


def _split(name: str, text: str, count: int, empty: str = "100") -> list[str]:
    if not text:
        return [empty] * count
    parts = text.split("|")
    if len(parts) != count:
        raise RatingInputError(name, f"must have one value per member, {count}, got {len(parts)}")
    return parts


def _result(row: Mapping[str, str]) -> float:
    if row.get("result"):
        score = _number("result", row["result"])
        if score not in (0.0, 0.5, 1.0):
            raise RatingInputError("result", f"must be 1, 0.5 or 0, got {row['result']}")
        return score
    a, b = (_number(column, _cell(row, column), -_ANY, _ANY) for column in ("score_a", "score_b"))
    return 0.5 + 0.5 * ((a > b) - (a < b))


def _day(text: str | None) -> float:
    if not text:
        return math.nan
    try:
        return float(date.fromisoformat(text[:10]).toordinal())
    except ValueError:
        raise RatingInputError("date", f"must be written as 2024-05-31, got {text!r}") from None
