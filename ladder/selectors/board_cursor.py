"""The cursor of a leaderboard page: a place between two rows of the board as it stood at a moment."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ladder.core.cursors import pack, unpack
from ladder.selectors.board_order import Key

_SHAPE = (str, int, int, str, str, int, int, int)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two rows of the board as it stood at `moment`.

    key: the row beside it; number and place: that row's number from the top and its place (0 in placement).
    """

    moment: datetime
    key: Key
    number: int
    place: int
    total: int

    def pack(self) -> str:
        """As one word."""
        key = self.key
        numbers = (self.number, self.place, self.total)
        return pack(
            (self.moment.isoformat(), key.position, key.wins, key.reached_at.isoformat(), str(key.rating_id), *numbers)
        )


def read_cursor(word: str) -> Cursor | None:
    """The cursor back, None for a word that is not one of ours."""
    values = unpack(word, _SHAPE)
    if values is None:
        return None
    moment, position, wins, reached, rating_id, number, place, total = values
    try:
        key = Key(
            None if position is None else int(position),
            int(wins or 0),
            datetime.fromisoformat(str(reached)),
            UUID(str(rating_id)),
        )
        found = Cursor(datetime.fromisoformat(str(moment)), key, int(number or 0), int(place or 0), int(total or 0))
    except ValueError:
        return None
    times = (found.moment, found.key.reached_at)
    return found if all(time.tzinfo and 1970 <= time.year <= 3000 for time in times) else None
