"""Counting queries, always with the reason for the number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext


@contextmanager
def assert_queries(expected: int, reason: str, *, at_most: bool = False) -> Iterator[CaptureQueriesContext]:
    """The block makes exactly (or `at_most`) so many queries; `reason` says which ones they are."""
    with CaptureQueriesContext(connection) as captured:
        yield captured
    made = len(captured)
    if made == expected or (at_most and made < expected):
        return
    listed = "\n".join(f"{number:3}. {query['sql'][:300]}" for number, query in enumerate(captured.captured_queries, 1))
    limit = "at most " if at_most else ""
    raise AssertionError(f"{made} queries instead of {limit}{expected} ({reason}):\n{listed}")
