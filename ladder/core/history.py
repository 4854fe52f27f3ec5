"""Match histories as CSV: read into rows and bad lines. Pure: bytes in, values out, nothing looked up.

Columns: date, team_a, team_b, result (1, 0.5 or 0 for team_a); optional score_a, score_b, margin, event, round (or
match) and id, and those of `ladder.core.history_facts`. Members of a side are joined by "|". Further columns are
passed over.
"""

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ladder.core.history_facts import FACT_COLUMNS, BadFact, facts_of
from ladder.core.results import Result, ResultProblem, result_of
from ratings.core.match_facts import MatchFacts

REQUIRED = ("date", "team_a", "team_b", "result")
CONTENT = ("date", "team_a", "team_b", "score_a", "score_b", "result", "event", "round", "match")
LONGEST_ID = 100
LONGEST_LABEL = 80
_WINNERS: Mapping[float, int | None] = {1.0: 0, 0.5: None, 0.0: 1}


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be imported. code: stable; values: what the sentence about it needs."""

    source: str
    line: int
    code: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One match. `external_id` names it for ever: its id if the file has ids, else its content and occurrence."""

    source: str
    line: int
    day: date
    sides: tuple[tuple[str, ...], ...]
    result: Result
    facts: MatchFacts
    label: str
    external_id: str


@dataclass(frozen=True, slots=True)
class History:
    """What a file holds, in its own order."""

    rows: tuple[HistoryRow, ...]
    bad: tuple[BadLine, ...]


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """What a file must fit. today: the last day that a match can have been played.

    allow_repeats: lines that are equal in everything are several matches, not one written twice.
    """

    today: date
    team_size: int = 1
    allow_repeats: bool = False


class _Bad(Exception):
    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


def read(source: str, content: bytes, rules: ReadingRules) -> History:
    """Read a file; every line is a row, a bad line or blank. A file without a usable header is one bad line."""
    rows: list[HistoryRow] = []
    bad: list[BadLine] = []
    seen: dict[str, int] = {}
    times: Counter[str] = Counter()
    for line, cells in _lines(content):
        try:
            if isinstance(cells, _Bad):
                raise cells
            row = _row(source, line, cells, rules)
            _refuse_repeat(row, cells, seen, rules)
        except _Bad as problem:
            bad.append(BadLine(source, line, problem.code, problem.values))
            continue
        times[row.external_id] += 1
        rows.append(_numbered(row, times[row.external_id]) if not _id_of(cells) else row)
    both = {entry.values["other"]: entry for entry in bad if entry.code == "same_id"}
    bad += [
        BadLine(source, row.line, "same_id", {"other": both[row.line].line, "id": both[row.line].values["id"]})
        for row in rows
        if row.line in both
    ]
    bad.sort(key=lambda entry: entry.line)
    return History(rows=tuple(row for row in rows if row.line not in both), bad=tuple(bad))


def _lines(content: bytes) -> Iterator[tuple[int, "dict[str, str] | _Bad"]]:
    """Each line with its cells by column, or with what is wrong with its form."""
    text = content.decode("utf-8-sig", errors="surrogateescape")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield start, _Bad("not_csv", detail=str(error))
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [cell.strip().lower() for cell in cells]
            problem = _problem_of_header(header)
            if problem is not None:
                yield start, problem
                return
        else:
            yield start, _cells(header, cells)
    if header is None:
        yield 1, _Bad("empty_file")


def _problem_of_header(header: Sequence[str]) -> _Bad | None:
    if any(_is_undecodable(name) for name in header):
        return _Bad("encoding")
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        return _Bad("missing_columns", columns=", ".join(missing))
    twice = [name for name, count in Counter(header).items() if count > 1 and name in (*CONTENT, *FACT_COLUMNS, "id")]
    return _Bad("column_twice", columns=", ".join(twice)) if twice else None


