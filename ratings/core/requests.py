"""What a stored replay or fit was asked to do, as frozen values that know their JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from ratings.core.periods import MATCH
from ratings.core.registry import get_engine
from ratings.core.report import ModelSpec


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model to replay, or to start a search from.

    label: what the report calls it. name: the engine. period: "match", "week" or "month". rating_model: the id of
    the stored model that it is, as text; empty for one that is not stored.
    """

    label: str
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    period: str = MATCH
    rating_model: str = ""

    def completed(self) -> Self:
        """The same with every parameter written out. Raises RatingInputError naming what is wrong."""
        return replace(self, parameters=get_engine(self.name, self.parameters).parameters.as_dict())

    def spec(self) -> ModelSpec:
        """As a replay takes it."""
        return ModelSpec(self.label, self.name, self.parameters, self.period)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "parameters": dict(self.parameters)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From its JSON."""
        return cls(**stored)


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """Models side by side. ignore_first: share of the matches that is rated and not measured."""

    models: tuple[ModelChoice, ...]
    ignore_first: float = 0.1
    ageing: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        models = [one.as_dict() for one in self.models]
        return {"models": models, "ignore_first": self.ignore_first, "ageing": self.ageing}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From its JSON."""
        return cls(tuple(map(ModelChoice.of, stored["models"])), stored["ignore_first"], stored["ageing"])


@dataclass(frozen=True, slots=True)
class FitSettings:
    """A search. only: the parameters to search, all usual ones where empty. train: share that is searched on.

    rounds: at most so many per search.
    """

    start: ModelChoice
    only: tuple[str, ...] = ()
    train: float = 0.6
    ignore_first: float = 0.1
    rounds: int = 40
    ageing: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "start": self.start.as_dict(), "only": list(self.only)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From its JSON."""
        return cls(**{**stored, "start": ModelChoice.of(stored["start"]), "only": tuple(stored["only"])})
