"""What a line of a match history says besides who won: neutral ground, margin, shares played, individual figures.

Columns, all optional: neutral (1: nobody had the side advantage; else team_a had it), margin (where no scores are
given), played_a and played_b (per cent of the match that each member played), perf_a and perf_b (a figure per member,
higher is better, empty where unknown); members in the order of team_a and team_b, joined by "|".
"""

import math
from collections.abc import Mapping, Sequence

from ratings.core.match_facts import MatchFacts, SeatFacts

FACT_COLUMNS = ("neutral", "margin", "played_a", "played_b", "perf_a", "perf_b")
LARGEST = 1e9


class BadFact(ValueError):
    """A fact that cannot be read. code: stable; text: what stands there."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code)
        self.code, self.text = code, text


def facts_of(cells: Mapping[str, str], sizes: Sequence[int], margin: float | None) -> MatchFacts:
    """The facts of a line whose sides have these sizes; `margin` is what the scores say, None without scores.

    Raises BadFact.
    """
    seats = []
    for letter, size in zip("ab", sizes, strict=True):
        shares = [_share(text) for text in _split(cells.get(f"played_{letter}", ""), size, "100", "wrong_shares")]
        figures = [_figure(text) for text in _split(cells.get(f"perf_{letter}", ""), size, "", "wrong_figures")]
        if not any(shares):
            raise BadFact("nobody_played", cells[f"team_{letter}"])
        seats.append([SeatFacts(None, share, figure) for share, figure in zip(shares, figures, strict=True)])
    return MatchFacts.of(_margin(cells) if margin is None else margin, _side(cells), seats)


def _side(cells: Mapping[str, str]) -> int | None:
    text = cells.get("neutral", "")
    if text not in ("", "0", "1"):
        raise BadFact("bad_neutral", text)
    return None if text == "1" else 0


def _margin(cells: Mapping[str, str]) -> float | None:
    text = cells.get("margin", "")
    return abs(_number(text, "bad_margin")) if text else None


def _split(text: str, size: int, empty: str, code: str) -> list[str]:
    if not text:
        return [empty] * size
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != size:
        raise BadFact(code, text)
    return parts


def _share(text: str) -> float:
    percent = _number(text, "wrong_shares")
    if not 0.0 <= percent <= 100.0:
        raise BadFact("wrong_shares", text)
    return percent / 100.0


def _figure(text: str) -> float | None:
    return _number(text, "wrong_figures") if text else None


def _number(text: str, code: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadFact(code, text) from None
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise BadFact(code, text)
    return value
