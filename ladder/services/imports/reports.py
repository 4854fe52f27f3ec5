"""What an import takes and what it tells."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ladder.core.history import BadLine

Progress = Callable[[int, int], None]
"""Called with the matches rated so far and how many there are."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file: its name, for messages, and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did or, when not `written`, would do.

    imported: new matches. known: rows that an earlier import brought. bad: lines left out, or the reason why nothing
    was written. seasons: new matches by the name of their season. outside: rows dated outside every season, which went
    to the open one. draws: new matches that were drawn, in a queue whose report form offers no draw. out_of_order: rows
    dated before the row above them; the order of the file was kept.
    """

    written: bool
    imported: int = 0
    known: int = 0
    bad: tuple[BadLine, ...] = ()
    new_players: tuple[str, ...] = ()
    seasons: dict[str, int] = field(default_factory=dict)
    outside: int = 0
    draws: int = 0
    out_of_order: int = 0
