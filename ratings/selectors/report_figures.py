"""A stored report's JSON as typed values: what pages, tables and plots show. Everything here is for the staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Stored = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """How good predictions were; None where nothing was counted. pair_accuracy: only where there were several sides."""

    matches: int
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    ece: float | None
    pair_accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Figures of a part of the matches. value: the band's lower end in club points, or the size of the party."""

    value: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of the calibration: predictions from `start` up to a tenth more."""

    start: float
    count: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Convergence:
    """How many matches newcomers needed; error: (after so many matches, mean distance in club points)."""

    players: int
    median: float | None
    p90: float | None
    error: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place under a model; rating and deviation on the club scale."""

    place: int
    player: str
    rating: float
    deviation: float | None
    games: int


@dataclass(frozen=True, slots=True)
class Mover:
    """Whose place differs from the one under the report's first model."""

    player: str
    place: int
    reference: int

    @property
    def moved(self) -> int:
        """Places gained."""
        return self.reference - self.place


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """One model of a report. rating_model: the id of the stored model that it was, as text, or empty.

    blocks: the losses for ratings.core.paired, None in a report from before they were kept.
    """

    label: str
    name: str
    period: str
    parameters: Mapping[str, Any]
    rating_model: str
    total: Figures
    newcomers: Figures
    calibration: tuple[Bin, ...]
    bands: tuple[Group, ...]
    party_sizes: tuple[Group, ...]
    convergence: Convergence
    standings: tuple[Standing, ...]
    movers: tuple[Mover, ...]
    seconds: float
    matches_per_second: float | None
    blocks: Stored | None = None


@dataclass(frozen=True, slots=True)
class FitSpan:
    """Log loss over a part of the history, of where the search began and of what it found."""

    name: str
    matches: int
    start: float
    fitted: float


@dataclass(frozen=True, slots=True)
class Changed:
    """A parameter that the search moved."""

    name: str
    start: Any
    fitted: Any


@dataclass(frozen=True, slots=True)
class FitFigures:
    """What a search found. parameters: complete, ready for a draft."""

    name: str
    period: str
    parameters: Mapping[str, Any]
    changed: tuple[Changed, ...]
    spans: tuple[FitSpan, ...]
    candidates: int
    rounds: int


@dataclass(frozen=True, slots=True)
class ShippedFigures:
    """How a shipped model predicted data that everybody can get."""

    data: str
    ageing: bool
    figures: Figures


def model_figures(stored: Stored, names: Mapping[str, str]) -> ModelFigures:
    """A model's part of a finished replay; `names` are those of players by id."""
    convergence = stored["convergence"]
    return ModelFigures(
        label=stored["label"],
        name=stored["name"],
        period=stored["period"],
        parameters=stored["parameters"],
        rating_model=stored["rating_model"],
        total=figures(stored),
        newcomers=figures(stored["newcomers"]),
        calibration=tuple(
            Bin(one["from"], one["count"], one["predicted"], one["observed"]) for one in stored["calibration"]
        ),
        bands=_groups(stored["bands"]),
        party_sizes=_groups(stored["party_sizes"]),
        convergence=Convergence(
            convergence["players"],
            convergence["median"],
            convergence["p90"],
            tuple((int(games), error) for games, error in convergence["error"].items()),
        ),
        standings=tuple(
            Standing(row["place"], names.get(row["player"], ""), row["rating"], row["deviation"], row["games"])
            for row in stored["standings"]
        ),
        movers=tuple(Mover(names.get(row["player"], ""), row["place"], row["reference"]) for row in stored["movers"]),
        seconds=stored["seconds"],
        matches_per_second=stored["matches_per_second"],
        blocks=stored.get("blocks"),
    )


def fit_figures(stored: Stored, start: Stored) -> FitFigures:
    """A finished search; `start` are the parameters it began with, complete."""
    parameters = {**start, **stored["parameters"]}
    return FitFigures(
        name=stored["model"],
        period=stored["period"],
        parameters=parameters,
        changed=tuple(Changed(name, start[name], value) for name, value in parameters.items() if value != start[name]),
        spans=tuple(
            FitSpan(name, stored[name]["matches"], stored[name]["start"], stored[name]["fitted"])
            for name in ("train", "held_out", "all")
        ),
        candidates=stored["candidates"],
        rounds=stored["rounds"],
    )


def shipped_figures(stored: Sequence[Stored]) -> tuple[ShippedFigures, ...]:
    """What a shipped model came with."""
    return tuple(ShippedFigures(one["data"], one["ageing"], figures(one)) for one in stored)


def figures(stored: Stored) -> Figures:
    """The figures that every part of a report has."""
    return Figures(
        matches=stored["matches"],
        log_loss=stored["log_loss"],
        brier=stored["brier"],
        accuracy=stored["accuracy"],
        ece=stored.get("ece"),
        pair_accuracy=stored.get("pair_accuracy"),
    )


def people_of(models: Sequence[Stored]) -> set[str]:
    """The ids of everybody whom the models' parts name."""
    return {row["player"] for model in models for table in ("standings", "movers") for row in model[table]}


def _groups(stored: Mapping[str, Stored]) -> tuple[Group, ...]:
    found = (Group(int(value), figures(one)) for value, one in stored.items())
    return tuple(sorted(found, key=lambda group: group.value))
