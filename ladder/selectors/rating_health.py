"""The health page: do ratings still mean what they meant? Weeks, plots and words. For the staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Max
from django.utils import formats
from django.utils.translation import gettext as _

from ladder.core.charts import (
    NARROW,
    WIDE,
    Area,
    Bars,
    Chart,
    Label,
    Level,
    Line,
    Sign,
    Spec,
    draw,
    span_of,
)
from ladder.models import Match, Queue, SeasonRules
from ladder.selectors.access import Access
from ratings.core.health import (
    LIMIT,
    MODEL,
    OTHER,
    RUNNING_WEEKS,
    SEASON,
    STAFF,
    START,
    Drift,
    Verdict,
    Week,
    monday_of,
    running_drift,
    verdict,
)
from ratings.errors import NotFound
from ratings.models import RatingModel
from ratings.selectors.health import weekly_health

SPANS: Mapping[str, int | None] = {"half": 26, "year": 52, "all": None}
MANY_WEEKS = 60  # from here on dates are months
Charts = tuple[Chart, Chart]


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week of the table: its figures, and what it and the seven before it did."""

    week: Week
    drift: Drift

    @property
    def start(self) -> float:
        """What first ratings were above (or below) an engine's newcomer."""
        return self.week.sums.get(START, 0.0)

    @property
    def staff(self) -> float:
        """Corrections, adjustments and reversals."""
        return self.week.sums.get(STAFF, 0.0)

    @property
    def rules(self) -> float:
        """Season resets, changes of model, decay and reserve."""
        return sum(self.week.sums.get(group, 0.0) for group in (SEASON, MODEL, OTHER))


@dataclass(frozen=True, slots=True)
class RatingHealth:
    """Everything the page shows. The charts come for wide and for narrow screens; None without a week."""

    queue: Queue | None
    queues: tuple[Queue, ...]
    span: str
    rows: tuple[WeekRow, ...] = ()
    verdict: Verdict | None = None
    spread: Charts | None = None
    sums: Charts | None = None
    drift: Charts | None = None

    @property
    def newest(self) -> WeekRow | None:
        """The last week shown."""
        return self.rows[-1] if self.rows else None

    @property
    def limit(self) -> float:
        """The warning line, in points."""
        return LIMIT

    @property
    def running_weeks(self) -> int:
        """How many weeks are looked at together."""
        return RUNNING_WEEKS


def rating_health(access: Access, queue_slug: str, span: str) -> RatingHealth:
    """The page of one queue (by its address; empty: the club's first). Six queries, whatever the record holds."""
    queues = tuple(Queue.objects.filter(club=access.club).order_by("created_at", "id"))
    queue = next((one for one in queues if one.slug == queue_slug or not queue_slug), None)
    if queue is None and queue_slug:
        raise NotFound("not_found", _("This club has no such queue."))
    page = RatingHealth(queue=queue, queues=queues, span=span)
    if queue is None:
        return page
    zone = access.club.time_zone
    weeks, first = _weeks(queue, zone, SPANS[span])
    if not weeks:
        return page
    rows = tuple(
        WeekRow(week, drift) for week, drift in zip(weeks, running_drift(weeks), strict=True) if week.starts >= first
    )
    signs = _signs(queue, zone, rows)
    return RatingHealth(
        queue=queue,
        queues=queues,
        span=span,
        rows=rows,
        verdict=verdict(weeks),
        spread=_drawn(rows, _spread(rows), signs),
        sums=_drawn(rows, _sums(rows), signs),
        drift=_drawn(rows, _drift(rows), signs),
    )


def _weeks(queue: Queue, zone: str, span: int | None) -> tuple[tuple[Week, ...], date]:
    """The weeks up to the last match, those before the span that the first running sum needs too, and its first."""
    if span is None:
        weeks = weekly_health(queue_id=queue.pk, zone=zone)
        return weeks, weeks[0].starts if weeks else date.max
    last = Match.objects.filter(queue=queue, completed_at__isnull=False).aggregate(at=Max("completed_at"))["at"]
    if last is None:
        return (), date.max
    first = monday_of(last.astimezone(ZoneInfo(zone)).date()) - timedelta(weeks=span - 1)
    since = datetime.combine(first - timedelta(weeks=RUNNING_WEEKS), time(), tzinfo=ZoneInfo(zone))
    return weekly_health(queue_id=queue.pk, zone=zone, since=since), first


