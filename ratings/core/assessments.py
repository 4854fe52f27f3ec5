"""The question asked at the door, how well one plays: its answers, and the rating that each of them stands for.

Ratings are points of the club scale and for the staff alone; players see labels.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ratings.core.guards import number
from ratings.core.problems import RatingInputError

WIDE_DEVIATION = 350.0  # how far off an answer may be, on the club scale
SELF_ASSESSMENTS = {"novice": 800.0, "casual": 1200.0, "club": 1500.0, "expert": 1800.0}
LOWEST_RATING, HIGHEST_RATING = 100.0, 3000.0
FEWEST_OFFERED, MOST_OFFERED = 2, 8
LONGEST_KEY, LONGEST_LABEL = 12, 120
MOST_KEPT = 100  # with those that are no longer offered
_KEY = re.compile(rf"[a-z0-9-]{{1,{LONGEST_KEY}}}")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. label: the club's own words, empty for the words that come with the key.

    An answer that is not offered any more keeps its rating for those who once chose it.
    """

    key: str
    rating: float
    label: str = ""
    is_offered: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON column."""
        return {"key": self.key, "label": self.label, "rating": self.rating, "is_offered": self.is_offered}


@dataclass(frozen=True, slots=True)
class Assessments:
    """A club's answers, the weakest first. Raises RatingInputError naming the answer and what is wrong with it."""

    answers: tuple[Answer, ...]

    def __post_init__(self) -> None:
        _check(self.answers)
        object.__setattr__(self, "answers", tuple(sorted(self.answers, key=lambda one: (one.rating, one.key))))

    @property
    def offered(self) -> tuple[Answer, ...]:
        """Those that may be chosen, the weakest first."""
        return tuple(one for one in self.answers if one.is_offered)

    def find(self, key: str) -> Answer | None:
        """The answer of that key, offered or not."""
        return next((one for one in self.answers if one.key == key), None)

    @classmethod
    def from_json(cls, stored: object) -> Self:
        """What a club stored; nothing stored stands for the four shipped answers. Raises RatingInputError."""
        if not stored:
            return cls(tuple(Answer(key, rating) for key, rating in SELF_ASSESSMENTS.items()))
        if not isinstance(stored, Sequence) or isinstance(stored, str):
            raise RatingInputError("answers", "must be a list")
        return cls(tuple(_read(position, one) for position, one in enumerate(stored)))

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values for a JSON column."""
        return [one.to_json() for one in self.answers]


def _read(position: int, stored: object) -> Answer:
    known = {one.name for one in dataclasses.fields(Answer)}
    if not isinstance(stored, Mapping) or not {"key", "rating"} <= set(stored) <= known:
        raise RatingInputError(f"answers[{position}]", f"must have {', '.join(sorted(known))}, and nothing else")
    return Answer(**stored)


def _check(answers: tuple[Answer, ...]) -> None:
    for position, one in enumerate(answers):
        _check_one(f"answers[{position}]", one)
    _refuse_twins("key", [one.key for one in answers])
    offered = [one for one in answers if one.is_offered]
    _refuse_twins("label", [one.label.casefold() for one in offered if one.label])
    if not FEWEST_OFFERED <= len(offered) <= MOST_OFFERED:
        raise RatingInputError("answers", f"must be {FEWEST_OFFERED} to {MOST_OFFERED} to choose from")
    if len(answers) > MOST_KEPT:
        raise RatingInputError("answers", f"must be at most {MOST_KEPT}, with those no longer offered")


def _check_one(field: str, one: Answer) -> None:
    if not isinstance(one.key, str) or not _KEY.fullmatch(one.key):
        raise RatingInputError(f"{field}.key", f"must be 1 to {LONGEST_KEY} small letters, digits and hyphens")
    if not isinstance(one.label, str) or len(one.label) > LONGEST_LABEL:
        raise RatingInputError(f"{field}.label", f"must be at most {LONGEST_LABEL} characters")
    if not one.label and one.key not in SELF_ASSESSMENTS:
        raise RatingInputError(f"{field}.label", "is missing")
    if not isinstance(one.is_offered, bool):
        raise RatingInputError(f"{field}.is_offered", f"must be true or false, got {one.is_offered!r}")
    number(f"{field}.rating", one.rating, LOWEST_RATING, HIGHEST_RATING)


def _refuse_twins(field: str, values: Sequence[str]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise RatingInputError(field, f"{value!r} stands twice")
