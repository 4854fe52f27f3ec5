"""What an import would write, worked out before anything is: seasons, players and moments of every row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Max
from django.utils.translation import gettext as _

from ladder.core.history import BadLine, HistoryRow
from ladder.models import MatchParticipant, Queue, Season, SeasonRules
from ladder.models.matches import Match
from ladder.services.imports.people import Directory, NameProblem
from ratings.errors import DomainError
from ratings.models import PlayerRating


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A row with everything decided. completed_at grows for each player in the order of the file."""

    row: HistoryRow
    sides: tuple[tuple[UUID, ...], ...]
    rules: SeasonRules
    played_at: datetime
    completed_at: datetime


@dataclass
class Plan:
    """The matches to write, in their order, and what stands in the way."""

    matches: list[PlannedMatch] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    known: int = 0
    outside: int = 0


def make_plan(
    rows: Sequence[HistoryRow],
    *,
    queue: Queue,
    season: Season | None,
    directory: Directory,
    members: Sequence[UUID],
    now: datetime,
) -> Plan:
    """Decide about every row; call with the queue and the members who are named locked.

    Raises DomainError where no season can take the rows.
    """
    known = set(Match.objects.filter(queue=queue).exclude(external_id="").values_list("external_id", flat=True))
    seasons = _Seasons(queue, forced=season)
    zone = ZoneInfo(queue.club.time_zone)
    last = _last_results(queue, members)
    rated_until = dict(last)
    plan = Plan()
    for row in rows:
        if row.external_id in known:
            plan.known += 1
            continue
        noon = min(datetime.combine(row.day, time(12), zone).astimezone(UTC), now)
        rules, outside = seasons.at(noon)
        try:
            seasons.refuse_final(rules)
            sides = tuple(tuple(directory.find(name) for name in side) for side in row.sides)
            _refuse_twice(sides, directory)
            _refuse_older(row.day, sides, rated_until, directory, zone)
        except NameProblem as problem:
            plan.bad.append(BadLine(row.source, row.line, problem.code, problem.values))
            continue
        players = [player for side in sides for player in side]
        moment = max([noon, *(last[player] + timedelta(microseconds=1) for player in players if player in last)])
        last.update(dict.fromkeys(players, moment))
        plan.outside += outside
        plan.matches.append(PlannedMatch(row, sides, rules, noon, moment))
    return plan


class _Seasons:
    """The seasons of a queue, and which of them may still take results."""

    def __init__(self, queue: Queue, *, forced: Season | None) -> None:
        self.queue = queue
        self.all = list(SeasonRules.objects.filter(queue=queue).select_related("season"))
        self.forced = self._forced(forced) if forced is not None else None
        self.open = next((rules for rules in self.all if rules.season.state == Season.State.OPEN), None)
        played = PlayerRating.objects.filter(queue=queue, season__state=Season.State.CLOSED)
        self.final = set(played.values_list("season_id", flat=True).distinct())

    def at(self, moment: datetime) -> tuple[SeasonRules, bool]:
        """The rules for a match played then, and whether its day lies outside every season."""
        if self.forced is not None:
            return self.forced, False
        for rules in self.all:
            if moment in rules.during:
                return rules, False
        if self.open is None:
            raise DomainError(
                "no_season", _("No season is open for %(queue)s; open one first.") % {"queue": self.queue.name}
            )
        return self.open, True

    def refuse_final(self, rules: SeasonRules) -> None:
        """A closed season takes a history only while nothing was played in it."""
        if rules.season_id in self.final:
            raise NameProblem("season_final", season=rules.season.name)
        if rules.season.state in (Season.State.DRAFT, Season.State.SCHEDULED):
            raise NameProblem("season_not_opened", season=rules.season.name)

    def _forced(self, season: Season) -> SeasonRules:
        for rules in self.all:
            if rules.season_id == season.pk:
                return rules
        raise DomainError(
            "no_season",
            _("%(queue)s does not play %(season)s.") % {"queue": self.queue.name, "season": season.name},
        )


def _last_results(queue: Queue, players: Sequence[UUID]) -> dict[UUID, datetime]:
    """When each player's newest match of the queue was completed."""
    rows = MatchParticipant.objects.filter(player__in=players, match__queue=queue, match__state=Match.State.COMPLETED)
    return dict(rows.values_list("player_id").annotate(Max("match__completed_at")))


def _refuse_twice(sides: tuple[tuple[UUID, ...], ...], directory: Directory) -> None:
    """Two names may be one member: a display name and a handle."""
    players = [player for side in sides for player in side]
    for player in players:
        if players.count(player) > 1:
            raise NameProblem("player_twice", name=directory.names[player])


def _refuse_older(
    day: date,
    sides: tuple[tuple[UUID, ...], ...],
    rated_until: dict[UUID, datetime],
    directory: Directory,
    zone: ZoneInfo,
) -> None:
    """The ledger is built in the order of play; a match from before its end would have to rewrite it."""
    for player in (player for side in sides for player in side):
        until = rated_until.get(player)
        if until is not None and day < until.astimezone(zone).date():
            last = until.astimezone(zone).date()
            raise NameProblem("older_than_rated", name=directory.names[player], day=day, last=last)
