"""Matches as services and several pages need them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from django.db.models import QuerySet

from ladder.core.results import Result, Said, Statement, Verdict, open_to, reconcile
from ladder.models import Match, MatchParticipant, MatchTeam, Player, ResultReport
from ratings.core.match_facts import NOTHING_KNOWN, MatchFacts, SeatFacts

ENDED_STATES = (Match.State.COMPLETED, Match.State.CANCELLED, Match.State.ABANDONED, Match.State.REMADE)
REPORTABLE_STATES = (Match.State.ASSIGNED, Match.State.PLAYING, Match.State.REPORTED)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A match with everything that was said about it.

    sides: the players of each side, by index. reports: oldest first. verdict: where that leaves the match.
    """

    match: Match
    teams: tuple[MatchTeam, ...]
    sides: tuple[tuple[UUID, ...], ...]
    reports: tuple[ResultReport, ...]
    verdict: Verdict

    @property
    def players(self) -> list[UUID]:
        """Everybody in it, in the order in which rows are locked."""
        return sorted(player for side in self.sides for player in side)

    def side_of(self, player_id: UUID) -> int | None:
        """The index of the player's side, None for somebody who does not play in it."""
        return next((index for index, side in enumerate(self.sides) if player_id in side), None)

    def open_to(self, player_id: UUID) -> frozenset[Said]:
        """What this player may say now; nothing in a match that is not being played or reported."""
        side = self.side_of(player_id)
        if side is None or self.match.state not in REPORTABLE_STATES:
            return frozenset()
        said = open_to(self.verdict, side)
        if Said.WITHDRAW in said and not self._spoke_last_for(side, player_id):
            said -= {Said.WITHDRAW}
        return said

    def _spoke_last_for(self, side: int, player_id: UUID) -> bool:
        """Whether the side's standing report or wish to cancel is this player's own."""
        own = [
            report
            for report in self.reports
            if report.kind in (ResultReport.Kind.REPORT, ResultReport.Kind.CANCEL)
            and report.reporter_id in self.sides[side]
        ]
        return bool(own) and own[-1].reporter_id == player_id


def sheet(match: Match) -> Sheet:
    """The sheet of a match; three queries."""
    teams = tuple(match.teams.order_by("index"))
    sides: list[list[UUID]] = [[] for _team in teams]
    index_of = {team.pk: position for position, team in enumerate(teams)}
    for team_id, player_id in match.participants.order_by("player_id").values_list("team_id", "player_id"):
        sides[index_of[team_id]].append(player_id)
    reports = tuple(match.reports.order_by("revision"))
    statements = [_statement(report, sides) for report in reports]
    return Sheet(
        match=match,
        teams=teams,
        sides=tuple(tuple(side) for side in sides),
        reports=reports,
        verdict=reconcile(statements, sides=len(teams)),
    )


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who played on which side, how the sides came in (0 while that is open), and what else is known of the match."""

    sides: tuple[tuple[UUID, ...], ...]
    ranks: tuple[int, ...]
    facts: MatchFacts = NOTHING_KNOWN

    @property
    def players(self) -> list[UUID]:
        """Everybody in it."""
        return [player for side in self.sides for player in side]


def lineups(match_ids: Iterable[UUID]) -> dict[UUID, Lineup]:
    """The lineups of these matches; one query."""
    rows = (
        MatchParticipant.objects.filter(match_id__in=list(match_ids))
        .order_by("match_id", "team__index", "player_id")
        .values_list(
            "match_id",
            "match__margin",
            "match__side",
            "team__index",
            "team__rank",
            "player_id",
            "party",
            "share_played",
            "performance",
            "left_early",
            "points_percent",
            "points_reason",
        )
    )
    found = {}
    for (match_id, margin, side), seats in groupby(rows, key=itemgetter(0, 1, 2)):
        teams = [list(team) for _index, team in groupby(seats, key=itemgetter(3))]
        found[match_id] = Lineup(
            sides=tuple(tuple(seat[5] for seat in team) for team in teams),
            ranks=tuple(team[0][4] or 0 for team in teams),
            facts=MatchFacts.of(margin, side, [[SeatFacts(*seat[6:]) for seat in team] for team in teams]),
        )
    return found


def live_match(player_id: UUID) -> Match | None:
    """The match the player is in now, if any: from its ready check until its result is reported."""
    participant = (
        MatchParticipant.objects.filter(player_id=player_id, is_live=True)
        .select_related("match__queue", "match__season")
        .first()
    )
    return participant.match if participant else None


def awaiting_word_of(player: Player, *, club_id: UUID | None = None) -> list[Match]:
    """Reported matches that wait for this player's side to confirm or dispute, the most urgent first."""
    waiting = Match.objects.filter(state=Match.State.REPORTED, participants__player=player)
    if club_id is not None:
        waiting = waiting.filter(queue__club_id=club_id)
    matches = waiting.select_related("queue", "queue__club").order_by("confirm_by", "id")[:20]
    return [match for match in matches if Said.CONFIRM in sheet(match).open_to(player.pk)]


def for_player(player_id: UUID, *, club_id: UUID) -> QuerySet[Match]:
    """The player's matches in a club, newest first."""
    return Match.objects.filter(participants__player_id=player_id, queue__club_id=club_id).order_by("-id")


def completed_between(queue_id: UUID, *, since: datetime, until: datetime) -> QuerySet[Match]:
    """Completed matches of a queue in [since, until), in the order in which they are rated."""
    return Match.objects.filter(
        queue_id=queue_id, state=Match.State.COMPLETED, completed_at__gte=since, completed_at__lt=until
    ).order_by("completed_at", "id")


def _statement(report: ResultReport, sides: Sequence[Sequence[UUID]]) -> Statement:
    speaks_for_a_side = report.kind not in (
        ResultReport.Kind.DECISION,
        ResultReport.Kind.SILENCE,
        ResultReport.Kind.IMPORT,
    )
    side = next((index for index, side in enumerate(sides) if report.reporter_id in side), None)
    return Statement(
        said=Said(report.kind),
        side=side if speaks_for_a_side else None,
        result=Result(ranks=tuple(report.ranks), scores=tuple(report.scores)) if report.ranks else None,
    )
