"""How fair the games were: what was predicted when they were formed, held against how they ended.

The predictions are judged by `ratings.core.metrics`, like those of a replay; what is added here are the groups, the
lopsided and the one-sided matches, and the quality that the matchmaker accepted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ratings.core.history import Floats, Ints
from ratings.core.metrics import Judged, Mask, Tally, judge_places

BAND = 200  # points of the club scale, as in a replay's report
_NO_KEY = -(2**62)
LOPSIDED = 0.76  # the favourite's chance from which a match is called a mismatch


@dataclass(frozen=True, slots=True)
class Played:
    """One match as formed and as it ended.

    chances: one per team, from the model that formed it; places: one per team, lower is better; rating: the mean of
    its players on the club scale. quality and margin are None where unknown, is_one_sided where the margin or the
    queue's limit is. hour: of the day in the club's time zone, None where nobody knows when it was played.
    """

    queue: int
    chances: tuple[float, ...]
    places: tuple[int, ...]
    rating: float
    hour: int | None = None
    party: int = 1
    quality: float | None = None
    is_one_sided: bool | None = None

    @property
    def band(self) -> int:
        """Where the band of ratings begins that the match lies in."""
        return int(self.rating // BAND * BAND)


@dataclass(frozen=True, slots=True)
class Bin:
    """One of ten bins of predictions: how many, what was predicted on average, what happened."""

    low: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of some matches; None where nothing was counted.

    one_sided and lopsided are shares; with_margin: how many matches the first is a share of; with_quality likewise.
    """

    key: int
    matches: int
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    calibration_error: float | None
    lopsided: float | None
    one_sided: float | None
    with_margin: int
    quality: float | None
    with_quality: int


@dataclass(frozen=True, slots=True)
class Fairness:
    """All matches together, their calibration, and the same figures group by group, in order."""

    total: Group
    calibration: tuple[Bin, ...]
    queues: tuple[Group, ...]
    bands: tuple[Group, ...]
    hours: tuple[Group, ...]
    parties: tuple[Group, ...]


def fairness(matches: Sequence[Played]) -> Fairness | None:
    """The figures of these matches; None without any."""
    if not matches:
        return None
    judged = _judged(matches)
    every = np.ones(len(matches), dtype=bool)
    tally = Tally()
    tally.add(judged, every)
    return Fairness(
        total=_group(0, matches, judged, every),
        calibration=tuple(
            Bin(one["from"], int(one["count"]), one["predicted"], one["observed"]) for one in tally.calibration()
        ),
        queues=_groups(matches, judged, lambda match: match.queue),
        bands=_groups(matches, judged, lambda match: match.band),
        hours=_groups(matches, judged, lambda match: match.hour),
        parties=_groups(matches, judged, lambda match: match.party),
    )


def _judged(matches: Sequence[Played]) -> Judged:
    sizes = [len(match.places) for match in matches]
    team_start: Ints = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    places: Floats = np.array([place for match in matches for place in match.places], dtype=np.float64)
    chances: Floats = np.array([chance for match in matches for chance in match.chances], dtype=np.float64)
    return judge_places(team_start, places, chances)


def _groups(matches: Sequence[Played], judged: Judged, key_of: Callable[[Played], int | None]) -> tuple[Group, ...]:
    """One group per key, in order of it; matches without a key are in none."""
    known = [key_of(match) for match in matches]
    keys = np.array([_NO_KEY if key is None else key for key in known], dtype=np.int64)
    return tuple(_group(int(key), matches, judged, keys == key) for key in np.unique(keys) if key != _NO_KEY)


def _group(key: int, matches: Sequence[Played], judged: Judged, chosen: Mask) -> Group:
    tally = Tally()
    tally.add(judged, chosen)
    rows = [matches[index] for index in np.flatnonzero(chosen).tolist()]
    figures = tally.summary()
    margins = [match.is_one_sided for match in rows if match.is_one_sided is not None]
    qualities = [match.quality for match in rows if match.quality is not None]
    return Group(
        key=key,
        matches=len(rows),
        log_loss=figures["log_loss"],
        brier=figures["brier"],
        accuracy=figures["accuracy"],
        calibration_error=figures["ece"],
        lopsided=_mean([float(max(match.chances) > LOPSIDED) for match in rows]),
        one_sided=_mean([float(one) for one in margins]),
        with_margin=len(margins),
        quality=_mean(qualities),
        with_quality=len(qualities),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
