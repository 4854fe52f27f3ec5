"""Matches from their formation to the moment they are played; what was the result is in results.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.core.results import unrated_reason
from ladder.live import tell_after_commit
from ladder.models import Match, MatchParticipant, MatchTeam, Membership, Player, Queue, Season, SeasonRules
from ladder.selectors.access import require
from ladder.selectors.matches import ENDED_STATES
from ladder.selectors.seasons import rank_rules
from ladder.services import audit
from ratings.core.match_facts import MatchFacts, Reduction, SeatFacts
from ratings.core.priors import Newcomer
from ratings.errors import DomainError, NotFound
from ratings.services.forecasts import record as record_forecast


class Busy(DomainError):
    """Somebody is in another match. `players` says who."""

    def __init__(self, players: Iterable[UUID]) -> None:
        super().__init__("busy", _("A player is in another match."))
        self.players = frozenset(players)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in a match, with what led to it. window: the rating window at that moment, in points.

    party: equal numbers within a side came together, None for alone. reduction: None where the match counts in full.
    """

    player_id: UUID
    ticket_created_at: datetime | None = None
    window: int | None = None
    party: int | None = None
    reduction: Reduction | None = None


def create(
    *,
    queue: Queue,
    season: Season,
    seats: Sequence[Sequence[Seat]],
    quality: float | None,
    now: datetime,
    source: Match.Source = Match.Source.QUEUE,
    state: Match.State = Match.State.READY_CHECK,
    side: int | None = None,
) -> Match:
    """Form a match of these sides, with the forecast that its result will be rated from. Everybody is live from now.

    side: index of the side that has the advantage (home, white), None on neutral ground.
    Raises Busy if somebody is live elsewhere, DomainError if the season is not open or somebody is no member.
    Runs inside the caller's transaction or its own.
    """
    players = sorted(seat.player_id for side in seats for seat in side)
    known_side = side is None or 0 <= side < len(seats)
    if len(set(players)) != len(players) or len(seats) < 2 or not all(seats) or not known_side:
        raise DomainError("wrong_seats", _("A match needs two sides or more, and nobody twice."))
    with transaction.atomic():
        lock_players(players)
        _refuse_busy(players)
        rules = _open_rules(queue, season)
        newcomers = _members(queue, players)
        match = Match.objects.create(
            queue=queue,
            season=season,
            source=source,
            state=state,
            unrated_reason=unrated_reason(is_ranked=queue.is_ranked, team_sizes=[len(side) for side in seats]),
            side=side,
            formed_at=now,
            assigned_at=None if state == Match.State.READY_CHECK else now,
        )
        _seat(match, seats, now=now)
        if not match.unrated_reason:
            record_forecast(
                match_id=match.pk,
                queue_id=queue.pk,
                season_id=season.pk,
                teams=[[seat.player_id for seat in side] for side in seats],
                quality=quality,
                rules=rank_rules(rules),
                newcomers=newcomers,
                facts=MatchFacts.of(None, side, [[SeatFacts(party=seat.party) for seat in team] for team in seats]),
                now=now,
            )
        tell_after_commit("play", players=players)
    return match


def assign(*, match_id: UUID, now: datetime) -> Match:
    """Everybody said yes: the match is to be played. A second time changes nothing."""
    with transaction.atomic():
        match, players = lock_with_players(match_id)
        if match.state == Match.State.READY_CHECK:
            match.state, match.assigned_at = Match.State.ASSIGNED, now
            match.save(update_fields=["state", "assigned_at"])
            tell_after_commit("play", players=players)
        elif match.state in ENDED_STATES:
            raise DomainError("match_over", _("This match is over."))
    return match


