"""Glicko and Glicko-2 by rating periods over a chunk of duels; see `replay_waiting` for the parts."""

import math

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.glicko import deviation_after, discount, volatility_after
from ratings.core.kernels.logistic import expected_score
from ratings.core.kernels.replay_common import aged, describe_duel, held
from ratings.core.kernels.replay_glicko import (
    A_POINT,
    AGEING,
    CAP,
    CEILING,
    CENTRE,
    DRIFT2_A_DAY,
    FLOOR,
    HIGH,
    LOW,
    NU,
    PERIOD_DAYS,
    SCALE,
    TAU,
    game_sums,
)
from ratings.core.kernels.replay_waiting import (
    BASE,
    CLOCK,
    INFORMATION,
    LENGTH,
    LIST,
    PERIOD,
    SEEN,
    SHIFT,
    SURPRISE,
    add,
    enter,
    leave,
    played,
)


def duels(chunk: Vectors, p: Vector, state: Vectors, waiting: Vectors, chances: Vector, context: Vector) -> None:
    """Predict from the beliefs before the period, aged to each game; rate it when the next one begins."""
    player_a, player_b, scores, edge, multiplier, day, share_a, share_b, period = chunk
    rating, deviation, volatility, last_day, games, trail = state
    for m in range(len(multiplier)):
        if period[m] > waiting[CLOCK][PERIOD]:
            close(p, state, waiting)
            waiting[CLOCK][PERIOD] = period[m]
        a = int(player_a[m])
        b = int(player_b[m])
        if len(context) > 0:
            describe_duel(m, a, b, rating, games, context)
        deviation_a = now(a, day[m], p, deviation, volatility, games, last_day)
        deviation_b = now(b, day[m], p, deviation, volatility, games, last_day)
        phi_a = deviation_a * A_POINT
        phi_b = deviation_b * A_POINT
        gap = (rating[a] - rating[b] + edge[m]) * A_POINT
        chances[m] = expected_score(discount(math.sqrt(phi_a * phi_a + phi_b * phi_b)) * gap, p[NU])
        if share_a[m] > 0.0 and share_b[m] > 0.0:
            enter(a, deviation_a, games[a], waiting)
            enter(b, deviation_b, games[b], waiting)
            information, gained = game_sums(gap, phi_b, scores[m], p[NU])
            add(a, share_a[m] * information, share_a[m] * gained, multiplier[m], day[m], waiting)
            information, gained = game_sums(-gap, phi_a, 1.0 - scores[m], p[NU])
            add(b, share_b[m] * information, share_b[m] * gained, multiplier[m], day[m], waiting)
        played(a, share_a[m], rating, games, trail)
        played(b, share_b[m], rating, games, trail)


def now(
    who: int, today: float, p: Vector, deviation: Vector, volatility: Vector, games: Vector, last_day: Vector
) -> float:
    """A player's deviation today: ageing starts with the last rated game, for a newcomer with the first game."""
    if p[AGEING] <= 0.0 or today != today:  # a day that is not known
        return deviation[who]
    if games[who] <= 0.0:
        last_day[who] = today
    if last_day[who] <= 0.0:
        return deviation[who]
    drift2 = p[DRIFT2_A_DAY]
    if p[TAU] > 0.0:
        drift = SCALE * min(volatility[who], p[CAP])
        drift2 = drift * drift / p[PERIOD_DAYS]
    return aged(deviation[who], drift2, today - last_day[who], p[CEILING])


def close(p: Vector, state: Vectors, waiting: Vectors) -> None:
    """Rate everybody who waits."""
    rating, deviation, volatility, last_day, games, trail = state
    for position in range(int(waiting[CLOCK][LENGTH])):
        who = int(waiting[LIST][position])
        information = waiting[INFORMATION][who]
        phi = waiting[BASE][who] * A_POINT
        drift2 = 0.0
        if p[TAU] > 0.0:
            sigma = min(volatility[who], p[CAP])
            sigma = min(volatility_after(phi, sigma, information, waiting[SURPRISE][who], p[TAU]), p[CAP])
            volatility[who] = held(sigma, 0.0, p[CAP], p[CAP])
            drift2 = sigma * sigma
        after = deviation_after(phi, drift2, information)
        shift = SCALE * after * after * waiting[SHIFT][who]
        rating[who] = held(rating[who] + shift, p[LOW], p[HIGH], p[CENTRE])
        deviation[who] = held(SCALE * after, p[FLOOR], p[CEILING], p[CEILING])
        last_day[who] = max(last_day[who], waiting[SEEN][who])
        leave(who, rating[who], games, trail, waiting)
    waiting[CLOCK][LENGTH] = 0.0
