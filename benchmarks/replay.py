"""How fast replays are, side by side with the public libraries, in one run.

    python benchmarks/replay.py [--json] [--agreement]

A synthetic million matches, one against one, of 50,000 players, and the 3v3 set of tests/data. Microseconds of CPU a
match, predictions included. The libraries are installed from benchmarks/requirements.txt into var/benchmarks/libraries.
`--agreement` also walks the million matches through the live functions (minutes) and states the largest difference.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
import tracemalloc
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - the checkout is put on the path first, so that the file runs as a script

from benchmarks.bench import arguments, progress, show  # noqa: E402
from ratings.core import compiled  # noqa: E402
from ratings.core.history import Chunk, CsvHistory, Floats, Ints  # noqa: E402
from ratings.core.registry import get_engine  # noqa: E402
from ratings.core.replay import Replay  # noqa: E402
from ratings.core.types import Belief  # noqa: E402

FOLDER = ROOT / "var" / "benchmarks"
CACHE = ROOT / "var" / "numba"
MATCHES, PLAYERS, CHUNK = 1_000_000, 50_000, 20_000
PLAIN_MATCHES = 40_000
LIBRARIES = {"elo": "elote", "glicko2": "glicko2", "trueskill": "trueskill", "weng_lin": "openskill"}


class Duels:
    """The same made-up matches every time, chunk by chunk."""

    def __init__(self, matches: int = MATCHES) -> None:
        rng = np.random.default_rng(20)
        skill = rng.normal(0, 300, PLAYERS)
        self.a: Ints = rng.integers(0, PLAYERS, matches)
        self.b: Ints = (self.a + rng.integers(1, PLAYERS, matches)) % PLAYERS
        chance = 1 / (1 + 10 ** ((skill[self.b] - skill[self.a]) / 400))
        self.score: Floats = (rng.random(matches) < chance).astype(float)
        self.score[rng.random(matches) < 0.1] = 0.5

    def chunks(self, first: int = 0, last: int | None = None) -> Iterator[Chunk]:
        """Matches from `first` up to `last`."""
        end = len(self.a) if last is None else last
        for start in range(first, end, CHUNK):
            yield self._chunk(slice(start, min(start + CHUNK, end)))

    def _chunk(self, span: slice) -> Chunk:
        a, b, score = self.a[span], self.b[span], self.score[span]
        n = len(a)
        return Chunk(
            team_start=np.arange(0, 2 * n + 1, 2),
            member_start=np.arange(2 * n + 1),
            player=np.stack((a, b), axis=1).ravel(),
            weight=np.ones(2 * n),
            place=np.stack((1 - score, score), axis=1).ravel(),
            side=np.full(n, -1),
            margin=np.full(n, math.nan),
            day=np.full(n, math.nan),
            quit=np.zeros(2 * n),
            performance=np.full(2 * n, math.nan),
            party=np.full(2 * n, -1),
        )


def microseconds(name: str, warm: Chunk, chunks: list[Chunk], *, accelerate: bool) -> float:
    """A match of a replay, loading and compiling aside."""
    Replay(get_engine(name), accelerate=accelerate, cache_folder=CACHE, describe=False).run(warm)
    replay = Replay(get_engine(name), accelerate=accelerate, cache_folder=CACHE, describe=False)
    begun = time.process_time()
    for chunk in chunks:
        replay.run(chunk)
    return (time.process_time() - begun) / sum(map(len, chunks)) * 1e6


def libraries(duels: Duels, teams: list[list[Any]]) -> dict[str, float]:
    """The public libraries, in a process of their own environment."""
    python = FOLDER / "libraries" / "bin" / "python"
    if not python.exists():
        venv.create(FOLDER / "libraries", with_pip=True)
    lock = ROOT / "benchmarks" / "requirements.txt"
    subprocess.run([python, "-m", "pip", "install", "-q", "--require-hashes", "-r", lock], check=True)
    rows = [[int(a), int(b), float(s)] for a, b, s in zip(duels.a[:400_000], duels.b, duels.score, strict=False)]
    files = [FOLDER / "duels.json", FOLDER / "teams.json"]
    for file, content in zip(files, (rows, teams), strict=True):
        file.write_text(json.dumps(content))
    script = ROOT / "benchmarks" / "replay_libraries.py"
    done = subprocess.run([python, script, *files], check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def team_rows(chunks: list[Chunk]) -> list[list[Any]]:
    """A two-sided history as [team_a, team_b, score of a]."""
    rows: list[list[Any]] = []
    for chunk in chunks:
        teams = [part.tolist() for part in np.split(chunk.player, chunk.member_start[1:-1])]
        rows += [[teams[i], teams[i + 1], 1 - float(chunk.place[i])] for i in range(0, len(teams), 2)]
    return rows


def plain_loop(duels: Duels) -> float:
    """Elo written straight down in Python, for comparison: microseconds a match."""
    ratings = [1500.0] * PLAYERS
    rows = list(zip(*(part[:PLAIN_MATCHES].tolist() for part in (duels.a, duels.b, duels.score)), strict=True))
    chances = []
    begun = time.process_time()
    for a, b, score in rows:
        chance = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
        chances.append(chance)
        change = 32 * (score - chance)
        ratings[a] += change
        ratings[b] -= change
    return (time.process_time() - begun) / len(rows) * 1e6


def side_by_side(*, as_json: bool) -> dict[str, Any]:
    """The table: per system, microseconds a match of the library, of ours compiled and plain, and the ratios."""
    duels, teams = Duels(), list(CsvHistory(ROOT / "tests" / "data" / "frc_3v3_2017.csv").chunks())
    million = list(duels.chunks())
    progress("the public libraries", as_json=as_json)
    library = libraries(duels, team_rows(teams))
    figures: dict[str, Any] = {"elo_1v1 straight python loop us": round(plain_loop(duels), 3)}
    for case, theirs in library.items():
        name, _, kind = case.rpartition("_")
        progress(f"ours: {case}", as_json=as_json)
        chunks = teams if kind == "3v3" else million
        few = teams[:1] if kind == "3v3" else million[: PLAIN_MATCHES // CHUNK]
        ours = microseconds(name, chunks[0], chunks, accelerate=True) if compiled.available() else math.nan
        plain = microseconds(name, few[0], few, accelerate=False)
        figures[f"{case} {LIBRARIES[name]} us"] = round(theirs, 2)
        figures[f"{case} ours compiled us"] = round(ours, 4)
        figures[f"{case} ours plain us"] = round(plain, 2)
        figures[f"{case} times faster compiled"] = round(theirs / ours, 1)
        figures[f"{case} times faster plain"] = round(theirs / plain, 2)
    return figures


def live_cost() -> dict[str, Any]:
    """Microseconds of one live prediction and update, one against one and five against five."""
    figures: dict[str, Any] = {}
    for name in ("elo", "elo_fide", "glicko", "glicko2", "trueskill", "trueskill2", "weng_lin"):
        engine = get_engine(name)
        for size in (1, 5):
            teams = [[engine.from_club(Belief(1450 + 20 * i, 90, 0.06)) for i in range(size)] for _ in range(2)]
            spent = _seconds(lambda engine=engine, teams=teams: (engine.expected(teams), engine.update(teams, [0, 1])))
            figures[f"{name} live {size}v{size} us"] = round(spent * 1e6, 1)
    return figures


def _seconds(action: Callable[[], object], times: int = 2000) -> float:
    begun = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - begun) / times


def memory() -> dict[str, Any]:
    """Largest memory held by a replay of 200,000 and of a million matches of the same 50,000 players, in MB."""
    figures: dict[str, Any] = {}
    for matches in (200_000, MATCHES):
        duels = Duels(matches)
        tracemalloc.start()
        replay = Replay(get_engine("glicko2"), accelerate=compiled.available(), cache_folder=CACHE)
        for chunk in duels.chunks():
            replay.run(chunk)
        figures[f"glicko2 memory {matches} matches MB"] = round(tracemalloc.get_traced_memory()[1] / 1e6, 1)
        tracemalloc.stop()
    return figures


def agreement(*, as_json: bool) -> dict[str, Any]:
    """Largest difference of any number after a million matches: compiled loops with a restart, and live functions."""
    duels = Duels()
    figures: dict[str, Any] = {}
    for name in LIBRARIES:
        progress(f"a million live updates: {name}", as_json=as_json)
        engine = get_engine(name)
        half = Replay(engine, cache_folder=CACHE)
        for chunk in duels.chunks(0, MATCHES // 2):
            half.run(chunk)
        replay = Replay(engine, cache_folder=CACHE)
        replay.restore(half.checkpoint())
        for chunk in duels.chunks(MATCHES // 2):
            replay.run(chunk)
        beliefs = [engine.initial()] * PLAYERS
        for a, b, score in zip(duels.a.tolist(), duels.b.tolist(), duels.score.tolist(), strict=True):
            (beliefs[a],), (beliefs[b],) = engine.update([[beliefs[a]], [beliefs[b]]], [1 - score, score])
        figures[f"{name} largest difference after a million"] = max(
            max(abs(one.rating - other.rating), abs((one.deviation or 0.0) - (other.deviation or 0.0)))
            for one, other in ((beliefs[who], replay.belief(who)) for who in range(replay.players))
        )
    return figures


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--agreement", action="store_true", help="also a million matches through the live functions")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = {**side_by_side(as_json=options.json), **live_cost(), **memory()}
    if options.agreement:
        figures |= agreement(as_json=options.json)
    show(figures, as_json=options.json)


if __name__ == "__main__":
    main()