def cancel(*, match_id: UUID, reason: str, now: datetime, actor: Player | None = None) -> Match:
    """Call a match off: nobody is rated, everybody is free. `reason` is a code; a second time changes nothing.

    An actor is a member of staff who acts by hand; without one it is the matchmaker (a failed ready check).
    """
    with transaction.atomic():
        match, players = lock_with_players(match_id)
        if actor is not None:
            require(match.queue.club_id, actor, Capability.DECIDE_DISPUTES)
        if match.state == Match.State.CANCELLED:
            return match
        if match.state in ENDED_STATES:
            raise DomainError("match_over", _("This match is over."))
        call_off(match, reason=reason, players=players, now=now)
        if actor is not None:
            audit.record(
                club=match.queue.club_id,
                actor=actor,
                action="match.cancelled",
                subject=match,
                detail={"reason": reason},
                now=now,
            )
    return match


def call_off(match: Match, *, reason: str, players: Iterable[UUID], now: datetime) -> None:
    """Write the cancellation of a match that the caller has locked; for services of this package."""
    match.state, match.end_reason, match.ended_at, match.confirm_by = Match.State.CANCELLED, reason, now, None
    match.save(update_fields=["state", "end_reason", "ended_at", "confirm_by", "revision"])
    release(match)
    for topic in ("play", "match"):
        tell_after_commit(topic, players=players)


def release(match: Match) -> None:
    """The game is over: its players may play elsewhere."""
    match.participants.filter(is_live=True).update(is_live=False)


def lock_players(players: Sequence[UUID]) -> dict[UUID, Player]:
    """Lock these players in id order, always before a match; returns them."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk")
    return {player.pk: player for player in rows}


def lock_with_players(match_id: UUID) -> tuple[Match, list[UUID]]:
    """Lock the players of a match in id order, then the match, and read it as it is now."""
    players = sorted(MatchParticipant.objects.filter(match_id=match_id).values_list("player_id", flat=True))
    lock_players(players)
    match = (
        Match.objects.select_for_update(no_key=True, of=("self",)).select_related("queue").filter(pk=match_id).first()
    )
    if match is None:
        raise NotFound("not_found", _("There is no such match."))
    return match, players


def _refuse_busy(players: Sequence[UUID]) -> None:
    """Call with the players locked."""
    busy = set(MatchParticipant.objects.filter(player_id__in=players, is_live=True).values_list("player_id", flat=True))
    if busy:
        raise Busy(busy)


def _open_rules(queue: Queue, season: Season) -> SeasonRules:
    """The rules of the queue in this season, which is open and stays so until the transaction ends."""
    state = Season.objects.select_for_update(no_key=True).values_list("state", flat=True).get(pk=season.pk)
    rules = SeasonRules.objects.filter(season=season, queue=queue).first()
    if rules is None or state != Season.State.OPEN:
        raise DomainError("no_season", _("No season is open for %(queue)s.") % {"queue": queue.name})
    return rules


def _members(queue: Queue, players: Sequence[UUID]) -> list[Newcomer]:
    """How each player judged their own play; refuses somebody who is not, or no longer, a member."""
    answers = dict(
        Membership.objects.filter(
            club_id=queue.club_id, player_id__in=players, state=Membership.State.ACTIVE
        ).values_list("player_id", "self_assessment")
    )
    missing = [player for player in players if player not in answers]
    if missing:
        raise DomainError("not_a_member", _("A player is not a member of this club."))
    return [Newcomer(player_id=player, self_assessment=answers[player]) for player in players]


def _points(reduction: Reduction | None) -> dict[str, Any]:
    return {} if reduction is None else {"points_percent": reduction.percent, "points_reason": reduction.reason}


def _seat(match: Match, seats: Sequence[Sequence[Seat]], *, now: datetime) -> None:
    teams = MatchTeam.objects.bulk_create(MatchTeam(match=match, index=index) for index in range(len(seats)))
    MatchParticipant.objects.bulk_create(
        MatchParticipant(
            match=match,
            team=team,
            player_id=seat.player_id,
            ticket_created_at=seat.ticket_created_at,
            matched_at=now,
            window=seat.window,
            party=seat.party,
            **_points(seat.reduction),
            is_live=True,
        )
        for team, side in zip(teams, seats, strict=True)
        for seat in side
    )
