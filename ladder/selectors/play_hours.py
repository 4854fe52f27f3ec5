"""At which hours of the club's day somebody plays, and with which results."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from ladder.core.charts import NARROW, WIDE, Bars, Chart, Paper, Spec, draw
from ladder.core.rivalry import Hour, by_hour
from ladder.selectors.last_results import Outcome

LEAST_MATCHES = 10  # fewer say nothing about hours
_ALL, _WON = 7, 0  # series
_PAPERS = (Paper(WIDE.width, 200, 40, WIDE.right, 60.0), Paper(NARROW.width, 190, 34, NARROW.right, 44.0))


@dataclass(frozen=True, slots=True)
class Hours:
    """The chart for wide and narrow screens, and the hours with a match, in order."""

    charts: tuple[Chart, Chart]
    rows: tuple[Hour, ...]
    busiest: Hour


def hours_of(results: Sequence[Outcome], zone: str) -> Hours | None:
    """Matches by the hour in which they ended; None while there are too few of which the hour is known."""
    timed = [(result.completed_at, result.letter) for result in results if result.has_hour]
    if len(timed) < LEAST_MATCHES:
        return None
    hours = by_hour(timed, ZoneInfo(zone))
    most = max(hour.matches for hour in hours)
    spec = Spec(
        x=(0.0, 24.0),
        y=(0.0, float(max(most, 4))),
        rows=3,
        names=[(float(hour), f"{hour}:00") for hour in range(0, 25, 3)],
        bars=[
            Bars([(hour.hour + 0.5, float(hour.matches) or None) for hour in hours], 0.8, _ALL),
            Bars([(hour.hour + 0.5, float(hour.wins) or None) for hour in hours], 0.8, _WON),
        ],
        told=lambda value: f"{value:.0f}",
    )
    wide, narrow = (draw(spec, paper) for paper in _PAPERS)
    busiest = max(hours, key=lambda hour: hour.matches)
    return Hours((wide, narrow), tuple(hour for hour in hours if hour.matches), busiest)
