"""What taking matches back would do, with the names of those whom it moves."""

from collections.abc import Sequence
from dataclasses import dataclass

from ladder.models import Player, Season
from ratings.services.reversal import Shift


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """One line of the preview. shift: hidden ratings among it, for the staff alone."""

    player: Player
    season: str
    shift: Shift


def moved_players(shifts: Sequence[Shift]) -> list[MovedPlayer]:
    """Everybody who would move: the match's own players first, then by how far the rank moves; two queries."""
    players = Player.objects.in_bulk({shift.player_id for shift in shifts})
    seasons = dict(Season.objects.filter(pk__in={shift.season_id for shift in shifts}).values_list("pk", "name"))
    rows = [MovedPlayer(players[one.player_id], seasons[one.season_id], one) for one in shifts]
    return sorted(rows, key=lambda row: (not row.shift.in_match, -abs(row.shift.points or 0), row.player.handle))
