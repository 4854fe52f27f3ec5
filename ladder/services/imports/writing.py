"""The rows of planned matches, written by COPY, and their ratings."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from ladder.core.results import unrated_reason
from ladder.models import Match, MatchParticipant, MatchTeam, Player, Queue, ResultReport
from ladder.selectors.seasons import rank_rules
from ladder.services.imports.plan import PlannedMatch
from ladder.services.imports.reports import Progress
from ratings.core.ids import uuid7
from ratings.core.priors import Newcomer
from ratings.core.visible_rank import RankRules
from ratings.ids import new_id
from ratings.selectors.models import timetable
from ratings.services.bulk import copy_rows, update_rows
from ratings.services.ledger import MatchOutcome, apply_history

CHUNK = 500


@dataclass(frozen=True, slots=True)
class _Written:
    id: UUID
    unrated_reason: str
    plan: PlannedMatch
    period_ends_at: datetime | None


def write_matches(
    planned: Sequence[PlannedMatch],
    *,
    queue: Queue,
    actor: Player,
    answers: dict[UUID, str],
    now: datetime,
    progress: Progress,
) -> None:
    """Write the matches with their sides, players and reports, and rate them in their order.

    Where a rating model has periods, each period is rated as far as it is among them, the running one too.
    """
    matches = _named(planned, queue)
    teams = {match.id: tuple(new_id() for _side in match.plan.sides) for match in matches}
    copy_rows(Match, (_match_row(match, queue, now) for match in matches))
    copy_rows(MatchTeam, (row for match in matches for row in _team_rows(match, teams[match.id])))
    copy_rows(MatchParticipant, (row for match in matches for row in _seat_rows(match, teams[match.id])))
    copy_rows(ResultReport, (_report_row(match, actor, now) for match in matches))
    _note_last_results(planned)
    _rate(matches, queue=queue, answers=answers, now=now, progress=progress)


def _named(planned: Sequence[PlannedMatch], queue: Queue) -> list[_Written]:
    """Give the matches ids that sort in their order and, where the order allows, by the day they were played."""
    reason = unrated_reason(is_ranked=queue.is_ranked, team_sizes=[queue.team_size] * queue.teams)
    when = timetable(queue_id=queue.pk, zone=ZoneInfo(queue.club.time_zone))
    written, last = [], -1
    for match in planned:
        last = max(last + 1, int(match.completed_at.timestamp() * 1000))
        ends_at = None if reason else when.ends_at(match.completed_at)
        written.append(_Written(uuid7(last, new_id().bytes[6:]), reason, match, ends_at))
    return written


def _rate(
    matches: Sequence[_Written], *, queue: Queue, answers: dict[UUID, str], now: datetime, progress: Progress
) -> None:
    ratable = [match for match in matches if not match.unrated_reason]
    stored = {match.plan.rules.pk: match.plan.rules for match in ratable}
    rules = {key: rank_rules(one) for key, one in stored.items()}
    newcomers = {player: Newcomer(player, answer) for player, answer in answers.items()}
    done = 0
    for piece in _pieces(ratable):
        outcomes = [_outcome(match, queue, rules[match.plan.rules.pk]) for match in piece]
        apply_history(outcomes=outcomes, newcomers=newcomers, now=now)
        done += len(piece)
        progress(done, len(ratable))


def _pieces(matches: Sequence[_Written]) -> Iterator[list[_Written]]:
    """Some hundred matches at a time; no rating period is divided."""
    piece: list[_Written] = []
    for match in matches:
        ends_at = match.period_ends_at
        if len(piece) >= CHUNK and (ends_at is None or ends_at != piece[-1].period_ends_at):
            yield piece
            piece = []
        piece.append(match)
    if piece:
        yield piece


def _outcome(match: _Written, queue: Queue, rules: RankRules) -> MatchOutcome:
    return MatchOutcome(
        match_id=match.id,
        queue_id=queue.pk,
        season_id=match.plan.rules.season_id,
        teams=match.plan.sides,
        ranks=match.plan.row.result.ranks,
        completed_at=match.plan.completed_at,
        rules=rules,
        period_ends_at=match.period_ends_at,
        facts=match.plan.row.facts,
    )


def _match_row(match: _Written, queue: Queue, now: datetime) -> dict[str, Any]:
    plan = match.plan
    return {
        "id": match.id,
        "queue_id": queue.pk,
        "season_id": plan.rules.season_id,
        "source": Match.Source.IMPORT.value,
        "external_id": plan.row.external_id,
        "state": Match.State.COMPLETED.value,
        "revision": 1,
        "label": plan.row.label,
        "place_to_play": "",
        "margin": plan.row.facts.margin,
        "side": plan.row.facts.side,
        "unrated_reason": match.unrated_reason,
        "end_reason": "",
        "formed_at": plan.played_at,
        "assigned_at": None,
        "reported_at": None,
        "confirm_by": None,
        "completed_at": plan.completed_at,
        "rated_at": None if match.unrated_reason else now,
        "period_ends_at": match.period_ends_at,
        "ended_at": plan.completed_at,
        "reversed_at": None,
    }


def _team_rows(match: _Written, teams: Sequence[UUID]) -> list[dict[str, Any]]:
    result = match.plan.row.result
    return [
        {
            "id": team,
            "match_id": match.id,
            "index": index,
            "rank": result.ranks[index],
            "score": result.scores[index] if result.scores else None,
        }
        for index, team in enumerate(teams)
    ]


def _seat_rows(match: _Written, teams: Sequence[UUID]) -> list[dict[str, Any]]:
    facts = match.plan.row.facts
    return [
        {
            "id": new_id(),
            "match_id": match.id,
            "team_id": team,
            "player_id": player,
            "role": "",
            "ticket_created_at": None,
            "matched_at": None,
            "window": None,
            "party": None,
            "share_played": facts.share(index, member),
            "performance": None if facts.performance is None else facts.performance[index][member],
            "left_early": False,
            "points_percent": 100,
            "points_reason": "",
            "is_live": False,
        }
        for index, (team, side) in enumerate(zip(teams, match.plan.sides, strict=True))
        for member, player in enumerate(side)
    ]


def _report_row(match: _Written, actor: Player, now: datetime) -> dict[str, Any]:
    result = match.plan.row.result
    return {
        "id": new_id(),
        "match_id": match.id,
        "kind": ResultReport.Kind.IMPORT.value,
        "reporter_id": actor.pk,
        "revision": 1,
        "ranks": json.dumps(result.ranks),
        "scores": json.dumps(result.scores),
        "note": "",
        "created_at": now,
    }


def _note_last_results(planned: Sequence[PlannedMatch]) -> None:
    newest: dict[UUID, datetime] = {}
    for match in planned:
        for player in (player for side in match.sides for player in side):
            newest[player] = max(match.completed_at, newest.get(player, match.completed_at))
    known = dict(Player.objects.filter(pk__in=newest).values_list("pk", "last_result_at"))
    rows = [{"id": player, "last_result_at": max(moment, known[player] or moment)} for player, moment in newest.items()]
    update_rows(Player, ["last_result_at"], rows)
