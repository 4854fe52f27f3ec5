"""What the sides of a match said, folded into where the match stands. Pure: the caller carries it out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

HIGHEST_SCORE = 99_999


class ResultProblem(ValueError):
    """A result that cannot be: `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. Both by side index; rank 1 is the best, equal ranks are a draw; no scores: empty."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...] = ()

    @property
    def winner(self) -> int | None:
        """The index of the side that won, None for a draw."""
        best = [side for side, rank in enumerate(self.ranks) if rank == 1]
        return best[0] if len(best) == 1 else None

    @property
    def margin(self) -> float | None:
        """How clearly one of two sides won, by the scores; None where they are not known or there are more sides."""
        return float(abs(self.scores[0] - self.scores[1])) if len(self.scores) == 2 else None


def result_of(
    winner: int | None, *, sides: int, scores: Sequence[int] | None = None, draws_allowed: bool = True
) -> Result:
    """The result in which `winner` (a side's index, None for a draw) was best and the others came in equal.

    Raises ResultProblem: unknown_side, no_draws, wrong_scores (number or range), score_contradicts.
    """
    if winner is not None and not 0 <= winner < sides:
        raise ResultProblem("unknown_side")
    if winner is None and not draws_allowed:
        raise ResultProblem("no_draws")
    if scores is not None:
        if len(scores) != sides or not all(0 <= score <= HIGHEST_SCORE for score in scores):
            raise ResultProblem("wrong_scores")
        best = [side for side, score in enumerate(scores) if score == max(scores)]
        if best != ([winner] if winner is not None else list(range(sides))):
            raise ResultProblem("score_contradicts")
    ranks = tuple(1 if winner is None or side == winner else 2 for side in range(sides))
    return Result(ranks=ranks, scores=tuple(scores or ()))


class Said(Enum):
    """Kinds of statements, with the names that are stored."""

    REPORT = "report"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    WITHDRAW = "withdraw"
    SILENCE = "silence"
    DECISION = "decision"
    IMPORT = "import"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Statement:
    """One entry, in the order of the match's revisions.

    `side` is empty for a moderator, the clock or an import. A decision without a result calls the match off.
    """

    said: Said
    side: int | None = None
    result: Result | None = None


class Standing(Enum):
    """Where the reports leave a match."""

    UNREPORTED = "unreported"
    WAITING = "waiting"
    DISPUTED = "disputed"
    AGREED = "agreed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fold of all statements so far.

    result: what was reported, agreed or decided. reported_by: the side whose report stands. confirmed: sides that
    stand by the result, the reporting one included. cancel_asked: sides that want the match called off.
    """

    sides: int
    standing: Standing = Standing.UNREPORTED
    result: Result | None = None
    reported_by: int | None = None
    confirmed: frozenset[int] = field(default_factory=frozenset)
    cancel_asked: frozenset[int] = field(default_factory=frozenset)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be said."""
        return self.standing in (Standing.AGREED, Standing.CANCELLED)

    def silent(self) -> frozenset[int]:
        """The sides whose word is waited for."""
        spoken = self.confirmed or self.cancel_asked
        return frozenset(range(self.sides)) - spoken if spoken and not self.is_over else frozenset()


def reconcile(statements: Sequence[Statement], *, sides: int) -> Verdict:
    """Fold the statements, oldest first, into where the match stands.

    A report waits for the others' word; the same report or a confirmation by all others agrees it, a different one
    disputes it. Statements that were not open to their side are passed over, so the fold is total.
    """
    verdict = Verdict(sides=sides)
    for statement in statements:
        if statement.side is None or statement.said in open_to(verdict, statement.side):
            verdict = _after(verdict, statement)
    return verdict


def open_to(verdict: Verdict, side: int) -> frozenset[Said]:
    """What this side may say now."""
    if verdict.standing is Standing.UNREPORTED:
        asked = side in verdict.cancel_asked
        return frozenset({Said.REPORT, Said.WITHDRAW if asked else Said.CANCEL})
    if verdict.standing is not Standing.WAITING:
        return frozenset()
    if side == verdict.reported_by:
        return frozenset({Said.WITHDRAW})
    if side in verdict.confirmed:
        return frozenset()
    return frozenset({Said.CONFIRM, Said.DISPUTE, Said.REPORT})


def _after(verdict: Verdict, statement: Statement) -> Verdict:
    if verdict.is_over:
        return verdict
    if statement.side is None:
        return _after_outside_word(verdict, statement)
    if statement.said is Said.REPORT:
        return _after_report(verdict, statement.side, statement.result)
    if statement.said is Said.CONFIRM:
        return _with_word_of(verdict, statement.side)
    if statement.said is Said.DISPUTE:
        return replace(verdict, standing=Standing.DISPUTED)
    if statement.said is Said.CANCEL:
        asked = verdict.cancel_asked | {statement.side}
        everybody = len(asked) == verdict.sides
        return replace(verdict, cancel_asked=asked, standing=Standing.CANCELLED if everybody else Standing.UNREPORTED)
    if verdict.standing is Standing.WAITING:
        return Verdict(sides=verdict.sides)
    return replace(verdict, cancel_asked=verdict.cancel_asked - {statement.side})


def _after_outside_word(verdict: Verdict, statement: Statement) -> Verdict:
    """A moderator's decision, an import, or silence: ends what was waiting."""
    if statement.said is Said.SILENCE:
        if verdict.standing is Standing.WAITING:
            return replace(verdict, standing=Standing.AGREED)
        return replace(verdict, standing=Standing.CANCELLED) if verdict.cancel_asked else verdict
    if statement.result is None:
        return replace(verdict, standing=Standing.CANCELLED, result=None)
    return replace(verdict, standing=Standing.AGREED, result=statement.result)


def _after_report(verdict: Verdict, side: int, result: Result | None) -> Verdict:
    if verdict.standing is Standing.UNREPORTED:
        return Verdict(
            sides=verdict.sides,
            standing=Standing.WAITING,
            result=result,
            reported_by=side,
            confirmed=frozenset({side}),
        )
    if verdict.result is not None and result is not None and _same(verdict.result, result):
        return _with_word_of(verdict, side)
    return replace(verdict, standing=Standing.DISPUTED)


def _same(one: Result, other: Result) -> bool:
    """The same order; a score that only one of them gives is no contradiction."""
    return one.ranks == other.ranks and (one.scores == other.scores or not one.scores or not other.scores)


def _with_word_of(verdict: Verdict, side: int) -> Verdict:
    confirmed = verdict.confirmed | {side}
    agreed = len(confirmed) == verdict.sides
    return replace(verdict, confirmed=confirmed, standing=Standing.AGREED if agreed else Standing.WAITING)


def unrated_reason(*, is_ranked: bool, team_sizes: Sequence[int]) -> str:
    """Why a match with these sides moves no rating; empty when it does. Codes: unranked_queue, uneven_teams."""
    if not is_ranked:
        return "unranked_queue"
    if len(set(team_sizes)) > 1:
        return "uneven_teams"
    return ""
