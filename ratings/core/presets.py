"""Rating models that come with the app, each with a report of how it predicts on data everybody can get."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

FIRST_PRESET = "glicko2"


@dataclass(frozen=True, slots=True)
class DataReport:
    """How a preset predicted one history, in order, each match before it was rated."""

    data: str
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

    def report_as_dict(self) -> dict[str, Any]:
        """What a RatingModel made from it keeps as its replay report."""
        return {"preset": self.name, "reports": [asdict(report) for report in self.reports]}


PRESETS = {preset.name: preset for preset in (Preset(name="glicko2", algorithm="glicko2"),)}
