"""What rating engines, their parameters and the states of models are called on pages."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from ratings.core.parameters import ParameterInfo, Value
from ratings.core.registry import parameter_schema


def engine_name(algorithm: str) -> str:
    """What people call an engine."""
    return {
        "elo": _("Elo"),
        "elo_fide": _("Elo by FIDE's rules"),
        "glicko": _("Glicko"),
        "glicko2": _("Glicko-2"),
        "trueskill": _("TrueSkill"),
        "trueskill2": _("TrueSkill 2"),
        "weng_lin": _("Weng-Lin"),
    }.get(algorithm, algorithm)


def engine_use(algorithm: str) -> str:
    """For whom an engine is, in one sentence."""
    return {
        "elo": _("One number that everybody can compute by hand."),
        "elo_fide": _("The arithmetic of the chess federation, rounding included; meant for monthly periods."),
        "glicko": _("Knows how sure it is of each player; newcomers move fast."),
        "glicko2": _("Like Glicko, and notices when somebody plays erratically. The usual choice for one against one."),
        "trueskill": _("For teams, draws and people who play only a part of a match."),
        "trueskill2": _("TrueSkill with experience, parties and individual figures; each is off until you turn it on."),
        "weng_lin": _("For teams and fields of several, cheap and good without any tuning."),
    }.get(algorithm, "")


def parameter_name(name: str) -> str:
    """A parameter's name as a label."""
    return _(name.replace("_", " ").capitalize())


def parameter_value(value: Value) -> str:
    """A parameter's value as text."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"{value:.6g}".replace("-", "−") if isinstance(value, int | float) else str(value)


def bound(value: float | None) -> str:
    """An end of a range as text, never with an exponent: 0.000001, 10000; nothing for an open one."""
    if value is None:
        return ""
    return f"{value:.12f}".rstrip("0").rstrip(".").replace("-", "−")


def range_words(info: ParameterInfo) -> str:
    """The allowed range and what the engine ships with."""
    told = {"low": bound(info.low), "high": bound(info.high), "default": parameter_value(info.default)}
    if info.low is not None and info.high is not None:
        return _("%(low)s to %(high)s; shipped: %(default)s.") % told
    if info.low is not None:
        return _("At least %(low)s; shipped: %(default)s.") % told
    return _("Shipped: %(default)s.") % told


def schema_of(algorithm: str) -> Mapping[str, ParameterInfo]:
    """An engine's parameters by name."""
    return {info.name: info for info in parameter_schema(algorithm)}


def differences(algorithm: str, parameters: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    """In which parameters two models of one engine differ."""
    return tuple(name for name in schema_of(algorithm) if parameters.get(name) != other.get(name))
