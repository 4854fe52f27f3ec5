"""Rating periods: calendar weeks and months, and many games of one player rated as simultaneous.

A period's change is found at once and then told game by game: each game's share has the sign of its own surprise,
and the shares add up to the change exactly, also where the engine rounds it (FIDE) or holds it within its bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction

from ratings.core.problems import RatingInputError
from ratings.core.types import Belief, Engine, PeriodGame, PlayerFacts

MATCH, WEEK, MONTH = "match", "week", "month"
PERIODS = (MATCH, WEEK, MONTH)  # MATCH: no period at all, every match is rated when it ends


@dataclass(frozen=True, slots=True)
class PeriodResult:
    """One player's period. The shares, on the own scale, add up to the rating's change exactly.

    beliefs: what is believed after each game in turn; the last is `belief`. Deviation and volatility go there by
    equal ratios.
    """

    belief: Belief
    shares: tuple[Fraction, ...]
    beliefs: tuple[Belief, ...]


def check_period(engine: Engine, period: str, teams: int, team_size: int) -> None:
    """Refuse a period that the engine, or a queue of so many sides of so many players, cannot have.

    Raises RatingInputError naming the field "period".
    """
    if period not in PERIODS:
        raise RatingInputError("period", f"must be one of {', '.join(PERIODS)}, got {period!r}")
    if period == MATCH:
        if engine.wants_first_games:
            raise RatingInputError("period", "must be week or month where first games make a first rating")
        return
    if not engine.has_periods:
        raise RatingInputError("period", f"{engine.name} rates match by match and has no rating periods")
    if (teams, team_size) != (2, 1):
        raise RatingInputError("period", "only matches of one against one can be rated by periods")


def period_bounds(at: datetime, period: str, zone: tzinfo) -> tuple[datetime, datetime]:
    """The calendar week (from Monday) or month around an aware moment, as [start, end) in UTC.

    Both ends are the first moment of a day by the clocks of `zone`, so that a period in which the clocks change is an
    hour shorter or longer.
    """
    today = at.astimezone(zone).date()
    first = _first_day(today, period)
    start, end = _first_moment(first, zone), _first_moment(_next_first_day(first, period), zone)
    if at >= end:  # clocks that went back over midnight show the old day once more, after the new one has begun
        first = _next_first_day(first, period)
        start, end = end, _first_moment(_next_first_day(first, period), zone)
    return start, end


def rate_games(
    engine: Engine, belief: Belief, games: Sequence[PeriodGame], facts: PlayerFacts | None = None
) -> PeriodResult:
    """One player's games of a period, rated as simultaneous and told in the order given.

    Raises RatingInputError for games that cannot be rated, and for engines without periods.
    """
    together = engine.rate_together(belief, games, facts)
    after = together.belief
    shares = shared_out(together.pulls, Fraction(after.rating) - Fraction(belief.rating))
    beliefs = []
    rating = Fraction(belief.rating)
    for number, share in enumerate(shares, start=1):
        rating += share
        part = number / len(shares)
        beliefs.append(
            Belief(
                float(rating),
                _part_of_the_way(belief.deviation, after.deviation, part),
                _part_of_the_way(belief.volatility, after.volatility, part),
            )
        )
    return PeriodResult(after, shares, tuple(beliefs))


def shared_out(pulls: Sequence[float], change: Fraction) -> tuple[Fraction, ...]:
    """A change divided among games as they pull; each share keeps the sign of its pull, all together are the change.

    What rounding or a bound took from the sum of the pulls, or added to it, goes on the last game, as far as its sign
    allows, then on the one before it. What comes from no game's pull stands at the last one: a first rating, or a
    belief from outside the bounds that is brought back in.
    """
    shares = [Fraction(pull) for pull in pulls]
    rest = change - sum(shares, Fraction(0))
    for position in reversed(range(len(shares))):
        share = shares[position]
        if share == 0 or rest == 0:
            continue
        goes_on = max(rest, -share) if share > 0 else min(rest, -share)
        shares[position] += goes_on
        rest -= goes_on
    if shares:
        shares[-1] += rest
    return tuple(shares)


def _part_of_the_way(start: float | None, end: float | None, part: float) -> float | None:
    if start is None or end is None or part == 1.0:
        return end
    return float(start * (end / start) ** part)


def _first_day(day: date, period: str) -> date:
    if period == WEEK:
        return day - timedelta(days=day.weekday())
    if period == MONTH:
        return day.replace(day=1)
    raise RatingInputError("period", f"must be {WEEK} or {MONTH}, got {period!r}")


def _next_first_day(first: date, period: str) -> date:
    return _first_day(first + timedelta(days=7 if period == WEEK else 31), period)


def _first_moment(day: date, zone: tzinfo) -> datetime:
    """When the day begins; a midnight that the clocks skip is the moment at which they skip it."""
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
