"""Parameters that know their own range: one frozen dataclass per engine, validated once, ready for JSON and forms."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Self

from ratings.core.problems import RatingInputError

Value = float | int | bool | str
_LARGEST = 1e300  # whole numbers beyond the floats are refused before they are turned into one


def parameter(
    default: Value,
    description: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field with its inclusive range and a sentence for people (typed Any, as `dataclasses.field` is)."""
    metadata = {"description": description, "low": low, "high": high, "choices": choices}
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True, slots=True)
class ParameterInfo:
    """One parameter as a form needs it; `kind` is "number", "integer", "switch" or "choice"."""

    name: str
    kind: str
    default: Value
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    description: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Parameters:
    """What every engine takes. Points are points of the club scale (400 = odds of ten to one)."""

    side_advantage: float = parameter(0.0, "Points added to the side that plays at home, white or attack.", -400, 400)
    party_offset: float = parameter(
        0.0,
        "Points added to every member of a party for each further member: a party plays better together.",
        -200,
        200,
    )
    margin_weight: float = parameter(
        0.0, "How much a clear result moves more: times 1 + weight * curve(margin). 0 is off.", 0, 10
    )
    margin_power: float = parameter(
        0.0, "Curve of the margin: 0 is ln(1 + margin), 1 is the margin itself, between them ((1 + m)^p - 1) / p.", 0, 1
    )
    margin_cap: float = parameter(4.0, "The most that a clear result may multiply a change by.", 1, 20)

    @classmethod
    def build(cls, values: Mapping[str, object] | None) -> Self:
        """Validated parameters from a mapping, defaults for what is missing. Raises RatingInputError with the field."""
        given = dict(values or {})
        known = {info.name: info for info in cls.schema()}
        for name in given:
            if name not in known:
                raise RatingInputError(str(name), f"is not a parameter here; known are {', '.join(sorted(known))}")
        checked: dict[str, Any] = {name: _checked(known[name], value) for name, value in cls.completed(given).items()}
        built = cls(**checked)
        built.check_together()
        return built

    @classmethod
    def completed(cls, given: dict[str, object]) -> dict[str, object]:
        """Hook: defaults that follow from other values."""
        return given

    def check_together(self) -> None:
        """Hook: what only shows when two parameters are seen side by side. Raises RatingInputError."""

    @classmethod
    def schema(cls) -> tuple[ParameterInfo, ...]:
        """Every parameter with default, range and description, in the order of declaration."""
        return tuple(_info(field) for field in dataclasses.fields(cls))

    def as_dict(self) -> dict[str, Value]:
        """Plain values, ready for JSON; `build` of it gives the same parameters."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def _info(field: "dataclasses.Field[Any]") -> ParameterInfo:
    meta = field.metadata
    default: Any = field.default
    return ParameterInfo(
        name=field.name,
        kind=_kind(default, meta["choices"]),
        default=default,
        low=meta["low"],
        high=meta["high"],
        choices=meta["choices"],
        description=meta["description"],
    )


def _kind(default: object, choices: tuple[str, ...]) -> str:
    if choices:
        return "choice"
    if isinstance(default, bool):
        return "switch"
    return "integer" if isinstance(default, int) else "number"


def _checked(info: ParameterInfo, value: object) -> Value:
    if info.kind == "choice":
        if isinstance(value, str) and value in info.choices:
            return value
        raise RatingInputError(info.name, f"must be one of {', '.join(info.choices)}, got {value!r}")
    if info.kind == "switch":
        if isinstance(value, bool):
            return value
        raise RatingInputError(info.name, f"must be true or false, got {value!r}")
    return _checked_number(info, value)


def _checked_number(info: ParameterInfo, value: object) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RatingInputError(info.name, f"must be a number, got {value!r}")
    if abs(value) > _LARGEST or not math.isfinite(value):
        raise RatingInputError(info.name, f"must be finite, got {value!r}")
    if info.kind == "integer" and value != int(value):
        raise RatingInputError(info.name, f"must be a whole number, got {value!r}")
    if (info.low is not None and value < info.low) or (info.high is not None and value > info.high):
        raise RatingInputError(info.name, f"must be between {info.low:g} and {info.high:g}, got {value!r}")
    return int(value) if info.kind == "integer" else float(value)
