"""Which ladder a page is about: a queue in a season, chosen by address, with its neighbours to switch to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Queue, Season, SeasonRules
from ladder.selectors.access import Access
from ratings.core.visible_rank import RankRules
from ratings.errors import NotFound


@dataclass(frozen=True, slots=True)
class TierChoice:
    """A tier by number (0 at the bottom), name and divisions (1, the highest, first; none in an undivided tier)."""

    number: int
    name: str
    divisions: tuple[int, ...]

    @property
    def example(self) -> int:
        """A division of it to draw its emblem with."""
        return 1 if self.divisions else 0


@dataclass(frozen=True, slots=True)
class Ladder:
    """One queue in one season (None before its first), and the other choices of the same club.

    every_season: the queue's seasons that the viewer may see, the newest first.
    """

    queue: Queue
    season: Season | None
    rules: SeasonRules | None
    every_season: tuple[SeasonRules, ...]
    queues: tuple[Queue, ...]

    @property
    def seasons(self) -> tuple[Season, ...]:
        """The seasons to switch to, the newest first."""
        return tuple(rules.season for rules in self.every_season)

    @property
    def rank_rules(self) -> RankRules:
        """The tier table this season is played by."""
        assert self.rules is not None, "only asked of a ladder with a season"
        return RankRules.from_json(self.rules.rank_rules)

    @property
    def tiers(self) -> tuple[TierChoice, ...]:
        """The tiers to choose from, the highest first."""
        counts = [(tier.name, len(tier.begins)) for tier in self.rank_rules.tiers]
        choices = [
            TierChoice(number, name, tuple(range(1, many + 1)) if many > 1 else ())
            for number, (name, many) in enumerate(counts)
        ]
        return tuple(reversed(choices))

    @property
    def is_final(self) -> bool:
        """Whether nothing moves here any more."""
        return self.season is not None and self.season.state == Season.State.CLOSED

    def seasons_until_now(self, most: int) -> tuple[SeasonRules, ...]:
        """The season shown and those before it, at most so many, the oldest first."""
        if self.rules is None:
            return ()
        at = self.every_season.index(self.rules)
        return tuple(reversed(self.every_season[at : at + most]))


def rules_of(access: Access) -> list[SeasonRules]:
    """Every queue's seasons that this person may see, the newest first; one query."""
    rows = SeasonRules.objects.filter(season__club=access.club).select_related("queue", "season")
    if not access.may(Capability.MANAGE_SEASONS):
        rows = rows.exclude(season__state=Season.State.DRAFT)
    return sorted(rows, key=lambda row: (row.during.lower, row.id), reverse=True)


def current(rows: Sequence[SeasonRules]) -> SeasonRules | None:
    """The season a queue is shown in when none is asked for: the open one, else the newest that has begun."""
    for state in (Season.State.OPEN, Season.State.CLOSING, Season.State.CLOSED, Season.State.SCHEDULED):
        found = next((row for row in rows if row.season.state == state), None)
        if found is not None:
            return found
    return rows[0] if rows else None


def ladder(access: Access, queue_slug: str, season_slug: str | None) -> Ladder:
    """The ladder of a queue; raises NotFound for an unknown queue, or for a season that it is not played in."""
    every = rules_of(access)
    if any(row.queue.slug == queue_slug for row in every):
        return ladder_of(every, queue_slug, season_slug)
    queue = Queue.objects.filter(club=access.club, slug=queue_slug).first()
    if queue is None or season_slug:
        raise NotFound("not_found", _("This club has no such ladder."))
    queues = {row.queue_id: row.queue for row in every} | {queue.pk: queue}
    return Ladder(queue=queue, season=None, rules=None, every_season=(), queues=_in_order(queues.values()))


def ladder_of(every: Sequence[SeasonRules], queue_slug: str, season_slug: str | None) -> Ladder:
    """The same out of seasons that have been fetched; no query."""
    own = [row for row in every if row.queue.slug == queue_slug]
    chosen = next((row for row in own if row.season.slug == season_slug), None) if season_slug else current(own)
    if chosen is None:
        raise NotFound("not_found", _("This club has no such ladder."))
    queues = {row.queue_id: row.queue for row in every}
    return Ladder(
        queue=chosen.queue,
        season=chosen.season,
        rules=chosen,
        every_season=tuple(own),
        queues=_in_order(queues.values()),
    )


def _in_order(queues: Iterable[Queue]) -> tuple[Queue, ...]:
    return tuple(sorted(queues, key=lambda row: (row.created_at, row.id)))


def first_queue(access: Access) -> Queue | None:
    """The queue whose ladder stands for the club: an open one before a closed one, the oldest first."""
    return Queue.objects.filter(club=access.club).order_by("-state", "created_at", "id").first()
