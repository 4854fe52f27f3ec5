"""Where newcomers of a queue start: what is set, what was measured, and what either would come to."""

from dataclasses import dataclass

from ladder.core.versions import version_of
from ladder.models import Queue
from ladder.selectors.access import Access
from ladder.selectors.desk import queue_named
from ladder.selectors.self_assessments import AnswerRow, answer_rows
from ratings.core.assessments import WIDE_DEVIATION
from ratings.core.prior_rules import PriorRules
from ratings.core.priors import OtherRating, from_other_queue
from ratings.core.types import Belief
from ratings.selectors.prior_basis import PriorBasis, prior_basis
from ratings.selectors.transfers import Measured, measured

EXAMPLES = (Belief(1200.0, 80.0), Belief(1800.0, 80.0))


@dataclass(frozen=True, slots=True)
class Example:
    """Where a rating of another queue would lead, as rating and deviation; None where it is ignored."""

    is_same_game: bool
    there: Belief
    now: Belief | None
    measured: Belief | None


@dataclass(frozen=True, slots=True)
class NewcomersPage:
    """One queue's page. suggestion: the rules as measured, None where nothing could be; same_game and other_games:
    the names of the club's other queues."""

    queue: Queue
    rules: PriorRules
    version: str
    answers: tuple[AnswerRow, ...]
    same_game: tuple[str, ...]
    other_games: tuple[str, ...]
    measured: Measured
    suggestion: PriorRules | None
    examples: tuple[Example, ...]

    @property
    def suggested_values(self) -> list[tuple[str, str]]:
        """The measured rules by name, every digit of them."""
        values = {} if self.suggestion is None else self.suggestion.to_json()
        return [(name, repr(value)) for name, value in values.items()]

    @property
    def answer_deviation(self) -> float:
        """How far off an answer at the door may be."""
        return WIDE_DEVIATION

    @property
    def is_taken_over(self) -> bool:
        """Whether the measured values are those in use."""
        return self.suggestion == self.rules


def newcomers_page(access: Access, slug: str) -> NewcomersPage:
    """The page of a queue of this club; raises NotFound for anything else. Six queries."""
    queue = queue_named(access, slug)
    basis = prior_basis(queue.pk)
    found = measured(basis)
    suggestion = suggested(basis.rules, found)
    others = Queue.objects.filter(club=access.club).exclude(pk=queue.pk).order_by("created_at", "id")
    names = list(others.values_list("name", "game_id"))
    return NewcomersPage(
        queue=queue,
        rules=basis.rules,
        version=rules_version(basis),
        answers=tuple(row for row in answer_rows(access.club) if row.is_offered),
        same_game=tuple(name for name, game in names if game == queue.game_id),
        other_games=tuple(name for name, game in names if game != queue.game_id),
        measured=found,
        suggestion=suggestion,
        examples=_examples(queue, basis.rules, suggestion),
    )


def suggested(rules: PriorRules, found: Measured) -> PriorRules | None:
    """The rules with everything that could be measured; None where nothing could."""
    if found.same_game is None and found.other_game is None:
        return None
    return rules.measured(found.same_game, found.other_game)


def rules_version(basis: PriorBasis) -> str:
    """A word for the rules as they are in use."""
    return version_of(basis.rules.to_json())


def _examples(queue: Queue, rules: PriorRules, suggestion: PriorRules | None) -> tuple[Example, ...]:
    return tuple(
        Example(
            is_same_game=is_same_game,
            there=there,
            now=_example(queue, there, rules, is_same_game=is_same_game),
            measured=None if suggestion is None else _example(queue, there, suggestion, is_same_game=is_same_game),
        )
        for is_same_game in (True, False)
        for there in EXAMPLES
    )


def _example(queue: Queue, there: Belief, rules: PriorRules, *, is_same_game: bool) -> Belief | None:
    other = OtherRating(queue.pk, "", is_same_game, there, 30, 0.0)
    signal = from_other_queue(other, rules)
    return None if signal is None else Belief(signal.mean, signal.deviation)
