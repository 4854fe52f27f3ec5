"""Rating models that come with the app, each with a report of how it predicts on data everybody can get."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FIRST_PRESET = "glicko2"


@dataclass(frozen=True, slots=True)
class DataReport:
    """How a preset predicted one history, in order, each match before it was rated, the first tenth not counted.

    ageing: whether idle days widened the deviations, as they do in the live ledger. A draw counts half in loss and
    Brier score and not at all in accuracy.
    """

    data: str
    ageing: bool
    matches: int
    log_loss: float
    brier: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Preset:
    """An engine with parameters under a name; `parameters` are those that differ from the engine's defaults."""

    name: str
    algorithm: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reports: tuple[DataReport, ...] = ()


_GLICKO2 = Preset(
    name="glicko2",
    algorithm="glicko2",
    reports=(
        DataReport("leagues.csv", True, 13365, log_loss=0.6405, brier=0.1634, accuracy=0.6741),
        DataReport("leagues.csv", False, 13365, log_loss=0.6362, brier=0.1617, accuracy=0.676),
        DataReport("intl_football.csv", True, 44568, log_loss=0.5948, brier=0.1469, accuracy=0.7289),
        DataReport("intl_football.csv", False, 44568, log_loss=0.5933, brier=0.1462, accuracy=0.729),
    ),
)
PRESETS = {preset.name: preset for preset in (_GLICKO2,)}
