"""Glicko and Glicko-2 over a chunk of history: the live engine's formulas in a loop over matches."""

import math

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.glicko import deviation_after, discount, field_share, volatility_after
from ratings.core.kernels.logistic import curve, expected_score
from ratings.core.kernels.replay_common import (
    aged,
    describe,
    describe_duel,
    everybody_played,
    held,
    how_many_played,
    luce,
    note,
    score_of,
)

SCALE = 400.0 / math.log(10.0)
A_POINT = math.log(10.0) / 400.0
TAU, CAP, NU, FLOOR, CEILING, LOW, HIGH, CENTRE, DRIFT2_A_DAY, PERIOD_DAYS, AGEING = range(11)


def run(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector, scratch: Vectors) -> None:
    """Predict, then update, match after match. TAU 0 is Glicko; see `replay_common` for the parts."""
    team_start, member_start, player, weight, place, lift, multiplier, day, _, _ = chunk
    rating, deviation, volatility, last_day, games, trail = state
    mu, phi, work = scratch[0], scratch[1], scratch[2]
    for m in range(len(multiplier)):
        first = int(team_start[m])
        count = int(team_start[m + 1]) - first
        describe(m, int(member_start[first]), int(member_start[first + count]), player, rating, games, context)
        if p[AGEING] > 0.0:
            age_members(first, count, member_start, player, day[m], p, deviation, volatility, games, last_day)
        composites(first, count, member_start, player, weight, False, lift, rating, deviation, mu, phi, work)
        predict(first, count, p[NU], mu, phi, chances)
        present = count
        if not everybody_played(int(member_start[first]), int(member_start[first + count]), weight):
            composites(first, count, member_start, player, weight, True, lift, rating, deviation, mu, phi, work)
            present = how_many_played(count, work)
        for i in range(count):
            sums(i, first, count, place, field_share(present), p[NU], mu, phi, work)
        for i in range(count):
            for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
                if weight[member] > 0.0:
                    who = int(player[member])
                    information = weight[member] * work[count + i]
                    gained = weight[member] * work[2 * count + i]
                    move(who, information, gained, multiplier[m], p, rating, deviation, volatility)
                    note(who, rating[who], games, trail)


def duels(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector) -> None:
    """The same for one against one."""
    player_a, player_b, scores, edge, multiplier, day = chunk
    rating, deviation, volatility, last_day, games, trail = state
    described = len(context) > 0
    for m in range(len(multiplier)):
        a = int(player_a[m])
        b = int(player_b[m])
        if described:
            describe_duel(m, a, b, rating, games, context)
        if p[AGEING] > 0.0:
            age(a, day[m], p, deviation, volatility, games, last_day)
            age(b, day[m], p, deviation, volatility, games, last_day)
        phi_a = deviation[a] * A_POINT
        phi_b = deviation[b] * A_POINT
        gap = (rating[a] - rating[b] + edge[m]) * A_POINT
        chance = expected_score(discount(math.sqrt(phi_a * phi_a + phi_b * phi_b)) * gap, p[NU])
        chances[m] = chance
        score = scores[m]
        information, gained = game_sums(gap, phi_b, score, p[NU])
        move(a, information, gained, multiplier[m], p, rating, deviation, volatility)
        information, gained = game_sums(-gap, phi_a, 1.0 - score, p[NU])
        move(b, information, gained, multiplier[m], p, rating, deviation, volatility)
        note(a, rating[a], games, trail)
        note(b, rating[b], games, trail)


def game_sums(gap: float, phi_other: float, score: float, nu: float) -> tuple[float, float]:
    """Information and surprise of one game."""
    g = discount(phi_other)
    expected, variance = curve(g * gap, nu)
    return g * g * variance, g * (score - expected)


def age_members(
    first: int,
    count: int,
    member_start: Vector,
    player: Vector,
    today: float,
    p: Vector,
    deviation: Vector,
    volatility: Vector,
    games: Vector,
    last_day: Vector,
) -> None:
    """Widen everybody in the match by the days since the last one."""
    for member in range(int(member_start[first]), int(member_start[first + count])):
        age(int(player[member]), today, p, deviation, volatility, games, last_day)


def age(
    who: int, today: float, p: Vector, deviation: Vector, volatility: Vector, games: Vector, last_day: Vector
) -> None:
    """Widen one player by the days since the last match."""
    drift2 = p[DRIFT2_A_DAY]
    if p[TAU] > 0.0:
        drift = SCALE * min(volatility[who], p[CAP])
        drift2 = drift * drift / p[PERIOD_DAYS]
    if games[who] > 0.0:
        deviation[who] = aged(deviation[who], drift2, today - last_day[who], p[CEILING])
    if today == today:  # a day that is known
        last_day[who] = today


def composites(
    first: int,
    count: int,
    member_start: Vector,
    player: Vector,
    weight: Vector,
    as_played: bool,
    lift: Vector,
    rating: Vector,
    deviation: Vector,
    mu: Vector,
    phi: Vector,
    work: Vector,
) -> None:
    """Each team's mean and deviation, as lined up or as it played; work[i] is how many played."""
    for i in range(count):
        total = 0.0
        spread = 0.0
        played = 0.0
        for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
            who = int(player[member])
            w = weight[member] if as_played else 1.0
            total += w * rating[who]
            spread += w * deviation[who] * deviation[who]
            played += w
        work[i] = played
        mu[i] = (total / played - 1500.0 + lift[first + i]) * A_POINT if played > 0.0 else 0.0
        phi[i] = math.sqrt(spread / played) * A_POINT if played > 0.0 else 0.0


def predict(first: int, count: int, nu: float, mu: Vector, phi: Vector, chances: Vector) -> None:
    """The probability of each team."""
    total = 0.0
    for i in range(count):
        total += phi[i] * phi[i]
    if count == 2:
        chance = expected_score(discount(math.sqrt(total)) * (mu[0] - mu[1]), nu)
        chances[first] = chance
        chances[first + 1] = 1.0 - chance
    else:
        luce(count, mu, discount(math.sqrt(2.0 * total / count)), chances, first)


def sums(
    i: int, first: int, count: int, place: Vector, share: float, nu: float, mu: Vector, phi: Vector, work: Vector
) -> None:
    """Information and surprise of team `i` against the others, into work[count + i] and work[2 * count + i]."""
    information = 0.0
    gained = 0.0
    for j in range(count):
        if i == j or work[i] <= 0.0 or work[j] <= 0.0:
            continue
        score = score_of(place[first + i], place[first + j])
        known, surprise = game_sums(mu[i] - mu[j], phi[j], score, nu)
        information += share * known
        gained += share * surprise
    work[count + i] = information
    work[2 * count + i] = gained


def move(
    who: int,
    information: float,
    gained: float,
    multiplier: float,
    p: Vector,
    rating: Vector,
    deviation: Vector,
    volatility: Vector,
) -> None:
    """One member after one match."""
    phi = deviation[who] * A_POINT
    drift2 = 0.0
    if p[TAU] > 0.0:
        sigma = min(volatility[who], p[CAP])
        sigma = min(volatility_after(phi, sigma, information, gained, p[TAU]), p[CAP])
        volatility[who] = held(sigma, 0.0, p[CAP], p[CAP])
        drift2 = sigma * sigma
    after = deviation_after(phi, drift2, information)
    rating[who] = held(rating[who] + SCALE * multiplier * after * after * gained, p[LOW], p[HIGH], p[CENTRE])
    deviation[who] = held(SCALE * after, p[FLOOR], p[CEILING], p[CEILING])
