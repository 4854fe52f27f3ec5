"""Whether one model predicted better than another or was only luckier: their losses, match by match.

Both saw the same matches in the same order, so the difference is taken pair by pair, in blocks of neighbouring matches;
what the blocks scatter is the standard error (batch means, which also stands what lasts over several matches). Blocks
begin at one match each and double whenever there are too many, so that a long history leaves 64 to 127 of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ratings.core.history import Floats

MOST_BLOCKS = 128
FEWEST_BLOCKS = 20
CERTAIN = 2.0  # standard errors from which a difference is called one


@dataclass(slots=True)
class Blocks:
    """The mean loss of each block of so many matches; the matches of a block that is not full yet wait."""

    size: int = 1
    means: list[float] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)

    def add(self, losses: Floats) -> None:
        """Take in the next matches, in their order."""
        for loss in losses.tolist():
            self.waiting.append(loss)
            if len(self.waiting) == self.size:
                self.means.append(math.fsum(self.waiting) / self.size)
                self.waiting = []
                if len(self.means) == MOST_BLOCKS:
                    pairs = np.array(self.means).reshape(-1, 2)
                    self.means, self.size = pairs.mean(axis=1).tolist(), 2 * self.size

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"size": self.size, "means": self.means}


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first model's log loss is, and the standard error of that."""

    mean: float
    error: float

    @property
    def is_certain(self) -> bool:
        """Whether it is more than chance."""
        return abs(self.mean) >= CERTAIN * self.error and self.mean != 0.0


def difference(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> Difference | None:
    """The first minus the second, from the blocks of two models that saw the same matches; None where that is unknown.

    Unknown it is without blocks, with too few of them, or with blocks of different matches.
    """
    if not one or not other or one["size"] != other["size"] or len(one["means"]) != len(other["means"]):
        return None
    return _difference(one["means"], other["means"])


def _difference(one: Sequence[float], other: Sequence[float]) -> Difference | None:
    if len(one) < FEWEST_BLOCKS:
        return None
    apart = np.array(one) - np.array(other)
    return Difference(float(apart.mean()), float(apart.std(ddof=1) / math.sqrt(len(apart))))
