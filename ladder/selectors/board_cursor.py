"""The cursor of a leaderboard page: a place between two rows of the board as it stood at a moment."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ladder.core.cursors import pack, unpack
from ladder.selectors.board_moments import MOST_SEEN, Moment
from ladder.selectors.board_order import Key

_SHAPE = (str, str, str, int, int, str, str, int, int, int)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two rows of the board as it stood at `moment`.

    key: the row beside it; number and place: that row's number from the top and its place (0 in placement).
    """

    moment: Moment
    key: Key
    number: int
    place: int
    total: int

    def pack(self) -> str:
        """As one word."""
        moment, key = self.moment, self.key
        moment_words = (moment.at.isoformat(), str(moment.since), "".join(moment.seen))
        key_words = (key.position, key.wins, key.reached_at.isoformat(), str(key.rating_id))
        return pack((*moment_words, *key_words, self.number, self.place, self.total))


def read_cursor(word: str) -> Cursor | None:
    """The cursor back, None for a word that is not one of ours."""
    values = unpack(word, _SHAPE)
    if values is None:
        return None
    at, since, seen, position, wins, reached, rating_id, number, place, total = values
    try:
        key = Key(
            None if position is None else int(position),
            int(wins or 0),
            datetime.fromisoformat(str(reached)),
            UUID(str(rating_id)),
        )
        moment = Moment(datetime.fromisoformat(str(at)), UUID(str(since)), _tails(str(seen or "")))
    except ValueError:
        return None
    times = (moment.at, key.reached_at)
    if not all(time.tzinfo and 1970 <= time.year <= 3000 for time in times):
        return None
    return Cursor(moment, key, int(number or 0), int(place or 0), int(total or 0))


def _tails(text: str) -> tuple[str, ...]:
    return tuple(text[start : start + 8] for start in range(0, min(len(text), 8 * MOST_SEEN), 8))
