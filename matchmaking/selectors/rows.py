"""What the Play page and the club page are told about queues: finished rows, in words and whole seconds.

Nothing here comes closer to a hidden rating than half a division.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

PlayStateName = Literal["idle", "blocked", "no_season", "closed", "searching", "ready_check", "match", "expired"]


@dataclass(frozen=True, slots=True)
class QueueLink:
    """Enough of a queue to name it and to link to its Play page."""

    club_slug: str
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class UsualWait:
    """From Join to the start of a match, as the middle half of the queue's own recent tickets had it.

    low, high: seconds; `high` is None when more than a quarter found nobody. `basis` is "recent" (last two hours)
    or "hour" (this hour of the day in the last week); `samples` tickets stand behind it.
    """

    low: int
    high: int | None
    samples: int
    basis: Literal["recent", "hour"]
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """How the last search or check ended: a stable code and one sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadyCard:
    """An open ready check as its player sees it. `seconds_left` counts to the deadline, without the hidden grace.

    my_answer: "pending" or "accepted".
    """

    check_id: UUID
    match_id: UUID
    deadline: datetime
    seconds_left: int
    total_seconds: int
    my_answer: str
    accepted: int
    needed: int
    opponents: tuple[str, ...]
    decline_warning: str


@dataclass(frozen=True, slots=True)
class MatchCard:
    """The player's live match after its ready check. `state` is ladder.Match.State; `next_step` is one sentence."""

    match_id: UUID
    state: str
    opponents: tuple[str, ...]
    next_step: str


@dataclass(frozen=True, slots=True)
class SearchCard:
    """A waiting ticket. `seconds_left` until it expires (None: never); `divisions` is rounded to half a division."""

    ticket_id: UUID
    joined_at: datetime
    waited_seconds: int
    waited_text: str
    seconds_left: int | None
    divisions: float
    acceptable_text: str
    ending_text: str


@dataclass(frozen=True, slots=True)
class PlayState:
    """Everything the Play card of one player and one queue shows.

    `at` names the queue that the search, check or match belongs to; `is_elsewhere` when it is not the queue asked for.
    search, check and match are given in the states "searching", "ready_check" and "match"; `refusal` is the sentence
    that stands instead of the Join button in "no_season", "closed" and "blocked" (there with
    `blocked_until`). `notice` tells how the last search ended, in any state. `to_answer` is a match of this club whose
    report waits for this player's side while nothing else is under way.
    """

    state: PlayStateName
    now: datetime
    at: QueueLink
    is_elsewhere: bool = False
    search: SearchCard | None = None
    check: ReadyCard | None = None
    match: MatchCard | None = None
    refusal: str = ""
    blocked_until: datetime | None = None
    notice: Notice | None = None
    usual_wait: UsualWait | None = None
    to_answer: MatchCard | None = None

    @property
    def may_join(self) -> bool:
        """Whether the one button says Join."""
        return self.state in {"idle", "expired"}


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """Who waits in a queue now: players and tickets are different numbers once parties queue."""

    queue_id: UUID
    players: int
    tickets: int
    usual_wait: UsualWait | None
