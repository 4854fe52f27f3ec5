"""How good predictions are: log loss, Brier score, accuracy and calibration, added up chunk by chunk.

A draw counts half in log loss and Brier score and is left out of accuracy. With three and more teams the log loss is
that of the winner, the Brier score half the sum over all teams (which is the two-team score for two teams).
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ratings.core.history import Chunk, Floats, Ints

BINS = 10
_TINY = 1e-15
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """Predictions held against results: per match, and (`chance`, `score`, `calibrates`) per team."""

    teams_in: Ints
    loss: Floats
    brier: Floats
    decided: Mask
    right: Floats
    pairs: Ints
    pairs_right: Floats
    chance: Floats
    score: Floats
    calibrates: Mask


def judge(chunk: Chunk, chances: Floats) -> Judged:
    """Hold one probability per team against what happened."""
    return judge_places(chunk.team_start, chunk.place, chances)


def judge_places(team_start: Ints, place: Floats, chances: Floats) -> Judged:
    """The same from places alone: match i holds the teams from team_start[i] to team_start[i + 1], lower is better."""
    starts = team_start[:-1]
    teams_in = np.diff(team_start)
    best = np.minimum.reduceat(place, starts)
    first = place == np.repeat(best, teams_in)
    winners = np.add.reduceat(first.astype(np.float64), starts)
    score = first / np.repeat(winners, teams_in)
    loss = np.add.reduceat(-score * np.log(np.clip(chances, _TINY, 1.0)), starts)
    highest = np.maximum.reduceat(chances, starts)
    favourite = chances == np.repeat(highest, teams_in)
    right = np.add.reduceat((favourite & first).astype(np.float64), starts)
    pairs, pairs_right = _pairs(team_start, place, chances)
    position = np.arange(len(place)) - np.repeat(starts, teams_in)
    return Judged(
        teams_in=teams_in,
        loss=loss,
        brier=0.5 * np.add.reduceat((chances - score) ** 2, starts),
        decided=winners == 1.0,
        right=right / np.add.reduceat(favourite.astype(np.float64), starts),
        pairs=pairs,
        pairs_right=pairs_right,
        chance=chances,
        score=score,
        calibrates=(np.repeat(teams_in, teams_in) > 2) | (position == 0),
    )


def _pairs(team_start: Ints, place: Floats, chances: Floats) -> tuple[Ints, Floats]:
    """Pairs of unequal place in each match, and how many of them stand in the predicted order (equal chances: half)."""
    starts, sizes = team_start[:-1], np.diff(team_start)
    count = np.zeros(len(sizes), dtype=np.int64)
    right = np.zeros(len(sizes))
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        rows = starts[chosen][:, None] + np.arange(size)[None, :]
        places, chance = place[rows], chances[rows]
        better, worse = np.triu_indices(size, 1)
        ahead = np.sign(places[:, worse] - places[:, better])
        predicted = np.sign(chance[:, better] - chance[:, worse])
        unequal = ahead != 0
        count[chosen] = unequal.sum(axis=1)
        right[chosen] = np.where(unequal, 0.5 + 0.5 * ahead * predicted, 0.0).sum(axis=1)
    return count, right


@dataclass(slots=True)
class Tally:
    """Running sums over matches."""

    matches: int = 0
    loss: float = 0.0
    brier: float = 0.0
    decided: int = 0
    right: float = 0.0
    pairs: int = 0
    pairs_right: float = 0.0
    bin_count: Floats = field(default_factory=lambda: np.zeros(BINS))
    bin_chance: Floats = field(default_factory=lambda: np.zeros(BINS))
    bin_score: Floats = field(default_factory=lambda: np.zeros(BINS))

    def add(self, judged: Judged, chosen: Mask) -> None:
        """Take in the chosen matches."""
        of_team = np.repeat(chosen, judged.teams_in)
        self.matches += int(chosen.sum())
        self.loss += float(judged.loss[chosen].sum())
        self.brier += float(judged.brier[chosen].sum())
        decided = chosen & judged.decided
        self.decided += int(decided.sum())
        self.right += float(judged.right[decided].sum())
        self.pairs += int(judged.pairs[chosen].sum())
        self.pairs_right += float(judged.pairs_right[chosen].sum())
        counted = of_team & judged.calibrates
        bins = np.minimum((judged.chance[counted] * BINS).astype(np.int64), BINS - 1)
        self.bin_count += np.bincount(bins, minlength=BINS)
        self.bin_chance += np.bincount(bins, weights=judged.chance[counted], minlength=BINS)
        self.bin_score += np.bincount(bins, weights=judged.score[counted], minlength=BINS)

    def summary(self) -> dict[str, float | int | None]:
        """The figures of a report; None where nothing was counted."""
        many = max(self.matches, 1)
        found: dict[str, float | int | None] = {
            "matches": self.matches,
            "log_loss": self.loss / many if self.matches else None,
            "brier": self.brier / many if self.matches else None,
            "accuracy": self.right / self.decided if self.decided else None,
            "ece": self.calibration_error() if self.matches else None,
        }
        return found

    def calibration_error(self) -> float:
        """Expected calibration error over the ten bins."""
        total = float(self.bin_count.sum())
        return float(np.abs(self.bin_chance - self.bin_score).sum() / total) if total else 0.0

    def calibration(self) -> list[dict[str, float | int]]:
        """The bins that hold anything: how many, what was predicted, what happened."""
        return [
            {
                "from": number / BINS,
                "count": int(self.bin_count[number]),
                "predicted": float(self.bin_chance[number] / self.bin_count[number]),
                "observed": float(self.bin_score[number] / self.bin_count[number]),
            }
            for number in range(BINS)
            if self.bin_count[number]
        ]
