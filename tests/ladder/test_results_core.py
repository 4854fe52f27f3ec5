"""The fold of reports, as properties: total, final, and the same whoever computes it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.core.results import (
    Result,
    ResultProblem,
    Said,
    Standing,
    Statement,
    open_to,
    reconcile,
    result_of,
    unrated_reason,
)

WIN, LOSS, DRAW = result_of(0, sides=2), result_of(1, sides=2), result_of(None, sides=2)
BY_PLAYERS = (Said.REPORT, Said.CONFIRM, Said.DISPUTE, Said.WITHDRAW, Said.CANCEL)


def statements(sides: int) -> st.SearchStrategy[list[Statement]]:
    """Anything anybody might say, sensible or not."""
    results = st.sampled_from([result_of(winner, sides=sides) for winner in (*range(sides), None)])
    by_player = st.builds(Statement, st.sampled_from(BY_PLAYERS), st.integers(0, sides - 1), results)
    by_others = st.builds(
        Statement, st.sampled_from((Said.SILENCE, Said.DECISION)), st.none(), st.one_of(st.none(), results)
    )
    return st.lists(st.one_of(by_player, by_player, by_others), max_size=12)


@given(st.integers(2, 4).flatmap(lambda sides: st.tuples(st.just(sides), statements(sides))))
def test_every_sequence_has_a_verdict_and_an_end_is_final(case: tuple[int, list[Statement]]) -> None:
    sides, said = case
    verdicts = [reconcile(said[:count], sides=sides) for count in range(len(said) + 1)]

    for before, after in pairwise(verdicts):
        if before.is_over:
            assert after == before
    for verdict in verdicts:
        assert (verdict.standing is Standing.AGREED) <= (verdict.result is not None)
        if verdict.is_over or verdict.standing is Standing.DISPUTED:
            assert not any(open_to(verdict, side) for side in range(sides))


@given(statements(2))
def test_only_what_is_open_changes_anything(said: list[Statement]) -> None:
    verdict = reconcile(said, sides=2)

    for side in (0, 1):
        for kind in BY_PLAYERS:
            after = reconcile([*said, Statement(kind, side, WIN)], sides=2)
            if kind not in open_to(verdict, side):
                assert after == verdict


@given(statements(2))
def test_no_side_alone_agrees_a_result(said: list[Statement]) -> None:
    alone = [statement for statement in said if statement.side == 0]

    assert reconcile(alone, sides=2).standing is not Standing.AGREED


def test_a_report_and_its_confirmation_agree() -> None:
    verdict = reconcile([Statement(Said.REPORT, 0, WIN), Statement(Said.CONFIRM, 1)], sides=2)

    assert (verdict.standing, verdict.result) == (Standing.AGREED, WIN)


def test_a_score_that_only_one_side_gives_is_no_contradiction() -> None:
    scored = Result(WIN.ranks, (3, 1))

    for first, second in ((scored, WIN), (WIN, scored)):
        said = [Statement(Said.REPORT, 0, first), Statement(Said.REPORT, 1, second)]
        assert reconcile(said, sides=2).standing is Standing.AGREED
    other = Result(WIN.ranks, (3, 2))
    said = [Statement(Said.REPORT, 0, scored), Statement(Said.REPORT, 1, other)]
    assert reconcile(said, sides=2).standing is Standing.DISPUTED


def test_three_sides_need_the_word_of_all() -> None:
    won = result_of(2, sides=3)
    said = [Statement(Said.REPORT, 2, won), Statement(Said.CONFIRM, 0)]

    waiting = reconcile(said, sides=3)

    assert waiting.standing is Standing.WAITING
    assert waiting.silent() == {1}
    assert reconcile([*said, Statement(Said.CONFIRM, 1)], sides=3).standing is Standing.AGREED


def test_silence_without_a_report_or_a_wish_means_nothing() -> None:
    assert reconcile([Statement(Said.SILENCE)], sides=2).standing is Standing.UNREPORTED
    asked = [Statement(Said.CANCEL, 1), Statement(Said.SILENCE)]
    assert reconcile(asked, sides=2).standing is Standing.CANCELLED


def test_a_wish_to_cancel_can_be_taken_back() -> None:
    said = [Statement(Said.CANCEL, 0), Statement(Said.WITHDRAW, 0), Statement(Said.CANCEL, 1)]

    verdict = reconcile(said, sides=2)

    assert (verdict.standing, verdict.cancel_asked) == (Standing.UNREPORTED, {1})


@pytest.mark.parametrize(
    ("winner", "scores", "code"),
    [
        (2, None, "unknown_side"),
        (-1, None, "unknown_side"),
        (None, None, "no_draws"),
        (0, (1,), "wrong_scores"),
        (0, (1, -1), "wrong_scores"),
        (0, (1, 1), "score_contradicts"),
        (0, (1, 2), "score_contradicts"),
    ],
)
def test_a_result_that_cannot_be_has_a_code(winner: int | None, scores: tuple[int, ...] | None, code: str) -> None:
    with pytest.raises(ResultProblem) as problem:
        result_of(winner, sides=2, scores=scores, draws_allowed=False)

    assert problem.value.code == code


def test_the_winner_can_be_read_from_a_result() -> None:
    assert (WIN.winner, LOSS.winner, DRAW.winner) == (0, 1, None)


def test_B21_uneven_sides_and_unranked_queues_have_their_reasons() -> None:
    assert unrated_reason(is_ranked=True, team_sizes=[2, 6]) == "uneven_teams"
    assert unrated_reason(is_ranked=False, team_sizes=[1, 1]) == "unranked_queue"
    assert unrated_reason(is_ranked=True, team_sizes=[1, 1]) == ""
