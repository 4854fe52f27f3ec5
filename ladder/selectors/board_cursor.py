"""The cursor of a leaderboard page: a place between two rows of the board as it stood at a moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ladder.core.cursors import Plain, pack, unpack
from ladder.selectors.board_moments import MOST_SEEN, Moment
from ladder.selectors.board_order import Key

_KEY_SHAPE = (int, int, str, str)
_SHAPE = (str, str, str, *_KEY_SHAPE, int, int, int)


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
        moment = (self.moment.at.isoformat(), str(self.moment.since), "".join(self.moment.seen))
        return pack((*moment, *_words(self.key), self.number, self.place, self.total))


def read_cursor(word: str) -> Cursor | None:
    """The cursor back, None for a word that is not one of ours."""
    values = unpack(word, _SHAPE)
    if values is None:
        return None
    at, since, seen, *words = values
    number, place, total = (int(value or 0) for value in words[4:])
    key = _key(words[:4])
    try:
        moment = Moment(datetime.fromisoformat(str(at)), UUID(str(since)), _tails(str(seen or "")))
    except ValueError:
        return None
    if key is None or not _is_a_time(moment.at):
        return None
    return Cursor(moment, key, number, place, total)


def pack_key(key: Key) -> str:
    """A place in an order that does not move, as one word."""
    return pack(_words(key))


def read_key(word: str) -> Key | None:
    """The place back, None for a word that is not one of ours."""
    values = unpack(word, _KEY_SHAPE)
    return None if values is None else _key(values)


def _words(key: Key) -> tuple[Plain, ...]:
    return key.position, key.wins, key.reached_at.isoformat(), str(key.rating_id)


def _key(words: Sequence[Plain]) -> Key | None:
    position, wins, reached, rating_id = words
    try:
        reached_at = datetime.fromisoformat(str(reached))
        key = Key(None if position is None else int(position), int(wins or 0), reached_at, UUID(str(rating_id)))
    except ValueError:
        return None
    return key if _is_a_time(reached_at) else None


def _is_a_time(moment: datetime) -> bool:
    return moment.tzinfo is not None and 1970 <= moment.year <= 3000


def _tails(text: str) -> tuple[str, ...]:
    return tuple(text[start : start + 8] for start in range(0, min(len(text), 8 * MOST_SEEN), 8))
