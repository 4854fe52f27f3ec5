"""The rows of a leaderboard as they are shown: ranks in words, shared places, the last five results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import md5
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Q

from ladder.core.days import day_of
from ladder.models import Player
from ladder.selectors.board_order import Entry
from ladder.selectors.ladders import Ladder
from ladder.selectors.last_results import last_five
from ratings.core.visible_rank import DIVISION, RankLabel, RankRules, label

PAGE = 50
FOUND = 20
ABOVE = 7  # rows above the one around whom a page is drawn


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
    is_wanted: bool
    placed_matches: int
    placement_matches: int


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page. next and previous: cursors, empty at the ends.

    as_of: the moment it shows, None for now. day: the past day at whose end it shows the board, None for now.
    expired: the cursor was too old. more_found: a search found more than it shows. not_found: who was to be shown,
    and does not stand here.
    """

    placed: tuple[BoardRow, ...]
    waiting: tuple[BoardRow, ...]
    total: int
    as_of: datetime | None
    next: str
    previous: str
    more_found: bool = False
    expired: bool = False
    not_found: str = ""
    day: date | None = None

    @property
    def fingerprint(self) -> str:
        """Changes whenever anything that the rows show changes."""
        return md5(repr((self.placed, self.waiting, self.total)).encode(), usedforsecurity=False).hexdigest()

    @property
    def is_empty(self) -> bool:
        """Whether nobody stands here."""
        return not self.placed and not self.waiting


NOBODY = BoardPage(placed=(), waiting=(), total=0, as_of=None, next="", previous="")


@dataclass(frozen=True, slots=True)
class Wish:
    """What an address asks for.

    text: people by name, on the whole board. after, before: cursors of an earlier page. tier, division: that tier or
    division alone. at: where somebody stands, a handle or "me". on: the board at the end of a past day of the zone.
    """

    text: str = ""
    after: str = ""
    before: str = ""
    tier: int | None = None
    division: int | None = None
    at: str = ""
    on: date | None = None
    zone: str = "UTC"

    @classmethod
    def of(cls, asked: Mapping[str, Any], zone: str) -> "Wish":
        """From the cleaned values of a form, by the days of the club's zone."""
        texts = {name: asked[name] or "" for name in ("after", "before", "at")}
        return cls(asked["q"] or "", tier=asked["tier"], division=asked["division"], on=asked["on"], zone=zone, **texts)

    def is_past(self, now: datetime) -> bool:
        """Whether a day is asked for that is over."""
        return self.on is not None and self.on < day_of(now, ZoneInfo(self.zone))

    @property
    def cursor(self) -> str:
        """The one to go by, empty for a page that begins anew."""
        return self.after or self.before

    @property
    def goes_up(self) -> bool:
        """Whether the page stands above its cursor."""
        return bool(self.before and not self.after)


ANYTHING = Wish()


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose rows are marked: the viewer's, and the one around whom the page is drawn."""

    viewer: Player | None
    wanted: str

    @classmethod
    def of(cls, viewer: Player | None, wish: Wish) -> "Asker":
        """ "me" is whoever looks, nobody for a stranger."""
        if wish.at != "me":
            return cls(viewer, wish.at)
        return cls(viewer, viewer.handle if viewer else "")


def dressed(
    ladder: Ladder,
    entries: Sequence[Entry],
    *,
    places: Mapping[int, int],
    asker: Asker,
    until: datetime | None = None,
) -> tuple[tuple[BoardRow, ...], tuple[BoardRow, ...]]:
    """Those with a rank and those in placement, with everything they show; one query for the last five.

    places: by position. until: the last five are those before this moment.
    """
    letters = last_five(ladder, [entry.player_id for entry in entries], until=until) if entries else {}
    rules = ladder.rank_rules
    rows = [_row(rules, entry, places, letters, asker) for entry in entries]
    return tuple(row for row in rows if row.rank is not None), tuple(row for row in rows if row.rank is None)


def _row(
    rules: RankRules, entry: Entry, places: Mapping[int, int], letters: Mapping[UUID, str], asker: Asker
) -> BoardRow:
    position = entry.key.position
    games = entry.key.wins + entry.draws + entry.losses
    return BoardRow(
        place=None if position is None else places[position],
        handle=entry.handle,
        name=entry.name,
        rank=None if position is None else label(rules, position),
        wins=entry.key.wins,
        losses=entry.losses,
        draws=entry.draws,
        last_five=letters.get(entry.player_id, ""),
        is_me=asker.viewer is not None and entry.player_id == asker.viewer.pk,
        is_wanted=entry.handle == asker.wanted,
        placed_matches=games,
        placement_matches=games + max(entry.placement_left, 1),
    )


@dataclass(frozen=True, slots=True)
class Bounds:
    """A stretch of positions, [low, high); high None without an upper end."""

    low: int
    high: int | None

    @property
    def condition(self) -> Q:
        """The same for a query of standings."""
        inside = Q(position__gte=self.low)
        return inside if self.high is None else inside & Q(position__lt=self.high)

    def hold(self, position: int | None) -> bool:
        """Whether a position lies in it."""
        return position is not None and position >= self.low and (self.high is None or position < self.high)


def bounds_of(rules: RankRules, tier: int | None, division: int | None) -> Bounds | None:
    """The positions of a tier, or of one division of it; None without a tier, or for one that there is not.

    A division that the tier does not have counts as not asked for.
    """
    if tier is None:
        return None
    inside = [index for index, (number, _division) in enumerate(rules.places) if number == tier]
    if not inside:
        return None
    narrowed = [index for index in inside if rules.places[index][1] == division] or inside
    is_top = narrowed[-1] == len(rules.places) - 1
    return Bounds(narrowed[0] * DIVISION, None if is_top else (narrowed[-1] + 1) * DIVISION)
