"""A club's settings as its form shows them."""

from functools import cache
from zoneinfo import available_timezones

from ladder.core.versions import version_of
from ladder.models import Club

SETTINGS = ("name", "time_zone", "is_public", "is_listed", "is_open_to_join", "four_eyes")
_REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def settings_version(club: Club) -> str:
    """A word for the settings as they are stored."""
    return version_of({field: getattr(club, field) for field in SETTINGS})


@cache
def zones() -> tuple[str, ...]:
    """The time zones of places, and UTC; older names of the same stay valid but are not offered."""
    places = (name for name in available_timezones() if name.partition("/")[0] in _REGIONS)
    return ("UTC", *sorted(places))
