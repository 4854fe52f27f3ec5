"""Tables to take away."""

import csv
from collections.abc import Iterable

from django.http import HttpResponse

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(rows: Iterable[Iterable[object]], name: str) -> HttpResponse:
    """Rows as a file to keep. Numbers keep their decimals, what is missing is empty."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    csv.writer(answer, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)
    return answer


def cell(value: object) -> str:
    """One value as text. A text that a spreadsheet would take for a formula is marked as text by an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return str(value)
