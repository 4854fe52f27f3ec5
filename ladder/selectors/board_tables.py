"""The whole standings of a queue and season as a table to keep. A row says what the page says, and nothing hidden."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from ladder.selectors.board_counts import places
from ladder.selectors.board_days import day_of_wish
from ladder.selectors.board_order import Entry, all_entries, listed
from ladder.selectors.board_rows import Wish, bounds_of
from ladder.selectors.ladders import Ladder
from ratings.core.visible_rank import RankRules, label

COLUMNS = ("place", "tier", "division", "points", "handle", "name", "won", "lost", "drawn", "placement")
Row = tuple[object, ...]


def standings(ladder: Ladder, wish: Wish, *, now: datetime) -> Iterator[Row]:
    """The columns' names, then everybody of the tier, division and day that is wished for; two queries or fewer."""
    yield COLUMNS
    if ladder.season is None:
        return
    entries, at = _then(ladder, wish) if wish.is_past(now) else _now(ladder, wish)
    rules = ladder.rank_rules
    for entry in entries:
        yield _row(rules, entry, at)


def _now(ladder: Ladder, wish: Wish) -> tuple[list[Entry], Mapping[int, int]]:
    bounds = bounds_of(ladder.rank_rules, wish.tier, wish.division)
    rows = listed(ladder) if bounds is None else listed(ladder).filter(bounds.condition)
    entries = all_entries(rows)
    first = next((entry.key.position for entry in entries if entry.key.position is not None), None)
    if bounds is None or first is None:
        return entries, _counted(entries, 1)
    return entries, _counted(entries, places(ladder, [first])[first])


def _then(ladder: Ladder, wish: Wish) -> tuple[list[Entry], Mapping[int, int]]:
    read = day_of_wish(ladder, wish).everybody()
    return read.entries, read.places


def _counted(entries: Sequence[Entry], first: int) -> Mapping[int, int]:
    """The place of each position, the first one given: equal positions share one, the next one counts them all."""
    at: dict[int, int] = {}
    for offset, entry in enumerate(entries):
        if entry.key.position is not None:
            at.setdefault(entry.key.position, first + offset)
    return at


def _row(rules: RankRules, entry: Entry, at: Mapping[int, int]) -> Row:
    key = entry.key
    who_and_how = (entry.handle, entry.name, key.wins, entry.losses, entry.draws)
    if key.position is None:
        played = key.wins + entry.draws + entry.losses
        return ("", "", "", "", *who_and_how, f"{played} of {played + max(entry.placement_left, 1)}")
    rank = label(rules, key.position)
    return (at[key.position], rank.tier_name, rank.division or "", rank.points, *who_and_how, "")
