"""From one model's own scale to another's: every stored belief says on which it stands."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ratings.core.periods import MATCH
from ratings.core.types import Belief, Engine


@dataclass(frozen=True, slots=True)
class BeliefModel:
    """A stored rating model as the arithmetic takes it.

    since: when it came into force, None for "always was". period: "match", or the "week" or "month" whose matches it
    rates together.
    """

    id: UUID
    engine: Engine
    version: int
    since: datetime | None = None
    period: str = MATCH

    @property
    def name(self) -> str:
        """What people call it: engine and version."""
        return f"{self.engine.name} v{self.version}"

    def as_fact(self) -> dict[str, str]:
        """How an explanation names it."""
        return {"id": str(self.id), "name": self.name}

    def is_later_than(self, other: "BeliefModel") -> bool:
        """Whether it came into force after the other one."""
        if self.id == other.id or self.since is None:
            return False
        return other.since is None or self.since > other.since


def same_scale(one: Engine, other: Engine) -> bool:
    """Whether a belief means the same to both: one algorithm, and one mapping onto the club scale.

    Their other parameters may differ.
    """
    return one is other or (one.name, one.centre, one.unit) == (other.name, other.centre, other.unit)


def moved(belief: Belief, old: Engine, new: Engine) -> Belief:
    """The belief on another engine's own scale, by way of the club scale; untouched where the scale is the same.

    What the new engine tracks and the old one did not is a newcomer's, what it does not track is dropped.
    """
    return belief if same_scale(old, new) else new.from_club(old.to_club(belief))
