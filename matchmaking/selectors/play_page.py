"""The Play page: the state of the one button, who waits, and where the player stands, in few queries."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, cast
from uuid import UUID

from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from ladder.models import Queue, Season, SeasonRules
from ladder.selectors.access import Access
from ladder.selectors.rank_cards import RankCard, ladder_of_rules, rank_card
from matchmaking.models import Ticket, TicketMember
from matchmaking.selectors.play import play_state
from matchmaking.selectors.rows import PlayState
from matchmaking.selectors.words import clock_text
from ratings.errors import NotFound


@dataclass(frozen=True, slots=True)
class PlayPage:
    """Everything the Play page shows; `queue` is the one asked for, `state.at` the one the state belongs to."""

    queue: Queue
    queues: tuple[Queue, ...]
    season_name: str
    state: PlayState
    waiting: int
    card: RankCard | None

    @property
    def shown_slug(self) -> str:
        """The queue whose chip is lit."""
        return self.state.at.slug

    @property
    def usual_wait(self) -> str:
        """In words, empty when too few have waited here."""
        return self.state.usual_wait.text if self.state.usual_wait else ""

    @property
    def is_waiting(self) -> bool:
        """Whether something may happen without the player: pages without scripts load themselves again."""
        return self.state.state in {"searching", "ready_check", "match", "blocked", "no_season", "closed"}

    @property
    def title(self) -> str:
        """The headline."""
        if self.state.to_answer:
            return _("Is this right?")
        return {
            "searching": _("Looking for a fair game"),
            "ready_check": _("Match found"),
            "match": _("Your match is on"),
            "blocked": _("A short pause"),
            "no_season": _("Between seasons"),
            "closed": _("This queue is closed"),
            "not_member": _("Members only"),
        }.get(self.state.state, _("Ready for a game?"))

    @property
    def spoken(self) -> str:
        """What a screen reader is told when the card changes."""
        notice = self.state.notice.text if self.state.notice and self.state.state != "searching" else ""
        stop = "" if self.title.endswith("?") else "."
        return f"{self.title}{stop} {notice}".strip()

    @property
    def blocked_seconds(self) -> int:
        """Until the button comes alive."""
        until = self.state.blocked_until
        return max(0, int((until - self.state.now).total_seconds())) if until else 0

    @property
    def blocked_clock(self) -> str:
        """The same as on a clock."""
        return clock_text(self.blocked_seconds)

    @property
    def ring(self) -> float:
        """How much of the ready check's ring is left, in percent."""
        check = self.state.check
        return round(100 * check.seconds_left / max(1, check.total_seconds), 1) if check else 0.0

    @property
    def clocks(self) -> dict[str, int]:
        """The running clocks, for pages that need nothing else."""
        if self.state.search:
            return {"up": self.state.search.waited_seconds}
        if self.state.check:
            return {"down": self.state.check.seconds_left}
        return {"down": self.blocked_seconds} if self.state.blocked_until else {}

    @property
    def version(self) -> str:
        """Differs whenever the card would look different, running clocks aside."""
        state = self.state
        seen = [
            self.queue.slug,
            state.at,
            state.state,
            state.refusal,
            state.notice,
            state.blocked_until,
            self.usual_wait,
            self.waiting,
            self.card,
            state.search and (state.search.ticket_id, state.search.acceptable_text, state.search.ending_text),
            state.check and (state.check.check_id, state.check.my_answer, state.check.accepted),
            state.to_answer,
            state.match and (state.match.match_id, state.match.state, state.match.next_step),
        ]
        return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def first_queue(access: Access) -> Queue | None:
    """Where Play leads without a choice: the oldest open queue."""
    return Queue.objects.filter(club=access.club, state=Queue.State.OPEN).order_by("created_at", "id").first()


def play_page(access: Access, queue_slug: str, *, now: datetime) -> PlayPage:
    """The page of one queue; raises NotFound for a queue that the club does not have. now: by the store's clock.

    Queries: the queues with their seasons and who waits (one), the player's rank and place (one), and those of
    `play_state`, which is told the season.
    """
    assert access.player is not None
    queues = _queues(access)
    queue = next((row for row in queues if row.slug == queue_slug), None)
    if queue is None:
        raise NotFound("not_found", _("This club has no such queue."))
    queue.club = access.club
    rules = _open_rules(queue)
    state = play_state(player=access.player, queue=queue, now=now, open_rules=rules)
    return PlayPage(
        queue=queue,
        queues=tuple(row for row in queues if row.state == Queue.State.OPEN or row.pk == queue.pk),
        season_name=rules.season.name if rules else "",
        state=state,
        waiting=_annotated(queue).waiting,
        card=rank_card(ladder_of_rules(rules), access.player.pk) if rules else None,
    )


class _Annotated(Protocol):
    waiting: int
    open_season: UUID | None
    open_season_name: str
    open_rank_rules: dict[str, Any]


def _queues(access: Access) -> list[Queue]:
    """The club's queues, each with its open season and how many wait; one query."""
    rules = SeasonRules.objects.filter(queue=OuterRef("pk"), season__state=Season.State.OPEN)
    waiting = (
        TicketMember.objects.filter(ticket__queue=OuterRef("pk"), ticket__state=Ticket.State.SEARCHING)
        .order_by()
        .values("ticket__queue")
        .annotate(n=Count("id"))
        .values("n")
    )
    rows = Queue.objects.filter(club=access.club).annotate(
        waiting=Coalesce(Subquery(waiting, output_field=IntegerField()), 0),
        open_season=Subquery(rules.values("season_id")[:1]),
        open_season_name=Subquery(rules.values("season__name")[:1]),
        open_rank_rules=Subquery(rules.values("rank_rules")[:1]),
    )
    return list(rows.order_by("created_at", "id"))


def _annotated(queue: Queue) -> _Annotated:
    return cast(_Annotated, queue)


def _open_rules(queue: Queue) -> SeasonRules | None:
    """The rules that came with the queue, as the object that others take."""
    row = _annotated(queue)
    if row.open_season is None:
        return None
    season = Season(id=row.open_season, club=queue.club, name=row.open_season_name, state=Season.State.OPEN)
    return SeasonRules(season=season, queue=queue, rank_rules=row.open_rank_rules)
