"""Days by a club's clocks. Pure."""

from datetime import UTC, date, datetime, timedelta, tzinfo

EARLIEST, LATEST = date(1970, 1, 1), date(3000, 1, 1)  # what a person may ask about


def begin_of(day: date, zone: tzinfo) -> datetime:
    """The first moment of a day, in UTC; where the clocks jump over midnight, the moment of the jump."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The first moment after a day, in UTC."""
    return begin_of(day + timedelta(days=1), zone)


def day_of(moment: datetime, zone: tzinfo) -> date:
    """The day on which an aware moment falls."""
    return moment.astimezone(zone).date()
