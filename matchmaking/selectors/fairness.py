"""The fairness page: how predictions held (the ladder's figures) and how long people waited for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ladder.core.charts import NARROW, WIDE, Chart, Line, Spec, draw, span_of
from ladder.selectors.access import Access
from ladder.selectors.fairness import FairnessPage, GroupRow, band_name, fairness_page, hour_name
from matchmaking.selectors.searches import Ends, Searches, Waits, searches

HALF, NINE = 0, 1  # the series of the chart


@dataclass(frozen=True, slots=True)
class WaitRow:
    """Some waits with a name in words; ends: how the searches of that hour ended, where it is an hour."""

    name: str
    waits: Waits | None
    ends: Ends | None = None


@dataclass(frozen=True, slots=True)
class FairPage:
    """The page: matches, searches, and the waits by hour drawn for wide and for narrow screens."""

    matches: FairnessPage
    searches: Searches
    bands: tuple[WaitRow, ...]
    hours: tuple[WaitRow, ...]
    waits: tuple[Chart, Chart] | None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show at all."""
        return self.matches.figures is None and self.searches.total is None and not self.searches.ends


def fair_page(access: Access, queue_slug: str, span: str, *, now: datetime) -> FairPage:
    """The page of one queue (by its address; empty: of all); six queries, whatever there is."""
    matches = fairness_page(access, queue_slug, span, now=now)
    chosen = matches.queues if matches.queue is None else (matches.queue,)
    found = searches(chosen, access.club.time_zone, matches.since)
    return FairPage(
        matches=matches,
        searches=found,
        bands=tuple(WaitRow(band_name(one.key), one) for one in found.bands),
        hours=_hours(found),
        waits=_waits(found.hours) if len(found.hours) > 1 else None,
    )


def _hours(found: Searches) -> tuple[WaitRow, ...]:
    """Every hour in which somebody was matched or a search ended."""
    waits = {one.key: one for one in found.hours}
    ends = {one.hour: one for one in found.ends}
    return tuple(WaitRow(hour_name(hour), waits.get(hour), ends.get(hour)) for hour in sorted({*waits, *ends}))


def _waits(hours: Sequence[Waits]) -> tuple[Chart, Chart]:
    """Waits by the hour of joining: the half, and nine in ten; hours without a match break the lines."""
    by_hour = {one.key: one for one in hours}
    half = [(float(hour), by_hour[hour].half if hour in by_hour else None) for hour in range(24)]
    nine = [(float(hour), by_hour[hour].nine if hour in by_hour else None) for hour in range(24)]
    spec = Spec(
        x=(-0.5, 23.5),
        y=span_of([value for _hour, value in nine], around=[0.0], least=10.0),
        names=[(float(hour), hour_name(hour)) for hour in range(0, 24, 3)],
        lines=[Line(half, series=HALF, is_marked=True), Line(nine, series=NINE, is_marked=True)],
        told=lambda value: f"{value:g} s",
    )
    return draw(spec, WIDE), draw(spec, NARROW)


CSV_COLUMNS = (
    "part",
    "group",
    "matches",
    "log_loss",
    "brier",
    "accuracy",
    "calibration_error",
    "lopsided",
    "one_sided",
    "quality",
    "players",
    "wait_50",
    "wait_90",
    "wait_95",
    "searches_matched",
    "searches_nobody",
    "predicted",
    "observed",
)


def csv_rows(page: FairPage) -> Iterator[tuple[object, ...]]:
    """Every table of the page under one header, for spreadsheets."""
    yield CSV_COLUMNS
    matches = page.matches
    parts = {"queue": matches.by_queue, "band": matches.bands, "hour": matches.hours, "party": matches.parties}
    for part, rows in parts.items():
        for row in rows:
            yield _csv(part, row.name, **_figures(row))
    if matches.figures is not None:
        for one in matches.figures.calibration:
            told = {"matches": one.count, "predicted": one.predicted, "observed": one.observed}
            yield _csv("calibration", f"{one.low:.1f}", **told)
    for part, waits in (("wait_band", page.bands), ("wait_hour", page.hours)):
        for wait in waits:
            yield _csv(part, wait.name, **_wait_figures(wait))


def _figures(row: GroupRow) -> dict[str, float | int | None]:
    names = ("matches", "log_loss", "brier", "accuracy", "calibration_error", "lopsided", "one_sided", "quality")
    return {name: getattr(row.group, name) for name in names}


def _wait_figures(row: WaitRow) -> dict[str, float | int | None]:
    told: dict[str, float | int | None] = {}
    if row.waits is not None:
        told = {
            "players": row.waits.players,
            "wait_50": row.waits.half,
            "wait_90": row.waits.nine,
            "wait_95": row.waits.most,
        }
    if row.ends is not None:
        told |= {"searches_matched": row.ends.matched, "searches_nobody": row.ends.nobody}
    return told


def _csv(part: str, group: str, **told: float | int | None) -> tuple[object, ...]:
    return (part, group, *(told.get(name) for name in CSV_COLUMNS[2:]))
