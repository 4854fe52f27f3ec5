"""One's own page and one's own data."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ladder.core.permissions import Role
from ladder.models import Match, MatchParticipant, Offence, Player, ResultReport, Season, SeasonRules
from ladder.selectors.access import Access
from ladder.selectors.clubs import clubs_of
from ladder.selectors.conduct import Block, block
from ladder.selectors.rank_cards import RankCard, rank_cards
from ladder.selectors.self_assessments import chosen_words
from ratings.core.visible_rank import label
from ratings.models import RatingEvent
from ratings.selectors import explanation, rank_rules


@dataclass(frozen=True, slots=True)
class MyClub:
    """A club of mine: my role, my ranks in what is played now, what keeps me out of its queues."""

    access: Access
    cards: tuple[RankCard, ...]
    block: Block | None

    @property
    def role(self) -> Role:
        """What I am there."""
        return self.access.role


def my_clubs(player: Player, *, now: datetime) -> list[MyClub]:
    """Every club of the player, the one joined last first."""
    clubs = clubs_of(player)
    rules = SeasonRules.objects.filter(
        season__state=Season.State.OPEN, season__club__in=[access.club for access in clubs]
    ).select_related("queue", "season")
    open_rules = list(rules.order_by("queue__created_at", "queue_id"))
    return [
        MyClub(
            access=access,
            cards=tuple(rank_cards([row for row in open_rules if row.season.club_id == access.club.pk], player.pk)),
            block=block(player_id=player.pk, club_id=access.club.pk, now=now),
        )
        for access in clubs
    ]


def everything_about(player: Player, *, now: datetime) -> dict[str, Any]:
    """What is kept about somebody, as they may read it: no hidden rating, nothing that others wrote."""
    return {
        "made_at": now.isoformat(),
        "account": {
            "handle": player.handle,
            "display_name": player.display_name,
            "email": player.email,
            "birth_year": player.birth_year,
            "joined": player.date_joined.isoformat(),
            "appearance": player.theme,
            "alerts": player.alerts,
        },
        "clubs": [
            {
                "club": access.club.name,
                "role": access.role.value,
                "self_assessment": chosen_words(access.club, access.membership.self_assessment),
                "joined": access.membership.joined_at.isoformat(),
            }
            for access in clubs_of(player)
            if access.membership
        ],
        "matches": _matches(player),
        "rank_changes": _rank_changes(player),
        "said_about_matches": _reports(player),
        "offences": _offences(player),
    }


def _matches(player: Player) -> list[dict[str, Any]]:
    rows = MatchParticipant.objects.filter(player=player).select_related("match__queue__club", "team")
    others: dict[Any, list[str]] = {}
    seats = MatchParticipant.objects.filter(match__participants__player=player).exclude(player=player)
    for match_id, handle in seats.values_list("match_id", "player__handle"):
        others.setdefault(match_id, []).append(handle)
    return [
        {
            "match": str(row.match_id),
            "club": row.match.queue.club.name,
            "queue": row.match.queue.name,
            "state": row.match.state,
            "with_and_against": sorted(others.get(row.match_id, [])),
            "rank_among_sides": row.team.rank,
            "score": row.team.score,
            "formed": row.match.formed_at.isoformat(),
            "taken_back": row.match.reversed_at.isoformat() if row.match.reversed_at else None,
            "completed": row.match.completed_at.isoformat() if row.match.completed_at else None,
        }
        for row in rows.exclude(match__state=Match.State.READY_CHECK).order_by("-match_id")
    ]


def _rank_changes(player: Player) -> list[dict[str, Any]]:
    events = RatingEvent.objects.filter(player_rating__player=player, player_rating__role="").select_related(
        "player_rating"
    )
    changes: list[dict[str, Any]] = []
    rules: dict[Any, Any] = {}
    for event in events.order_by("player_rating__created_at", "player_rating_id", "seq"):
        own = event.player_rating
        key = (own.queue_id, own.season_id)
        if key not in rules:
            rules[key] = rank_rules(queue_id=own.queue_id, season_id=own.season_id)
        after = None if event.position_after is None else label(rules[key], event.position_after)
        changes.append(
            {
                "at": event.created_at.isoformat(),
                "kind": event.kind,
                "match": str(event.match_id) if event.match_id else None,
                "points": event.points_delta,
                "rank_after": str(after) if after else None,
                "points_after": after.points if after else None,
                "why": str(explanation(event)),
            }
        )
    return changes


def _reports(player: Player) -> list[dict[str, Any]]:
    rows = ResultReport.objects.filter(reporter=player).order_by("created_at")
    return [
        {"match": str(row.match_id), "kind": row.kind, "note": row.note, "at": row.created_at.isoformat()}
        for row in rows
    ]


def _offences(player: Player) -> list[dict[str, Any]]:
    rows = Offence.objects.filter(player=player).order_by("created_at")
    return [
        {
            "kind": row.kind,
            "at": row.created_at.isoformat(),
            "blocked_until": row.blocked_until.isoformat() if row.blocked_until else None,
        }
        for row in rows
    ]
