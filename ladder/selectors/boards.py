"""The leaderboard page of one queue and season: pages that fit together while ranks move, shared places.

A cursor names the moment its first page was drawn, and later pages show the ladder as it stood then. Who left or was
banned drops out of a ladder at the next look, and stays in the standings of a closed season.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import md5
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Value

from ladder.models import Player
from ladder.selectors.board_counts import count_around, places
from ladder.selectors.board_cursor import Cursor, read_cursor
from ladder.selectors.board_moments import Moment, Moved, moment_of, moved_since, with_moves, with_recent
from ladder.selectors.board_order import (
    Entry,
    Key,
    Read,
    around,
    listed,
    own_key,
    stretch,
    stretch_before,
)
from ladder.selectors.ladders import Ladder
from ladder.selectors.last_results import last_five
from ladder.selectors.name_search import named
from ratings.core.visible_rank import DIVISION, RankLabel, RankRules, label
from ratings.models import PlayerRating

PAGE = 50
_ABOVE_ME = 7
_ATTEMPTS = 3
FOUND = 20


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line. place and rank are None in placement, where placed_matches of placement_matches are played."""

    place: int | None
    handle: str
    name: str
    rank: RankLabel | None
    wins: int
    losses: int
    draws: int
    last_five: str
    is_me: bool
    placed_matches: int
    placement_matches: int


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page. as_of: the moment it shows, None for now; next and previous: cursors, empty at the ends."""

    placed: tuple[BoardRow, ...]
    waiting: tuple[BoardRow, ...]
    total: int
    as_of: datetime | None
    next: str
    previous: str
    more_found: bool = False
    expired: bool = False

    @property
    def fingerprint(self) -> str:
        """Changes whenever anything that the rows show changes."""
        return md5(repr((self.placed, self.waiting, self.total)).encode(), usedforsecurity=False).hexdigest()

    @property
    def is_empty(self) -> bool:
        """Whether nobody stands here."""
        return not self.placed and not self.waiting


def wanted(ladder: Ladder, wish: Mapping[str, Any], *, viewer: Player | None, now: datetime) -> BoardPage:
    """The page that an address asks for: q searches by name; else after, before, tier and at as in `board_page`."""
    if wish["q"]:
        return search(ladder, wish["q"], viewer=viewer)
    return board_page(
        ladder,
        viewer=viewer,
        now=now,
        after=wish["after"] or "",
        before=wish["before"] or "",
        tier=wish["tier"],
        at_me=wish["at"] == "me",
    )


def board_page(
    ladder: Ladder,
    *,
    viewer: Player | None,
    now: datetime,
    after: str = "",
    before: str = "",
    tier: int | None = None,
    at_me: bool = False,
    limit: int = PAGE,
) -> BoardPage:
    """A page of the board. after, before: cursors of an earlier page; tier: that tier alone; at_me: where I stand.

    A cursor from too long ago, or none of ours, gives the first page of now with `expired`. A constant number of
    queries: rows, counts, last five, and who moved since the cursor's moment.
    """
    if ladder.season is None:
        return BoardPage(placed=(), waiting=(), total=0, as_of=None, next="", previous="")
    drawing = _Drawing(ladder, viewer, tier, limit)
    if after or before:
        cursor = read_cursor(after or before)
        page = drawing.later_page(cursor, is_before=bool(before and not after)) if cursor else None
        return page or drawing.first_page(now, expired=True)
    key = own_key(drawing.rows, viewer.pk) if at_me and viewer else None
    return drawing.page_around(key, now) if key else drawing.first_page(now)


def search(ladder: Ladder, text: str, *, viewer: Player | None) -> BoardPage:
    """The people of the board whose handle or name holds the text, the highest 20, with their true places."""
    if ladder.season is None:
        return BoardPage(placed=(), waiting=(), total=0, as_of=None, next="", previous="")
    drawing = _Drawing(ladder, viewer, None, FOUND)
    rows = drawing.rows.filter(named(text)).annotate(mark=Value(0))
    found = stretch(rows, after=None, limit=FOUND + 1).entries
    at = places(ladder, (entry.key.position for entry in found[:FOUND] if entry.key.position is not None))
    return drawing.dress(found[:FOUND], places=at, total=len(found), more_found=len(found) > FOUND)


class _Drawing:
    """What the pages of one request share: the ladder, who looks, and the rows in question."""

    def __init__(self, ladder: Ladder, viewer: Player | None, tier: int | None, limit: int) -> None:
        self.limit = limit
        self.ladder = ladder
        self.viewer = viewer
        self.rules = ladder.rank_rules
        self.bounds = _bounds(self.rules, tier)
        self.rows = self._within(listed(ladder))

    def first_page(self, now: datetime, *, expired: bool = False) -> BoardPage:
        """From the top of the board, or of the tier."""
        read = stretch(with_recent(self.ladder, self.rows, now), after=None, limit=self.limit + 1)
        is_top = self.bounds is None  # nobody stands above, so there is nothing to count but everybody
        return self._page_of_now(read, now, counted_from=None if is_top else _first(read), expired=expired)

    def page_around(self, key: Key, now: datetime) -> BoardPage:
        """Somebody and their neighbours."""
        rows = with_recent(self.ladder, self.rows, now)
        read = around(rows, key, above=_ABOVE_ME, limit=self.limit + 1)
        return self._page_of_now(read, now, counted_from=_first(read))

    def _page_of_now(self, read: Read, now: datetime, *, counted_from: Key | None, expired: bool = False) -> BoardPage:
        entries = read.entries
        counts = count_around(self.ladder, counted_from)
        page = _Stretch(
            entries[: self.limit],
            number=counts.before + 1,
            place=counts.higher + 1,
            has_next=len(entries) > self.limit,
            has_previous=counts.before > 0 and self.bounds is None,
        )
        return self._page(page, moment_of(now, read.mark), counts.total, expired=expired)

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

    def dress(
        self,
        entries: Sequence[Entry],
        *,
        places: Mapping[int, int],
        total: int,
        as_of: datetime | None = None,
        next: str = "",
        previous: str = "",
        expired: bool = False,
        more_found: bool = False,
    ) -> BoardPage:
        """The rows with everything they show; one query for the last five."""
        letters = last_five(self.ladder, [entry.player_id for entry in entries]) if entries else {}
        rows = [self._row(entry, places, letters) for entry in entries]
        return BoardPage(
            placed=tuple(row for row in rows if row.rank is not None),
            waiting=tuple(row for row in rows if row.rank is None),
            total=total,
            as_of=as_of,
            next=next,
            previous=previous,
            more_found=more_found,
            expired=expired,
        )

    def _page(
        self, page: "_Stretch", moment: Moment, total: int, *, is_later: bool = False, expired: bool = False
    ) -> BoardPage:
        """The stretch as a page of the board at that moment, with the cursors of its neighbours."""
        places, entries = page.places(), page.entries
        following = preceding = ""
        if entries and page.has_next:
            last = entries[-1].key
            place = places.get(last.position, 0) if last.position is not None else 0
            following = Cursor(moment, last, page.number + len(entries) - 1, place, total).pack()
        if entries and page.has_previous:
            preceding = Cursor(moment, entries[0].key, page.number, 0, total).pack()
        return self.dress(
            entries,
            places=places,
            total=total,
            as_of=moment.at if is_later else None,
            next=following,
            previous=preceding,
            expired=expired,
        )

    def _row(self, entry: Entry, places: Mapping[int, int], letters: Mapping[UUID, str]) -> BoardRow:
        position = entry.key.position
        games = entry.key.wins + entry.draws + entry.losses
        return BoardRow(
            place=None if position is None else places[position],
            handle=entry.handle,
            name=entry.name,
            rank=None if position is None else label(self.rules, position),
            wins=entry.key.wins,
            losses=entry.losses,
            draws=entry.draws,
            last_five=letters.get(entry.player_id, ""),
            is_me=self.viewer is not None and entry.player_id == self.viewer.pk,
            placed_matches=games,
            placement_matches=games + max(entry.placement_left, 1),
        )

    def _within(self, rows: QuerySet[PlayerRating]) -> QuerySet[PlayerRating]:
        if self.bounds is None:
            return rows
        low, high = self.bounds
        rows = rows.filter(position__gte=low)
        return rows if high is None else rows.filter(position__lt=high)

    def _then(self, moved: Moved) -> list[Entry]:
        """Those who moved, as they stood, inside the tier in question."""
        entries = [entry for entry in moved.then.values() if entry is not None]
        if self.bounds is None:
            return entries
        low, high = self.bounds
        return [
            entry
            for entry in entries
            if entry.key.position is not None
            and entry.key.position >= low
            and (high is None or entry.key.position < high)
        ]


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


def _bounds(rules: RankRules, tier: int | None) -> tuple[int, int | None] | None:
    """The positions of a tier, [low, high); None without one."""
    if tier is None:
        return None
    inside = [index for index, (number, _division) in enumerate(rules.places) if number == tier]
    if not inside:
        return None
    is_top = inside[-1] == len(rules.places) - 1
    return inside[0] * DIVISION, None if is_top else (inside[-1] + 1) * DIVISION


def _first(read: Read) -> Key | None:
    return read.entries[0].key if read.entries else None


def _is_higher(key: Key, position: int | None) -> bool:
    if key.position is None:
        return False
    return position is None or key.position > position