def _cells(header: Sequence[str], cells: Sequence[str]) -> "dict[str, str] | _Bad":
    if len(cells) != len(header):
        return _Bad("column_count", found=len(cells), expected=len(header))
    if any(_is_undecodable(cell) for cell in cells):
        return _Bad("encoding")
    return {name: cell.strip() for name, cell in zip(header, cells, strict=True)}


def _row(source: str, line: int, cells: Mapping[str, str], rules: ReadingRules) -> HistoryRow:
    given_id = _id_of(cells)
    if len(given_id) > LONGEST_ID:
        raise _Bad("long_id", longest=LONGEST_ID)
    sides, result = _sides(cells, rules), _result(cells)
    label = " ".join(filter(None, (cells.get("event", ""), cells.get("round", "") or cells.get("match", ""))))
    return HistoryRow(
        source=source,
        line=line,
        day=_day(cells["date"], rules),
        sides=sides,
        result=result,
        facts=_facts(cells, sides, result),
        label=label[:LONGEST_LABEL],
        external_id=f"id:{given_id}" if given_id else f"row:{_digest(cells)}",
    )


def _day(text: str, rules: ReadingRules) -> date:
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, flags=re.ASCII):
            raise ValueError(text)
        day = date.fromisoformat(text)
    except ValueError:
        raise _Bad("bad_date", text=text) from None
    if day > rules.today:
        raise _Bad("future_date", text=text)
    return day


def _sides(cells: Mapping[str, str], rules: ReadingRules) -> tuple[tuple[str, ...], ...]:
    sides = tuple(tuple(name.strip() for name in cells[column].split("|")) for column in ("team_a", "team_b"))
    names = [name for side in sides for name in side]
    if not all(names):
        raise _Bad("missing_name")
    if any(len(side) != rules.team_size for side in sides):
        raise _Bad("team_row", found=max(len(side) for side in sides), expected=rules.team_size)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise _Bad("player_twice", name=twice[0])
    return sides


def _result(cells: Mapping[str, str]) -> Result:
    try:
        winner = _WINNERS[float(cells["result"])]
    except (ValueError, KeyError):
        raise _Bad("unknown_result", text=cells["result"]) from None
    scores = _scores(cells)
    try:
        return result_of(winner, sides=2, scores=scores)
    except ResultProblem as problem:
        raise _Bad(problem.code) from None


def _facts(cells: Mapping[str, str], sides: Sequence[Sequence[str]], result: Result) -> MatchFacts:
    try:
        return facts_of(cells, [len(side) for side in sides], result.margin)
    except BadFact as problem:
        raise _Bad(problem.code, text=problem.text) from None


def _scores(cells: Mapping[str, str]) -> tuple[int, int] | None:
    texts = cells.get("score_a", ""), cells.get("score_b", "")
    if texts == ("", ""):
        return None
    if not all(re.fullmatch(r"\d{1,9}", text, flags=re.ASCII) for text in texts):
        raise _Bad("wrong_scores")
    scores = int(texts[0]), int(texts[1])
    margin = cells.get("margin", "")
    if margin and margin != str(scores[0] - scores[1]):
        raise _Bad("margin_contradicts", text=margin)
    return scores


def _refuse_repeat(row: HistoryRow, cells: Mapping[str, str], seen: dict[str, int], rules: ReadingRules) -> None:
    first = seen.setdefault(row.external_id, row.line)
    if first == row.line:
        return
    if _id_of(cells):
        raise _Bad("same_id", other=first, id=_id_of(cells))
    if not rules.allow_repeats:
        raise _Bad("same_line", other=first)


def _numbered(row: HistoryRow, occurrence: int) -> HistoryRow:
    return replace(row, external_id=f"{row.external_id}:{occurrence}")


def _id_of(cells: Mapping[str, str]) -> str:
    return cells.get("id", "")


def _digest(cells: Mapping[str, str]) -> str:
    """A name for the line's content, the same whatever further columns a file has and in whatever order."""
    content = [cells.get(column, "") for column in CONTENT]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:40]


def _is_undecodable(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
