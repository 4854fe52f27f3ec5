"""What a ready check comes to: wait, start, or send some back and blame others. Pure; counted from the answers."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["GRACE", "Answer", "Blame", "CheckState", "ReadyPlan", "advance", "all_back", "is_over"]

# For the network, on top of the deadline, and not shown to anybody: an accept sent in time arrives in time.
GRACE = 2.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One player's answer: "pending", "accepted" or "declined". seen: the check is known to have reached a page."""

    player: str
    ticket: str
    answer: str
    seen: bool


@dataclass(frozen=True, slots=True)
class CheckState:
    """An open check. deadline: seconds since the epoch, set once when the check was made."""

    deadline: float
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Blame:
    """Somebody at fault, and for what; `offence` only where there is proof that the check reached them."""

    player: str
    kind: Literal["declined", "missed"]
    offence: bool


@dataclass(frozen=True, slots=True)
class ReadyPlan:
    """outcome: what happens. back: tickets that search again with their age. removed: tickets of those at fault."""

    outcome: Literal["wait", "start", "fail"]
    reason: str = ""
    back: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    blamed: tuple[Blame, ...] = ()


def advance(check: CheckState, now: float) -> ReadyPlan:
    """The one decision about an open check at `now` (seconds since the epoch).

    A decline ends it at once: those who had not answered yet are innocent. Silence ends it after deadline and grace.
    """
    declined = [answer for answer in check.answers if answer.answer == "declined"]
    pending = [answer for answer in check.answers if answer.answer == "pending"]
    if declined:
        return _fail(check, "declined", tuple(Blame(answer.player, "declined", offence=True) for answer in declined))
    if not pending:
        return ReadyPlan("start")
    if is_over(check.deadline, now):
        return _fail(check, "missed", tuple(Blame(answer.player, "missed", offence=answer.seen) for answer in pending))
    return ReadyPlan("wait")


def is_over(deadline: float, now: float) -> bool:
    """Whether no more answers count."""
    return now >= deadline + GRACE


def all_back(check: CheckState, reason: str) -> ReadyPlan:
    """Nobody's fault: everyone searches again with their age."""
    return ReadyPlan("fail", reason, back=_tickets(check, set()))


def _fail(check: CheckState, reason: str, blamed: tuple[Blame, ...]) -> ReadyPlan:
    guilty_players = {blame.player for blame in blamed}
    guilty = {answer.ticket for answer in check.answers if answer.player in guilty_players}
    removed = tuple(ticket for ticket in _tickets(check, set()) if ticket in guilty)
    return ReadyPlan("fail", reason, back=_tickets(check, guilty), removed=removed, blamed=blamed)


def _tickets(check: CheckState, without: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(answer.ticket for answer in check.answers if answer.ticket not in without))
