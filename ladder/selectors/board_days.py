"""The pages of a leaderboard as it stood at the end of a past day."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from ladder.core.days import day_of, end_of
from ladder.models import Player
from ladder.selectors.board_cursor import pack_key, read_key
from ladder.selectors.board_day_rows import Day, DayRead, Part
from ladder.selectors.board_order import Entry, Key
from ladder.selectors.board_rows import ABOVE, FOUND, NOBODY, Asker, BoardPage, Wish, bounds_of, dressed
from ladder.selectors.ladders import Ladder


def day_page(ladder: Ladder, wish: Wish, *, viewer: Player | None, limit: int) -> BoardPage:
    """The page that is wished for of the board at the end of the day `wish.on`; at most three queries.

    A cursor that is none of ours gives the first page.
    """
    day, asker = day_of_wish(ladder, wish), Asker.of(viewer, wish)
    if wish.text:
        page = _found(day, wish.text, asker)
    elif (cursor := read_key(wish.cursor)) is not None:
        page = _beside(day, cursor, asker, limit, goes_up=wish.goes_up)
    else:
        key = day.key_of(asker.wanted) if asker.wanted else None
        page = _around(day, key, asker, limit) if key else _first(day, asker, limit)
    return replace(page, day=wish.on)


def day_of_wish(ladder: Ladder, wish: Wish) -> Day:
    """The board at the end of the day that is wished for, of the tier or division that is wished for."""
    assert wish.on is not None, "asked for days alone"
    return Day(ladder, end_of(wish.on, ZoneInfo(wish.zone)), bounds_of(ladder.rank_rules, wish.tier, wish.division))


def days_to_ask(ladder: Ladder, zone: str, now: datetime) -> tuple[date, date] | None:
    """The first and the last day of a season that are over; None where there is none yet."""
    if ladder.season is None or ladder.rules is None:
        return None
    here, starts = ZoneInfo(zone), ladder.rules.during.lower
    begun = min(starts, ladder.season.opened_at or starts)
    first, last = day_of(begun, here), day_of(now, here) - timedelta(days=1)
    if ladder.season.closed_at is not None:
        last = min(last, day_of(ladder.season.closed_at, here))
    return (first, last) if first <= last else None


def _found(day: Day, text: str, asker: Asker) -> BoardPage:
    read = day.named(text, FOUND + 1)
    page = _shown(day, read, read.entries[:FOUND], asker)
    return replace(page, total=len(read.entries), more_found=len(read.entries) > FOUND)


def _first(day: Day, asker: Asker, limit: int) -> BoardPage:
    read = day.beside(Part.BELOW, day.top, limit + 1)
    page = _shown(day, read, read.entries[:limit], asker, has_next=len(read.entries) > limit)
    return replace(page, not_found=asker.wanted)


def _beside(day: Day, cursor: Key, asker: Asker, limit: int, *, goes_up: bool) -> BoardPage:
    read = day.beside(Part.ABOVE if goes_up else Part.BELOW, cursor, limit + 1)
    more = len(read.entries) > limit
    if goes_up:
        return _shown(day, read, read.entries[-limit:], asker, has_next=True, has_previous=more)
    return _shown(day, read, read.entries[:limit], asker, has_next=more, has_previous=True)


def _around(day: Day, key: Key, asker: Asker, limit: int) -> BoardPage:
    """Somebody and their neighbours."""
    read = day.beside(Part.AROUND, key, limit + 1)
    start = max(sum(entry.key.order < key.order for entry in read.entries) - ABOVE, 0)
    shown = read.entries[start : start + limit]
    has_next = len(read.entries) > start + limit
    return _shown(day, read, shown, asker, has_next=has_next, has_previous=start > 0)


def _shown(
    day: Day, read: DayRead, shown: Sequence[Entry], asker: Asker, *, has_next: bool = False, has_previous: bool = False
) -> BoardPage:
    placed, waiting = dressed(day.ladder, shown, places=read.places, asker=asker, until=day.until)
    return replace(
        NOBODY,
        placed=placed,
        waiting=waiting,
        total=read.total,
        next=pack_key(shown[-1].key) if shown and has_next else "",
        previous=pack_key(shown[0].key) if shown and has_previous else "",
    )
