"""How matches ended for the people in them: the last five of many players, every match of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Window
from django.db.models.functions import RowNumber

from ladder.models import Match, MatchParticipant, MatchTeam
from ladder.selectors.ladders import Ladder

WIN, DRAW, LOSS = "W", "D", "L"
LAST = 5


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a match."""

    player_id: UUID
    handle: str
    name: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One completed match as one player saw it. scores: own and the best of the others, None where not told.

    counts_on: when its rating period ends, for a match that waits for that. is_reversed: it was taken back and counts
    for nobody. has_hour: whether its time of day is known; an imported history has days alone.
    """

    match_id: UUID
    completed_at: datetime
    letter: str
    scores: tuple[int, int] | None
    partners: tuple[Person, ...]
    opponents: tuple[Person, ...]
    counts_on: datetime | None = None
    is_reversed: bool = False
    has_hour: bool = True


def _finished(ladder: Ladder) -> QuerySet[MatchParticipant]:
    return MatchParticipant.objects.filter(
        match__queue=ladder.queue, match__season=ladder.season, match__state=Match.State.COMPLETED
    )


def letter(rank: int | None, is_shared: bool) -> str:
    """W for the best side alone, D for a side that shares its rank, L else."""
    if is_shared:
        return DRAW
    return WIN if rank == 1 else LOSS


def last_five(ladder: Ladder, player_ids: Iterable[UUID], *, until: datetime | None = None) -> dict[UUID, str]:
    """For each player, the letters of their last five matches that count here, the newest last; one query.

    until: those completed before this moment.
    """
    beside = MatchTeam.objects.filter(match=OuterRef("match"), rank=OuterRef("team__rank")).exclude(pk=OuterRef("team"))
    newest_first = [F("match__completed_at").desc(), F("match_id").desc()]
    finished = _finished(ladder) if until is None else _finished(ladder).filter(match__completed_at__lt=until)
    rows = (
        finished.filter(player_id__in=list(player_ids), match__reversed_at__isnull=True)
        .annotate(
            is_shared=Exists(beside),
            number=Window(RowNumber(), partition_by="player_id", order_by=newest_first),
        )
        .filter(number__lte=LAST)
        .order_by("player_id", "-number")
        .values_list("player_id", "team__rank", "is_shared")
    )
    letters: dict[UUID, str] = {}
    for player_id, rank, is_shared in rows:
        letters[player_id] = letters.get(player_id, "") + letter(rank, is_shared)
    return letters


def outcomes(ladder: Ladder, player_id: UUID) -> list[Outcome]:
    """Every completed match of one player in a queue and season, the oldest first; one query."""
    rows = (
        _finished(ladder)
        .filter(match__in=MatchParticipant.objects.filter(player_id=player_id).values("match"))
        .select_related("match", "team", "player")
        .only(
            "match__completed_at",
            "match__source",
            "match__rated_at",
            "match__period_ends_at",
            "match__reversed_at",
            "team__index",
            "team__rank",
            "team__score",
            "player__handle",
            "player__display_name",
        )
        .order_by("match__completed_at", "match_id", "team__index", "id")
    )
    return [_outcome(list(seats), player_id) for _match, seats in groupby(rows, key=lambda row: row.match_id)]


def _outcome(seats: list[MatchParticipant], player_id: UUID) -> Outcome:
    own = next(seat.team for seat in seats if seat.player_id == player_id)
    others = {seat.team_id: seat.team for seat in seats if seat.team_id != own.pk}
    best_other = max((team.score for team in others.values() if team.score is not None), default=None)
    return Outcome(
        match_id=seats[0].match_id,
        completed_at=_completed(seats[0].match),
        letter=letter(own.rank, any(team.rank == own.rank for team in others.values())),
        scores=None if own.score is None or best_other is None else (own.score, best_other),
        partners=tuple(_person(seat) for seat in seats if seat.team_id == own.pk and seat.player_id != player_id),
        opponents=tuple(_person(seat) for seat in seats if seat.team_id != own.pk),
        counts_on=seats[0].match.period_ends_at if seats[0].match.rated_at is None else None,
        is_reversed=seats[0].match.reversed_at is not None,
        has_hour=seats[0].match.source != Match.Source.IMPORT,
    )


def _completed(match: Match) -> datetime:
    assert match.completed_at is not None, "the database holds that a completed match has its time"
    return match.completed_at


def _person(seat: MatchParticipant) -> Person:
    return Person(seat.player_id, seat.player.handle, seat.player.name)
