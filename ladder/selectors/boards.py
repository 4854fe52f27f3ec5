"""The leaderboard page of one queue and season: pages that fit together while ranks move, shared places.

A cursor names the moment its first page was drawn, and later pages show the ladder as it stood then. Who left or was
banned drops out of a ladder at the next look, and stays in the standings of a closed season.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet, Value

from ladder.models import Player
from ladder.selectors.board_counts import count_around, places
from ladder.selectors.board_cursor import Cursor, read_cursor
from ladder.selectors.board_days import day_page
from ladder.selectors.board_moments import Moment, Moved, moment_of, moved_since, with_moves, with_recent
from ladder.selectors.board_order import Entry, Key, Read, around, key_at, listed, stretch, stretch_before
from ladder.selectors.board_rows import ABOVE, ANYTHING, FOUND, NOBODY, PAGE, Asker, BoardPage, Wish, bounds_of, dressed
from ladder.selectors.ladders import Ladder
from ladder.selectors.name_search import named
from ratings.models import PlayerRating

_ATTEMPTS = 3


def board_page(
    ladder: Ladder, wish: Wish = ANYTHING, *, viewer: Player | None, now: datetime, limit: int = PAGE
) -> BoardPage:
    """The page of the board that is wished for.

    A cursor from too long ago, or none of ours, gives the first page of now with `expired`. A constant number of
    queries: rows, counts, last five, and who moved since the cursor's moment.
    """
    if ladder.season is None:
        return NOBODY
    if wish.is_past(now):
        return day_page(ladder, wish, viewer=viewer, limit=limit)
    drawing = _Drawing(ladder, wish, viewer, limit)
    if wish.text:
        return drawing.search(wish.text)
    if wish.cursor:
        cursor = read_cursor(wish.cursor)
        page = drawing.later_page(cursor, is_before=wish.goes_up) if cursor else None
        return page or drawing.first_page(now, expired=True)
    if not wish.at:
        return drawing.first_page(now)
    key = key_at(drawing.rows, drawing.asker.wanted) if drawing.asker.wanted else None
    return drawing.page_around(key, now) if key else drawing.first_page(now, not_found=drawing.asker.wanted)


class _Drawing:
    """What the pages of one request share: the ladder, who looks, and the rows in question."""

    def __init__(self, ladder: Ladder, wish: Wish, viewer: Player | None, limit: int) -> None:
        self.limit = limit
        self.ladder = ladder
        self.asker = Asker.of(viewer, wish)
        self.bounds = bounds_of(ladder.rank_rules, wish.tier, wish.division)
        self.rows = listed(ladder).filter(self.bounds.condition) if self.bounds else listed(ladder)

    def search(self, text: str) -> BoardPage:
        """The people whose handle or name holds the text, the highest, with their true places."""
        rows = listed(self.ladder).filter(named(text)).annotate(mark=Value(0))
        entries = stretch(rows, after=None, limit=FOUND + 1).entries
        found = entries[:FOUND]
        at = places(self.ladder, (entry.key.position for entry in found if entry.key.position is not None))
        placed, waiting = dressed(self.ladder, found, places=at, asker=self.asker)
        return replace(NOBODY, placed=placed, waiting=waiting, total=len(entries), more_found=len(entries) > FOUND)

    def first_page(self, now: datetime, *, expired: bool = False, not_found: str = "") -> BoardPage:
        """From the top of the board, or of the tier."""
        read = stretch(with_recent(self.ladder, self.rows, now), after=None, limit=self.limit + 1)
        is_top = self.bounds is None  # nobody stands above, so there is nothing to count but everybody
        page = self._page_of_now(read, now, counted_from=None if is_top else _first(read))
        return replace(page, expired=expired, not_found=not_found)

    def page_around(self, key: Key, now: datetime) -> BoardPage:
        """Somebody and their neighbours."""
        rows = with_recent(self.ladder, self.rows, now)
        read = around(rows, key, above=ABOVE, limit=self.limit + 1)
        return self._page_of_now(read, now, counted_from=_first(read))

    def _page_of_now(self, read: Read, now: datetime, *, counted_from: Key | None) -> BoardPage:
        entries = read.entries
        counts = count_around(self.ladder, counted_from)
        page = _Stretch(
            entries[: self.limit],
            number=counts.before + 1,
            place=counts.higher + 1,
            has_next=len(entries) > self.limit,
            has_previous=counts.before > 0 and self.bounds is None,
        )
        return self._page(page, moment_of(now, read.mark), counts.total)

    def later_page(self, cursor: Cursor, *, is_before: bool) -> BoardPage | None:
        """The page beside the cursor, as the board stood at its moment; None when that is too long ago.

        Who moved and the rows are two reads; when an event came between them, both are read again.
        """
        read = self._read_before if is_before else self._read_after
        moved = moved_since(self.ladder, cursor.moment)
        for _attempt in range(_ATTEMPTS):
            if moved is None:
                return None
            still = read(with_moves(self.ladder, self.rows.exclude(pk__in=moved.then), cursor.moment), cursor.key)
            if still.mark in (None, moved.events):
                break
            moved = moved_since(self.ladder, cursor.moment)
        if moved is None:
            return None
        entries = sorted([*self._then(moved), *still.entries], key=lambda entry: entry.key.order)
        if is_before:
            page = self._above(cursor, [entry for entry in entries if entry.key.order < cursor.key.order], moved)
        else:
            page = self._below(cursor, [entry for entry in entries if entry.key.order > cursor.key.order])
        return self._page(page, cursor.moment, cursor.total, is_later=True)

    def _read_after(self, rows: QuerySet[PlayerRating], key: Key) -> Read:
        return stretch(rows, after=key, limit=self.limit + 1)

    def _read_before(self, rows: QuerySet[PlayerRating], key: Key) -> Read:
        return stretch_before(rows, before=key, limit=self.limit + 1)

    def _below(self, cursor: Cursor, entries: list[Entry]) -> "_Stretch":
        shares = bool(entries) and entries[0].key.position == cursor.key.position
        return _Stretch(
            entries[: self.limit],
            number=cursor.number + 1,
            place=cursor.place if shares else cursor.number + 1,
            has_next=len(entries) > self.limit,
            has_previous=True,
        )

    def _above(self, cursor: Cursor, entries: list[Entry], moved: Moved) -> "_Stretch":
        shown = entries[-self.limit :]
        key = shown[0].key if shown else None
        higher = sum(1 for entry in moved.then.values() if entry and key and _is_higher(entry.key, key.position))
        counts = count_around(self.ladder, key, besides=moved.then)
        return _Stretch(
            shown,
            number=max(cursor.number - len(shown), 1),
            place=counts.higher + higher + 1,
            has_next=True,
            has_previous=len(entries) > self.limit,
        )

    def _page(self, page: "_Stretch", moment: Moment, total: int, *, is_later: bool = False) -> BoardPage:
        """The stretch as a page of the board at that moment, with the cursors of its neighbours."""
        at, entries = page.places(), page.entries
        following = preceding = ""
        if entries and page.has_next:
            last = entries[-1].key
            place = at.get(last.position, 0) if last.position is not None else 0
            following = Cursor(moment, last, page.number + len(entries) - 1, place, total).pack()
        if entries and page.has_previous:
            preceding = Cursor(moment, entries[0].key, page.number, 0, total).pack()
        placed, waiting = dressed(self.ladder, entries, places=at, asker=self.asker)
        return BoardPage(placed, waiting, total, moment.at if is_later else None, following, preceding)

    def _then(self, moved: Moved) -> list[Entry]:
        """Those who moved, as they stood, inside the tier in question."""
        entries = [entry for entry in moved.then.values() if entry is not None]
        if self.bounds is None:
            return entries
        return [entry for entry in entries if self.bounds.hold(entry.key.position)]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rows in order; number: of the first from the top of the board; place: the first one's place."""

    entries: Sequence[Entry]
    number: int
    place: int
    has_next: bool
    has_previous: bool

    def places(self) -> dict[int, int]:
        """The place of every position in it: equal positions share one, the next one counts them all."""
        found: dict[int, int] = {}
        for offset, entry in enumerate(self.entries):
            position = entry.key.position
            if position is not None and position not in found:
                found[position] = self.number + offset if offset else self.place
        return found


def _first(read: Read) -> Key | None:
    return read.entries[0].key if read.entries else None


def _is_higher(key: Key, position: int | None) -> bool:
    if key.position is None:
        return False
    return position is None or key.position > position
