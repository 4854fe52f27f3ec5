"""The gate between a plan and the reservation."""

from __future__ import annotations

from matchmaking.core.proposals import sift
from matchmaking.core.types import Proposal, Seeker, WaitingTicket

POOL = {name: WaitingTicket(name, (Seeker(f"p{name}", 1500.0),), 0.0) for name in "ABCD"}


def proposal(*teams: str) -> Proposal:
    return Proposal(teams=tuple(tuple(team) for team in teams), quality=1.0)


def reasons(*proposals: Proposal, pool: dict[str, WaitingTicket] | None = None) -> list[str]:
    return [refusal.reason for refusal in sift(proposals, pool or POOL, teams=2, team_size=1)[1]]


def test_case_3_a_ticket_used_twice_in_one_tick_refuses_the_second_proposal_as_a_whole() -> None:
    passed, refused = sift([proposal("A", "B"), proposal("A", "C")], POOL, teams=2, team_size=1)

    assert passed == [proposal("A", "B")]
    assert [(refusal.reason, refusal.culprit) for refusal in refused] == [("policy_collision", "A")]


def test_case_3_a_refused_proposal_takes_nobody() -> None:
    passed, _refused = sift([proposal("A", "AC"), proposal("A", "C")], POOL, teams=2, team_size=1)

    assert passed == [proposal("A", "C")]


def test_case_71_empty_oversized_duplicated_and_foreign_proposals_are_refused_and_never_raise() -> None:
    bad = [
        proposal(),
        proposal("", ""),
        proposal("AB", "C"),
        proposal("A", "B", "C"),
        proposal("A", "A"),
        proposal("A", "Z"),
    ]

    assert reasons(*bad) == ["empty", "empty", "wrong_size", "wrong_size", "ticket_twice", "foreign_ticket"]


def test_case_1_a_group_in_which_a_player_appears_twice_is_dropped() -> None:
    same = {name: WaitingTicket(name, (Seeker("p", 1500.0),), 0.0) for name in "AB"}

    assert reasons(proposal("A", "B"), pool=same) == ["player_twice"]
