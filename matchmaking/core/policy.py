"""A queue's matchmaking policy: what it says, its shipped presets, and its road to and from JSON."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["DEFAULT_PRESET", "PRESETS", "Policy", "PolicyProblem", "Step", "Window"]

WIDEST = 5000.0
LONGEST = 24 * 3600.0


class PolicyProblem(ValueError):
    """A policy that must not be saved. field: the name of the setting at fault; problem: what is wrong with it."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Step:
    """From `after` seconds of waiting on, the window is `width` rating points."""

    after: float
    width: float


@dataclass(frozen=True, slots=True)
class Window:
    """How far from its own rating a ticket looks: base + growth x seconds up to cap, and never less than its steps.

    base, cap: rating points. growth: points per second. steps: in order of time, never narrower than the one before.
    """

    base: float
    growth: float
    cap: float
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """window: whom a ticket would accept. lifetime: seconds until an unmatched ticket expires; None: never."""

    window: Window
    lifetime: float | None = 300.0

    def to_json(self) -> dict[str, object]:
        """The settings as plain JSON."""
        window: dict[str, object] = {
            "base": self.window.base,
            "growth": self.window.growth,
            "cap": self.window.cap,
            "steps": [[step.after, step.width] for step in self.window.steps],
        }
        return {"window": window, "lifetime": self.lifetime}

    @classmethod
    def from_json(cls, settings: object) -> "Policy":
        """The policy of these settings; raises PolicyProblem naming the first field at fault."""
        fields = _object("policy", settings, {"window", "lifetime"})
        policy = cls(window=_window(fields.get("window")), lifetime=_lifetime(fields.get("lifetime", 300.0)))
        check(policy)
        return policy


def check(policy: Policy) -> None:
    """Raise PolicyProblem unless windows are sound, never shrink with waiting and stay within their cap."""
    window = policy.window
    _within("window.base", window.base, 0.0, WIDEST)
    _within("window.growth", window.growth, 0.0, WIDEST)
    _within("window.cap", window.cap, 1.0, WIDEST)
    if window.base > window.cap:
        raise PolicyProblem("window.base", "must not be above the cap")
    before = Step(after=-1.0, width=0.0)
    for number, step in enumerate(window.steps, 1):
        name = f"window.steps[{number}]"
        _within(name, step.after, 0.0, LONGEST)
        _within(name, step.width, 0.0, window.cap)
        if step.after <= before.after:
            raise PolicyProblem(name, "must begin later than the step before it")
        if step.width < before.width:
            raise PolicyProblem(name, "must not be narrower than the step before it: waiting never narrows a search")
        before = step
    if policy.lifetime is not None:
        _within("lifetime", policy.lifetime, 5.0, LONGEST)


def _window(value: object) -> Window:
    fields = _object("window", value, {"base", "growth", "cap", "steps"})
    steps = fields.get("steps", [])
    if not isinstance(steps, list | tuple):
        raise PolicyProblem("window.steps", "must be a list of [seconds, points] pairs")
    return Window(
        base=_number("window.base", fields.get("base")),
        growth=_number("window.growth", fields.get("growth")),
        cap=_number("window.cap", fields.get("cap")),
        steps=tuple(_step(number, step) for number, step in enumerate(steps, 1)),
    )


def _step(number: int, value: object) -> Step:
    name = f"window.steps[{number}]"
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PolicyProblem(name, "must be a pair [seconds, points]")
    return Step(after=_number(name, value[0]), width=_number(name, value[1]))


def _lifetime(value: object) -> float | None:
    return None if value is None else _number("lifetime", value)


def _object(field: str, value: object, allowed: set[str]) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise PolicyProblem(field, "must be given as an object")
    for key in value:
        if key not in allowed:
            raise PolicyProblem(str(key), "is not a setting of this policy")
    return value


def _number(field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PolicyProblem(field, "must be a number")
    return float(value)


def _within(field: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise PolicyProblem(field, f"must be between {least:g} and {most:g}")


DEFAULT_PRESET = "fair"
PRESETS: Mapping[str, Policy] = {
    "quick": Policy(Window(base=50.0, growth=25.0, cap=400.0)),
    "fair": Policy(Window(base=50.0, growth=5.0, cap=200.0)),
    "strict": Policy(Window(base=50.0, growth=2.0, cap=150.0)),
}
