"""Engines by name. The only door to them for the rest of the project."""

from collections.abc import Mapping

from ratings.core.elo import Elo
from ratings.core.elo_fide import EloFide
from ratings.core.engine_base import BaseEngine
from ratings.core.glicko import Glicko, Glicko2
from ratings.core.parameters import ParameterInfo
from ratings.core.problems import RatingInputError
from ratings.core.trueskill import TrueSkill
from ratings.core.trueskill2 import TrueSkill2
from ratings.core.types import Engine
from ratings.core.weng_lin import WengLin

_ENGINES: dict[str, type[BaseEngine]] = {
    engine.name: engine for engine in (Elo, EloFide, Glicko, Glicko2, TrueSkill, TrueSkill2, WengLin)
}


def engine_names() -> tuple[str, ...]:
    """The names `get_engine` knows, in alphabetical order."""
    return tuple(sorted(_ENGINES))


def parameter_schema(name: str) -> tuple[ParameterInfo, ...]:
    """An engine's parameters with default, range and description, for forms and documents."""
    return _engine_type(name).parameters_type.schema()


def get_engine(name: str, parameters: Mapping[str, object] | None = None) -> Engine:
    """The engine `name` with validated parameters; raises RatingInputError naming what is wrong."""
    engine = _engine_type(name)
    return engine(engine.parameters_type.build(parameters))


def _engine_type(name: str) -> type[BaseEngine]:
    if name not in _ENGINES:
        raise RatingInputError("name", f"{name!r} is no rating engine; known are {', '.join(engine_names())}")
    return _ENGINES[name]
