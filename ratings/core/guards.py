"""What every engine asks of its input before it moves a number. Each refusal names the field."""

import math
from collections.abc import Hashable, Sequence

from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, Signals

MAX_TEAMS = 128
MAX_TEAM_SIZE = 128
MAX_PERIOD_GAMES = 10_000
LARGEST_NUMBER = 1e9  # no scale in use comes near; squares and sums stay far inside the floats

Teams = Sequence[Sequence[Belief]]


def number(field: str, value: object, low: float = -LARGEST_NUMBER, high: float = LARGEST_NUMBER) -> float:
    """`value` as a float between `low` and `high`, or a RatingInputError naming `field`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RatingInputError(field, f"must be a number, got {value!r}")
    if not low <= value <= high:  # also refuses NaN
        raise RatingInputError(field, f"must be between {low:g} and {high:g}, got {value!r}")
    return float(value)


def belief(value: Belief, *, deviation: bool, volatility: bool, field: str = "belief") -> None:
    """Refuse a belief that is not finite, not positive where it must be, or lacks what the engine tracks."""
    number(f"{field}.rating", value.rating)
    if deviation or value.deviation is not None:
        _positive(f"{field}.deviation", value.deviation)
    if volatility or value.volatility is not None:
        _positive(f"{field}.volatility", value.volatility)


def _positive(field: str, value: float | None) -> None:
    if value is None:
        raise RatingInputError(field, "is missing")
    if number(field, value, 0.0) <= 0.0:
        raise RatingInputError(field, f"must be above 0, got {value!r}")


def teams(value: Teams, *, deviation: bool, volatility: bool, max_teams: int = MAX_TEAMS) -> None:
    """Refuse fewer than two teams, empty or oversized ones, and any unusable belief in them."""
    if not 2 <= len(value) <= max_teams:
        raise RatingInputError("teams", f"must be 2 to {max_teams}, got {len(value)}")
    for position, team in enumerate(value):
        if not 1 <= len(team) <= MAX_TEAM_SIZE:
            raise RatingInputError(f"teams[{position}]", f"must have 1 to {MAX_TEAM_SIZE} members, got {len(team)}")
        for member, one in enumerate(team):
            belief(one, deviation=deviation, volatility=volatility, field=f"teams[{position}][{member}]")


def ranks(value: Sequence[float], count: int) -> None:
    """Refuse another number of ranks than teams, and ranks that are no numbers."""
    if len(value) != count:
        raise RatingInputError("ranks", f"must be one per team, {count}, got {len(value)}")
    for position, rank in enumerate(value):
        number(f"ranks[{position}]", rank)


def shape(field: str, value: Sequence[Sequence[object]], like: Teams) -> None:
    """Refuse per-member values that do not have the shape of the teams."""
    if [len(row) for row in value] != [len(team) for team in like]:
        raise RatingInputError(field, "must have one value per member, in the shape of the teams")


def weights(value: Sequence[Sequence[float]] | None, like: Teams) -> None:
    """Refuse weights outside 0 to 1 and matches in which somebody has no opponent who played."""
    if value is None:
        return
    shape("weights", value, like)
    for position, row in enumerate(value):
        for member, weight in enumerate(row):
            number(f"weights[{position}][{member}]", weight, 0.0, 1.0)
    if sum(1 for row in value if any(weight > 0 for weight in row)) < 2:
        raise RatingInputError("weights", "leave fewer than two teams that played")


def side(value: int | None, count: int) -> None:
    """Refuse a side that is no team."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count):
        raise RatingInputError("side", f"must be a team's index below {count}, got {value!r}")


def signals(value: Signals | None, like: Teams) -> None:
    """Refuse signals of the wrong shape or outside their range."""
    if value is None:
        return
    if value.margin is not None:
        number("signals.margin", value.margin, 0.0)
    for name in ("games", "parties", "quits", "performance", "players", "facts"):
        rows = getattr(value, name)
        if rows is not None:
            shape(f"signals.{name}", rows, like)
    for row in value.games or ():
        for games in row:
            number("signals.games", games, 0)
    for figures in value.performance or ():
        for figure in figures:
            if figure is not None:
                number("signals.performance", figure)
    if value.players is not None:
        nobody_twice(value.players)


def nobody_twice(players: Sequence[Sequence[Hashable]]) -> None:
    """Refuse a line-up in which one player stands twice."""
    seen: set[Hashable] = set()
    for position, row in enumerate(players):
        for player in row:
            if player in seen:
                raise RatingInputError("players", f"{player!r} stands twice, again in team {position}")
            seen.add(player)


def idle_days(value: float) -> float:
    """Idle time in days, not negative; more than a thousand years is a mistake."""
    return number("idle", value, 0.0, 365_250.0)


def finite(value: float, fallback: float) -> float:
    """`value`, or `fallback` if arithmetic left the finite numbers."""
    return value if math.isfinite(value) else fallback
