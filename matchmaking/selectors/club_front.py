"""What is on in a club now: its front page, for members, visitors of a public club, and people at the door."""

from dataclasses import dataclass
from datetime import datetime

from ladder.core.permissions import Capability
from ladder.models import Membership, Queue, Season, SeasonRules
from ladder.selectors.access import Access
from ladder.selectors.board_order import listed as board_rows
from ladder.selectors.match_lists import MatchRow, club_matches
from ladder.selectors.rank_cards import ladder_of_rules
from matchmaking.selectors.figures import figures_of
from matchmaking.selectors.rows import QueueFigures
from ratings.core.visible_rank import RankLabel, label

TOP = 5
LATEST = 5


@dataclass(frozen=True, slots=True)
class TopRow:
    """One of the best of a ladder."""

    place: int
    handle: str
    name: str
    rank: RankLabel


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A queue on the front page: who waits, how its season goes, who leads it."""

    queue: Queue
    figures: QueueFigures
    season: Season | None
    ends_at: datetime | None
    progress: int | None
    players: int
    top: tuple[TopRow, ...]

    @property
    def is_open(self) -> bool:
        """Whether one can queue here now."""
        return self.queue.state == Queue.State.OPEN and self.season is not None

    @property
    def usual_wait(self) -> str:
        """In words, empty when too few have waited here."""
        return self.figures.usual_wait.text if self.figures.usual_wait else ""


@dataclass(frozen=True, slots=True)
class ClubFront:
    """members: how many; queues and latest are empty for people who may not look inside."""

    members: int
    queues: tuple[QueueRow, ...]
    latest: tuple[MatchRow, ...]


def club_front(access: Access, *, now: datetime) -> ClubFront:
    """The page for one person; a few queries, and two for each queue's top."""
    members = Membership.objects.filter(club=access.club, state=Membership.State.ACTIVE).count()
    if not access.may(Capability.SEE_CLUB):
        return ClubFront(members=members, queues=(), latest=())
    queues = list(Queue.objects.filter(club=access.club).order_by("-state", "created_at", "id"))
    rules = SeasonRules.objects.filter(queue__in=queues, season__state=Season.State.OPEN).select_related("season")
    open_rules = {row.queue_id: row for row in rules}
    figures = figures_of(queues, now=now)
    return ClubFront(
        members=members,
        queues=tuple(_row(queue, open_rules.get(queue.pk), figures[queue.pk], now) for queue in queues),
        latest=club_matches(access, size=LATEST).rows,
    )


def _row(queue: Queue, rules: SeasonRules | None, figures: QueueFigures, now: datetime) -> QueueRow:
    if rules is None:
        return QueueRow(queue, figures, None, None, None, 0, ())
    rules.queue = queue
    ladder = ladder_of_rules(rules)
    rows = board_rows(ladder)
    best = rows.filter(position__isnull=False).select_related("player")
    best = best.order_by("-position", "-wins", "position_reached_at", "id")[:TOP]
    positions = [row.position for row in best]
    top = tuple(
        TopRow(
            place=positions.index(row.position) + 1,
            handle=row.player.handle,
            name=row.player.name,
            rank=label(ladder.rank_rules, row.position or 0),
        )
        for row in best
    )
    return QueueRow(
        queue=queue,
        figures=figures,
        season=rules.season,
        ends_at=rules.during.upper,
        progress=_progress(rules.during.lower, rules.during.upper, now),
        players=rows.count(),
        top=top,
    )


def _progress(starts: datetime | None, ends: datetime | None, now: datetime) -> int | None:
    """How much of the season is over, in percent; None for one without an announced end."""
    if starts is None or ends is None or ends <= starts:
        return None
    return max(0, min(100, round(100 * ((now - starts) / (ends - starts)))))
