"""The demo's real history: the last seasons of one league of leagues.csv."""

import csv
import io
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import ladder

FILE = Path(ladder.__file__).parent / "demo_data" / "leagues.csv"
LEAGUE = "en.1"
SEASONS = 3


@dataclass(frozen=True, slots=True)
class LeagueSeason:
    """One season: its name ("2024-25"), first and last day (ISO) and its rows as CSV."""

    name: str
    first_day: str
    last_day: str
    content: bytes


@cache
def league_seasons() -> tuple[LeagueSeason, ...]:
    """The league's last seasons, the oldest first."""
    by_event: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in _rows():
        if row["event"].startswith(f"{LEAGUE} "):
            by_event[row["event"]].append(row)
    return tuple(_season(event, by_event[event]) for event in sorted(by_event)[-SEASONS:])


@cache
def strength_of_teams() -> dict[str, float]:
    """How strong each team of those seasons was in its last one, on the club scale, by its share of the points.

    A share s of the points stands for 1500 + 400 log10(s / (1 - s)), the rating at which a league of 1500s pays it.
    """
    strength: dict[str, float] = {}
    for season in league_seasons():
        games: dict[str, int] = defaultdict(int)
        won: dict[str, float] = defaultdict(float)
        for row in csv.DictReader(io.StringIO(season.content.decode())):
            for team, share in ((row["team_a"], float(row["result"])), (row["team_b"], 1 - float(row["result"]))):
                games[team] += 1
                won[team] += share
        for team, played in games.items():
            share = (won[team] + 1) / (played + 2)
            strength[team] = 1500 + 400 * math.log10(share / (1 - share))
    return strength


def _season(event: str, rows: Sequence[dict[str, str]]) -> LeagueSeason:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    days = [row["date"] for row in rows]
    return LeagueSeason(event.removeprefix(f"{LEAGUE} "), min(days), max(days), text.getvalue().encode())


def _rows() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
