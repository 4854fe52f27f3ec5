"""Matches as they were played, for the ledger's own recomputing; the tables of play are named, never imported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter
from uuid import UUID

from django.apps import apps

from ratings.core.match_facts import MatchFacts, SeatFacts

_AT_ONCE = 5_000
_COLUMNS = (
    "match_id",
    "match__season_id",
    "match__completed_at",
    "match__period_ends_at",
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
_TEAM = _COLUMNS.index("team__index")


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A completed match: sides and members in the order in which they were rated, ranks (lower is better), facts."""

    season_id: UUID
    completed_at: datetime
    period_ends_at: datetime | None
    teams: tuple[tuple[UUID, ...], ...]
    ranks: tuple[int, ...]
    facts: MatchFacts


def recorded_matches(match_ids: Sequence[UUID]) -> dict[UUID, RecordedMatch]:
    """These matches by id; one query for each five thousand."""
    found: dict[UUID, RecordedMatch] = {}
    keys = iter(match_ids)
    while some := list(islice(keys, _AT_ONCE)):
        found.update(_read(some))
    return found


def _read(match_ids: Sequence[UUID]) -> Iterator[tuple[UUID, RecordedMatch]]:
    seats = apps.get_model("ladder", "MatchParticipant")._default_manager.filter(match_id__in=match_ids)
    rows = seats.order_by("match_id", "team__index", "player_id").values_list(*_COLUMNS)
    for (key, season, completed_at, ends_at, margin, side), group in groupby(rows, key=itemgetter(*range(_TEAM))):
        teams = [list(team) for _index, team in groupby(group, key=itemgetter(_TEAM))]
        facts = MatchFacts.of(margin, side, [[SeatFacts(*seat[_TEAM + 3 :]) for seat in team] for team in teams])
        sides = tuple(tuple(seat[_TEAM + 2] for seat in team) for team in teams)
        ranks = tuple(team[0][_TEAM + 1] or 0 for team in teams)
        yield key, RecordedMatch(season, completed_at, ends_at, sides, ranks, facts)
