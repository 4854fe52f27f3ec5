"""What a queue makes of ratings from the club's other queues when it places a newcomer. Points of the club scale."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from ratings.core.guards import number
from ratings.core.problems import RatingInputError
from ratings.core.transfer import MOST_OFFSET, MOST_SPREAD, Transfer


def _setting(default: float, low: float, high: float) -> Any:
    """A number with its allowed range."""
    return dataclasses.field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True, slots=True)
class PriorRules:
    """Every setting of a queue's newcomers. Raises RatingInputError naming a bad field.

    offset: added to a rating from another queue of the same game, which may be easier or harder than this one.
    same_game_widening: by how much (as a root sum of squares) such a rating is less sure here.
    other_game_weight: how much of the distance from the middle (1500) a rating in another game keeps; 0 ignores it.
    other_game_widening: the same for such a rating; it cannot be surer than one in the same game.
    """

    offset: float = _setting(0.0, -MOST_OFFSET, MOST_OFFSET)
    same_game_widening: float = _setting(100.0, 0.0, MOST_SPREAD)
    other_game_weight: float = _setting(0.0, 0.0, 1.0)
    other_game_widening: float = _setting(200.0, 0.0, MOST_SPREAD)

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            number(one.name, getattr(self, one.name), *one.metadata["range"])
        if self.other_game_widening < self.same_game_widening:
            least = f"{self.same_game_widening:g}"
            raise RatingInputError("other_game_widening", f"must be at least that of the same game, {least}")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Rules from what `to_json` gave; what is missing keeps its default. Raises RatingInputError."""
        known = {one.name for one in dataclasses.fields(cls)}
        for name in data:
            if name not in known:
                raise RatingInputError(str(name), f"is no setting of newcomers; known are {', '.join(sorted(known))}")
        return cls(**data)

    def to_json(self) -> dict[str, float]:
        """Plain values for a JSON column."""
        return {one.name: float(getattr(self, one.name)) for one in dataclasses.fields(self)}

    def measured(self, same_game: Transfer | None, other_game: Transfer | None) -> Self:
        """These rules with what was measured in place of what was set; whole points, hundredths of a weight.

        Where nothing could be measured the setting stays, save that another game is never surer than the same one.
        """
        values = self.to_json()
        if same_game is not None:
            values |= {"offset": float(round(same_game.offset)), "same_game_widening": float(round(same_game.spread))}
        if other_game is not None:
            values |= {
                "other_game_weight": round(other_game.weight, 2),
                "other_game_widening": float(round(other_game.spread)),
            }
        values["other_game_widening"] = max(values["other_game_widening"], values["same_game_widening"])
        return dataclasses.replace(self, **values)
