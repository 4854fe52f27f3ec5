"""What a ready check comes to, as a pure function of its answers and the time."""

from __future__ import annotations

import pytest

from matchmaking.core.ready import GRACE, Answer, Blame, CheckState, advance, all_back

DEADLINE = 1_000.0


def check(*answers: tuple[str, bool], shared_ticket: bool = False) -> CheckState:
    """Players p0, p1, ... with (answer, seen); each has a ticket of their own, or p0 and p1 share t0."""
    return CheckState(
        DEADLINE,
        tuple(
            Answer(f"p{index}", "t0" if shared_ticket and index < 2 else f"t{index}", answer, seen)
            for index, (answer, seen) in enumerate(answers)
        ),
    )


def test_all_accepted_starts_whatever_the_time() -> None:
    assert advance(check(("accepted", True), ("accepted", True)), DEADLINE + 99).outcome == "start"


@pytest.mark.parametrize("now", [DEADLINE - 19, DEADLINE, DEADLINE + GRACE - 0.01])
def test_case_49_silence_waits_until_deadline_and_grace(now: float) -> None:
    assert advance(check(("accepted", True), ("pending", True)), now).outcome == "wait"


def test_silence_after_the_grace_is_blamed_and_the_others_go_back() -> None:
    plan = advance(check(("accepted", True), ("pending", True)), DEADLINE + GRACE)

    assert (plan.outcome, plan.reason) == ("fail", "missed")
    assert (plan.back, plan.removed) == (("t0",), ("t1",))
    assert plan.blamed == (Blame("p1", "missed", offence=True),)


def test_case_49_without_proof_that_it_was_seen_there_is_no_offence_and_the_ticket_leaves() -> None:
    plan = advance(check(("accepted", True), ("pending", False)), DEADLINE + GRACE)

    assert plan.blamed == (Blame("p1", "missed", offence=False),)
    assert plan.removed == ("t1",)


def test_case_51_a_decline_ends_it_at_once_and_those_who_had_not_answered_are_innocent() -> None:
    plan = advance(check(("declined", True), ("pending", True), ("accepted", True)), DEADLINE - 10)

    assert plan.reason == "declined"
    assert plan.blamed == (Blame("p0", "declined", offence=True),)
    assert plan.back == ("t1", "t2")


def test_an_innocent_member_of_a_guilty_party_leaves_without_blame() -> None:
    plan = advance(check(("declined", True), ("accepted", True), ("accepted", True), shared_ticket=True), DEADLINE - 10)

    assert plan.removed == ("t0",)
    assert [blame.player for blame in plan.blamed] == ["p0"]
    assert plan.back == ("t2",)


def test_nobodys_fault_sends_everybody_back() -> None:
    plan = all_back(check(("accepted", True), ("accepted", True)), "unstartable")

    assert (plan.outcome, plan.back, plan.removed, plan.blamed) == ("fail", ("t0", "t1"), (), ())
