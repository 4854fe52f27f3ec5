"""Seasons as their pages show them: dates, progress, and the head of each queue's standings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Match, Queue, Season, SeasonRules
from ladder.selectors.access import Access
from ladder.selectors.board_rows import BoardPage
from ladder.selectors.boards import board_page
from ladder.selectors.ladders import ladder_of, rules_of
from ratings.errors import NotFound

HEAD = 10
_ORDER = {Season.State.OPEN: 0, Season.State.CLOSING: 0, Season.State.SCHEDULED: 1, Season.State.DRAFT: 1}


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """One season. percent: how much of its announced time is over, None where no end is announced or it is not open.

    day and days: the same in days, counted from 1; ends_at None: no end announced.
    """

    season: Season
    starts_at: datetime
    ends_at: datetime | None
    queues: tuple[Queue, ...]
    percent: int | None = None
    day: int = 0
    days: int = 0

    @property
    def is_final(self) -> bool:
        """Whether nothing changes any more."""
        return self.season.state == Season.State.CLOSED


@dataclass(frozen=True, slots=True)
class QueueStandings:
    """The head of one queue's standings and how much was played."""

    queue: Queue
    page: BoardPage
    matches: int


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A season with the standings of its queues."""

    card: SeasonCard
    standings: tuple[QueueStandings, ...]


def season_cards(access: Access, now: datetime) -> tuple[SeasonCard, ...]:
    """Every season the viewer may see: what is played now, what comes, what is over (the newest first)."""
    cards = _cards(rules_of(access), now)
    newest_first = sorted(cards, key=lambda card: card.starts_at, reverse=True)
    return tuple(sorted(newest_first, key=lambda card: _ORDER.get(Season.State(card.season.state), 2)))


def season_page(access: Access, slug: str, now: datetime) -> SeasonPage:
    """One season; raises NotFound for one that does not exist or is still a draft of the organizers."""
    every = rules_of(access)
    rules = [row for row in every if row.season.slug == slug]
    if not rules:
        return SeasonPage(card=_bare(access, slug), standings=())
    played = _matches_played(rules)
    card = _cards(rules, now)[0]
    standings = [
        QueueStandings(
            queue=queue,
            page=board_page(ladder_of(every, queue.slug, slug), viewer=access.player, now=now, limit=HEAD),
            matches=played.get(queue.pk, 0),
        )
        for queue in card.queues
    ]
    return SeasonPage(card=card, standings=tuple(standings))


def _bare(access: Access, slug: str) -> SeasonCard:
    """A season without any queue."""
    season = Season.objects.filter(club=access.club, slug=slug).first()
    is_hidden = season is not None and season.state == Season.State.DRAFT and not access.may(Capability.MANAGE_SEASONS)
    if season is None or is_hidden:
        raise NotFound("not_found", _("This club has no such season."))
    return SeasonCard(
        season=season, starts_at=season.opened_at or season.created_at, ends_at=season.closed_at, queues=()
    )


def _matches_played(rules: Sequence[SeasonRules]) -> dict[UUID, int]:
    counts = Count("id", filter=Q(state=Match.State.COMPLETED))
    rows = Match.objects.filter(season=rules[0].season_id).order_by().values("queue_id").annotate(played=counts)
    return {row["queue_id"]: row["played"] for row in rows}


def _cards(every: Sequence[SeasonRules], now: datetime) -> list[SeasonCard]:
    by_season: dict[UUID, list[SeasonRules]] = {}
    for rules in every:
        by_season.setdefault(rules.season_id, []).append(rules)
    return [_card(rules, now) for rules in by_season.values()]


def _card(rules: Sequence[SeasonRules], now: datetime) -> SeasonCard:
    season = rules[0].season
    ends = [row.during.upper for row in rules]
    starts_at = season.opened_at or min(row.during.lower for row in rules)
    ends_at = season.closed_at or (None if None in ends else max(ends))
    queues = sorted((row.queue for row in rules), key=lambda queue: (queue.created_at, queue.id))
    card = SeasonCard(season=season, starts_at=starts_at, ends_at=ends_at, queues=tuple(queues))
    if season.state != Season.State.OPEN or ends_at is None or ends_at <= starts_at:
        return card
    done = min(max((now - starts_at) / (ends_at - starts_at), 0.0), 1.0)
    days = max(_days(ends_at - starts_at), 1)
    day = min(max(_days(now - starts_at), 1), days)
    return SeasonCard(season, starts_at, ends_at, tuple(queues), percent=int(done * 100), day=day, days=days)


def _days(span: timedelta) -> int:
    """Days begun."""
    return -(-span // timedelta(days=1))