def _signs(queue: Queue, zone: str, rows: Sequence[WeekRow]) -> list[Sign]:
    """Where seasons and models began, within the weeks shown."""
    first, last = rows[0].week.starts, rows[-1].week.starts + timedelta(days=6)
    begun = [
        (during.lower, name)
        for during, name in SeasonRules.objects.filter(queue=queue).values_list("during", "season__name")
    ]
    models = RatingModel.objects.filter(queue=queue, valid_during__isnull=False).values_list("valid_during", "version")
    begun += [(during.lower, _("model %(version)s") % {"version": version}) for during, version in models if during]
    local = ZoneInfo(zone)
    days = sorted((at.astimezone(local).date(), name) for at, name in begun if at is not None)
    return [Sign(day.toordinal(), name) for day, name in days if first < day <= last]


def _drawn(rows: Sequence[WeekRow], spec: Spec, signs: Sequence[Sign]) -> Charts:
    whole = replace(spec, x=_span_of_weeks(rows), names=_dates(rows), signs=signs)
    return draw(whole, WIDE), draw(whole, NARROW)


def _span_of_weeks(rows: Sequence[WeekRow]) -> tuple[float, float]:
    first, last = (_day(row) for row in (rows[0], rows[-1]))
    return (first - 3.5, last + 3.5)


def _day(row: WeekRow) -> float:
    """The middle of a week on the x axis."""
    return row.week.starts.toordinal() + 3.5


def _dates(rows: Sequence[WeekRow]) -> list[Label]:
    style = "j M" if len(rows) <= MANY_WEEKS else "M Y"
    return [(_day(row), formats.date_format(row.week.starts, style)) for row in rows]


def _spread(rows: Sequence[WeekRow]) -> Spec:
    band = [(_day(row), row.week.low, row.week.high) for row in rows]
    middle = [(_day(row), row.week.median) for row in rows]
    ends = [value for row in rows for value in (row.week.low, row.week.high)]
    return Spec(
        y=span_of(ends, least=200.0),
        areas=[Area(band)],
        lines=[Line(middle, is_marked=len(rows) <= RUNNING_WEEKS)],
    )


def _sums(rows: Sequence[WeekRow]) -> Spec:
    points = [(_day(row), row.week.by_play if row.week.matches else None) for row in rows]
    values = [value for _x, value in points]
    return Spec(y=span_of(values, around=[0.0], least=10.0), bars=[Bars(points, width=5.0)])


def _drift(rows: Sequence[WeekRow]) -> Spec:
    points = [(_day(row), row.drift.points) for row in rows]
    levels = [Level(LIMIT, _("warning: ratings rise")), Level(-LIMIT, _("warning: ratings fall"))]
    values = [value for _x, value in points]
    return Spec(
        y=span_of(values, around=[-LIMIT * 1.2, LIMIT * 1.2]),
        lines=[Line(points, is_marked=len(rows) <= RUNNING_WEEKS)],
        levels=levels,
    )


CSV_COLUMNS = (
    "week",
    "active",
    "p10",
    "median",
    "p90",
    "matches",
    "sum_by_matches",
    "sum_per_match",
    "established_players",
    "established_lift",
    "lift_over_eight_weeks",
    "standard_error",
    "first_ratings",
    "by_staff",
    "by_rules",
)


def csv_rows(page: RatingHealth) -> list[tuple[object, ...]]:
    """The table with all its decimals, for spreadsheets; the first row names the columns."""
    return [CSV_COLUMNS, *(_csv_row(row) for row in page.rows)]


def _csv_row(row: WeekRow) -> tuple[object, ...]:
    week = row.week
    return (
        week.starts.isoformat(),
        week.active,
        week.low,
        week.median,
        week.high,
        week.matches,
        week.by_play,
        week.per_match,
        week.established,
        week.lift,
        row.drift.points,
        row.drift.error,
        row.start,
        row.staff,
        row.rules,
    )
