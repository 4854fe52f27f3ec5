"""The gate between a plan and the reservation: whoever made the proposal, only sound ones pass. It never raises."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matchmaking.core.types import Proposal, WaitingTicket

__all__ = ["Refused", "sift"]


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal refused as a whole, and why: a stable code and the ticket or player at fault."""

    proposal: Proposal
    reason: str
    culprit: str = ""


def sift(
    proposals: Sequence[Proposal], pool: Mapping[str, WaitingTicket], *, teams: int, team_size: int
) -> tuple[list[Proposal], list[Refused]]:
    """The proposals that may be reserved, in order, and those refused.

    pool: the tickets that this tick read, by id. teams, team_size: the queue's sides and players a side. A ticket that
    an earlier proposal of the same tick took is a "policy_collision".
    """
    passed: list[Proposal] = []
    refused: list[Refused] = []
    taken: set[str] = set()
    for proposal in proposals:
        problem = _problem(proposal, pool, taken, teams, team_size)
        if problem is None:
            passed.append(proposal)
            taken.update(proposal.tickets)
        else:
            refused.append(Refused(proposal, *problem))
    return passed, refused


def _problem(
    proposal: Proposal, pool: Mapping[str, WaitingTicket], taken: set[str], teams: int, team_size: int
) -> tuple[str, str] | None:
    if not proposal.tickets:
        return "empty", ""
    if len(set(proposal.tickets)) != len(proposal.tickets):
        return "ticket_twice", ""
    for ticket in proposal.tickets:
        if ticket not in pool:
            return "foreign_ticket", ticket
        if ticket in taken:
            return "policy_collision", ticket
    sizes = [sum(len(pool[ticket].members) for ticket in team) for team in proposal.teams]
    if len(sizes) != teams or any(size != team_size for size in sizes):
        return "wrong_size", ""
    seen: set[str] = set()
    for ticket in proposal.tickets:
        for seeker in pool[ticket].members:
            if seeker.player in seen:
                return "player_twice", seeker.player
            seen.add(seeker.player)
    return None
