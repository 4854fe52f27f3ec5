"""The settings of the visible rank: tiers, divisions and the numbers of every rule. Points are whole numbers.

A table of tiers runs from the bottom up. Each tier lists the rating (club scale) at which each of its divisions
begins, the lowest first; the very first division begins nowhere (None) and takes everybody below the second.
The last tier is undivided and has no upper end; its best players may hold titles, which stand beside the rank.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from ratings.core.guards import number
from ratings.core.problems import RatingInputError

DIVISION = 100  # points of one division
MAX_DIVISIONS = 200
MAX_TIER_NAME = 40
MAX_TITLES = 5
MOST_TITLED = 10_000


@dataclass(frozen=True, slots=True)
class Tier:
    """A named group of divisions; `begins` is the rating at which each begins, the lowest division first."""

    name: str
    begins: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """A name for the `best` players of the top tier, by their place on the leaderboard. It is no rank."""

    name: str
    best: int


def _standard_tiers() -> tuple[Tier, ...]:
    """Five tiers of three divisions of 100 rating points, Bronze 2 from 900 on, and Master from 2300."""
    names = ("Bronze", "Silver", "Gold", "Platinum", "Diamond")
    begins: list[float | None] = [None, *(900.0 + 100.0 * step for step in range(14))]
    divided = tuple(Tier(name, tuple(begins[3 * i : 3 * i + 3])) for i, name in enumerate(names))
    return (*divided, Tier("Master", (2300.0,)))


def _setting(default: int, low: int, high: int) -> Any:
    """An integer setting with its allowed range."""
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True)
class RankRules:
    """Every setting of the visible rank of one season and queue. Raises RatingInputError naming a bad field.

    base, low, high: what a win pays and a loss costs without a gap, and the bounds of both.
    gap_pay: how many points each half division between rank and target adds to one and takes from the other.
    draw_pay, draw_high: points a draw moves towards the target for each half division of the gap, and its bound.
    shield: matches after a promotion without demotion. tier_guard: losses at zero forgiven at the foot of a tier.
    protected_within: protections rest while the rank stands higher above its target than this.
    placement_matches, placement_most: fewest and most matches until the first rank of a season.
    placement_returning: the fewest for somebody who brings a rating from an earlier season.
    placement_deviation: placement goes on above this deviation (club scale).
    placement_below, placement_cap: how far under the target the first rank is set, and the highest it may be.
    target_from: "rating", or "conservative" for the engine's cautious value.
    carry_deviation: by how much (club scale, as a root sum of squares) a new season widens a known deviation.
    reset_middle: the middle towards which a new season moves ranks, in per cent of the way from the foot of the table
    to its top tier. reset_kept: how much of the distance from there stays, in per cent.
    reset_leave: how many divisions the first rank of a new season may lie from the one that the reset left.
    decay_points: what an idle day costs, 0 for no decay. decay_every: one such day in how many.
    decay_from: the lowest tier that fades, counted from 0. decay_grace: idle days that cost nothing.
    decay_bank, decay_bank_limit: further free days that each match earns, and how many may be put by.
    decay_warning: how many days before the first loss the player is told.
    titles: for the best of the top tier, the fewest first.
    """

    tiers: tuple[Tier, ...] = field(default_factory=_standard_tiers)
    base: int = _setting(20, 1, DIVISION)
    low: int = _setting(10, 0, DIVISION)
    high: int = _setting(40, 1, DIVISION)
    gap_pay: int = _setting(7, 0, DIVISION)
    draw_pay: int = _setting(2, 0, 25)
    draw_high: int = _setting(8, 0, DIVISION)
    shield: int = _setting(3, 0, 100)
    tier_guard: int = _setting(1, 0, 10)
    protected_within: int = _setting(2 * DIVISION, 0, 100 * DIVISION)
    placement_matches: int = _setting(5, 0, 50)
    placement_returning: int = _setting(3, 0, 50)
    placement_most: int = _setting(10, 0, 100)
    placement_deviation: int = _setting(250, 1, 2000)
    placement_below: int = _setting(DIVISION, 0, 20 * DIVISION)
    placement_cap: int = _setting(12 * DIVISION, 0, MAX_DIVISIONS * DIVISION)
    target_from: str = "rating"
    carry_deviation: int = _setting(60, 0, 350)
    reset_middle: int = _setting(50, 0, 100)
    reset_kept: int = _setting(50, 0, 100)
    reset_leave: int = _setting(3, 0, MAX_DIVISIONS)
    decay_points: int = _setting(0, 0, DIVISION)
    decay_every: int = _setting(1, 1, 31)
    decay_from: int = _setting(3, 0, MAX_DIVISIONS - 1)
    decay_grace: int = _setting(14, 0, 365)
    decay_bank: int = _setting(1, 0, 31)
    decay_bank_limit: int = _setting(14, 0, 365)
    decay_warning: int = _setting(3, 1, 60)
    titles: tuple[Title, ...] = ()

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            if "range" in one.metadata:
                _whole(one.name, getattr(self, one.name), *one.metadata["range"])
        _check_tiers(self.tiers)
        _check_titles(self.titles)
        self._check_together()

    def _check_together(self) -> None:
        if not self.low <= self.base <= self.high:
            raise RatingInputError("base", f"must lie between low ({self.low}) and high ({self.high})")
        if self.placement_returning > self.placement_matches:
            raise RatingInputError("placement_returning", f"must be at most {self.placement_matches} as for newcomers")
        if self.placement_most < self.placement_matches:
            raise RatingInputError("placement_most", f"must be at least placement_matches, {self.placement_matches}")
        if self.target_from not in ("rating", "conservative"):
            raise RatingInputError("target_from", f"must be rating or conservative, got {self.target_from!r}")
        if self.fades:
            self._check_decay()

    def _check_decay(self) -> None:
        if self.decay_from >= len(self.tiers):
            raise RatingInputError("decay_from", f"must be one of the {len(self.tiers)} tiers, counted from 0")
        room = self.decay_grace + self.decay_every - 1
        if self.decay_warning > room:
            told = f"must be at most {room}: no rank fades sooner than that many days after a match"
            raise RatingInputError("decay_warning", told if room else "does not fit: give a grace of at least 1 day")

    @property
    def fades(self) -> bool:
        """Whether idle ranks lose points."""
        return self.decay_points > 0

    @cached_property
    def begins(self) -> tuple[float | None, ...]:
        """Where every division begins, bottom up."""
        return tuple(begin for tier in self.tiers for begin in tier.begins)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(tier, division) of every division index; division 1 is the highest of its tier, 0 in an undivided one."""
        return tuple(
            (index, len(tier.begins) - step if len(tier.begins) > 1 else 0)
            for index, tier in enumerate(self.tiers)
            for step in range(len(tier.begins))
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rules from what `to_json` gave; what is missing keeps its default. Raises RatingInputError."""
        known = {one.name for one in dataclasses.fields(cls)}
        for name in data:
            if name not in known:
                raise RatingInputError(str(name), f"is no setting of ranks; known are {', '.join(sorted(known))}")
        values = dict(data)
        if "tiers" in values:
            values["tiers"] = _read_tiers(values["tiers"])
        if "titles" in values:
            values["titles"] = _read_titles(values["titles"])
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON column."""
        values = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        values["tiers"] = [{"name": tier.name, "begins": list(tier.begins)} for tier in self.tiers]
        values["titles"] = [{"name": title.name, "best": title.best} for title in self.titles]
        return values


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RatingInputError(name, f"must be a whole number, got {value!r}")
    if not low <= value <= high:
        raise RatingInputError(name, f"must be between {low} and {high}, got {value}")


def _read_tiers(value: object) -> tuple[Tier, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RatingInputError("tiers", "must be a list of tiers")
    tiers = []
    for position, one in enumerate(value):
        if not isinstance(one, Mapping) or set(one) != {"name", "begins"}:
            raise RatingInputError(f"tiers[{position}]", "must have a name and begins, and nothing else")
        begins = one["begins"]
        if not isinstance(begins, Sequence) or isinstance(begins, str):
            raise RatingInputError(f"tiers[{position}].begins", "must be a list of ratings")
        tiers.append(Tier(one["name"], tuple(begins)))
    return tuple(tiers)


def _read_titles(value: object) -> tuple[Title, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RatingInputError("titles", "must be a list of titles")
    for position, one in enumerate(value):
        if not isinstance(one, Mapping) or set(one) != {"name", "best"}:
            raise RatingInputError(f"titles[{position}]", "must have a name and best, and nothing else")
    return tuple(Title(one["name"], one["best"]) for one in value)


def _check_titles(titles: tuple[Title, ...]) -> None:
    if len(titles) > MAX_TITLES:
        raise RatingInputError("titles", f"must be at most {MAX_TITLES}, got {len(titles)}")
    names: set[str] = set()
    fewer = 0
    for index, title in enumerate(titles):
        _check_name(f"titles[{index}].name", title.name, names)
        _whole(f"titles[{index}].best", title.best, 1, MOST_TITLED)
        if title.best <= fewer:
            raise RatingInputError(f"titles[{index}].best", f"must be more than the title before it has, {fewer}")
        fewer = title.best


def _check_name(field: str, name: object, seen: set[str]) -> None:
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_TIER_NAME:
        raise RatingInputError(field, f"must be 1 to {MAX_TIER_NAME} characters")
    if name in seen:
        raise RatingInputError(field, f"{name!r} stands twice")
    seen.add(name)


def _check_tiers(tiers: tuple[Tier, ...]) -> None:
    _check_shape(tiers)
    begins = [
        (f"tiers[{index}].begins[{step}]", begin)
        for index, tier in enumerate(tiers)
        for step, begin in enumerate(tier.begins)
    ]
    if not 2 <= len(begins) <= MAX_DIVISIONS:
        raise RatingInputError("tiers", f"must hold 2 to {MAX_DIVISIONS} divisions, got {len(begins)}")
    if begins[0][1] is not None:
        raise RatingInputError("tiers[0].begins[0]", "must be empty: the lowest division takes everybody below")
    last: float | None = None
    for name, begin in begins[1:]:
        if begin is None:
            raise RatingInputError(name, "is missing")
        number(name, begin)
        if last is not None and begin <= last:
            raise RatingInputError(name, f"must be above the division before it, {last:g}, got {begin:g}")
        last = begin


def _check_shape(tiers: tuple[Tier, ...]) -> None:
    if not tiers:
        raise RatingInputError("tiers", "must not be empty")
    names: set[str] = set()
    for index, tier in enumerate(tiers):
        _check_name(f"tiers[{index}].name", tier.name, names)
        if not tier.begins:
            raise RatingInputError(f"tiers[{index}].begins", "must not be empty")
    if len(tiers[-1].begins) != 1:
        raise RatingInputError(f"tiers[{len(tiers) - 1}].begins", "must hold one division: the top tier is undivided")


DEFAULT_RULES = RankRules()
