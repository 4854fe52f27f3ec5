"""TrueSkill, TrueSkill 2 and the Weng-Lin models over a chunk of history: the live engines' formulas in a loop."""

import math

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.best_of import best_of
from ratings.core.kernels.gauss import win_expectation
from ratings.core.kernels.logistic import expected_score
from ratings.core.kernels.replay_common import (
    aged,
    describe,
    describe_duel,
    everybody_played,
    held,
    luce,
    note,
)
from ratings.core.kernels.trueskill import chain_result, pair_result
from ratings.core.kernels.trueskill2 import experience_lift, observed, standard_scores
from ratings.core.kernels.weng_lin import (
    PLACKETT_LUCE,
    THURSTONE_MOSTELLER_FULL,
    THURSTONE_MOSTELLER_PART,
    bradley_terry_pair,
    pairwise,
    plackett_luce,
    thurstone_mosteller_pair,
)

TRUESKILL = 5
(
    MODEL, BETA, TAU2, NOISE, TEAM_NOISE, DRAW, WINDOW, KAPPA, FLOOR, CEILING, LOW, HIGH, CENTRE, DRIFT2_A_DAY, AGEING,
    EXPERIENCE, FADE, QUIT_PENALTY, FIGURE_WEIGHT, FIGURE_CAP,
) = range(20)  # fmt: skip
MEAN, VAR, ORDER, SORTED_MEAN, SORTED_VAR, SORTED_PLACE, MARGIN, DRAWN, SHIFT, SHRINK, WORK = range(11)


def run(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector, scratch: Vectors) -> None:
    """Predict, then update, match after match. See `replay_common` for the parts."""
    team_start, member_start, player, weight, place, lift, multiplier, day, quits, figures = chunk
    rating, deviation, _, last_day, games, trail = state
    for m in range(len(multiplier)):
        first = int(team_start[m])
        count = int(team_start[m + 1]) - first
        begin = int(member_start[first])
        end = int(member_start[first + count])
        describe(m, begin, end, player, rating, games, context)
        if p[AGEING] > 0.0:
            age_members(begin, end, player, day[m], p, deviation, games, last_day)
        sums(first, count, member_start, player, weight, False, lift, p, rating, deviation, games, scratch)
        predict(first, count, p, chances, scratch)
        if not everybody_played(begin, end, weight):
            sums(first, count, member_start, player, weight, True, lift, p, rating, deviation, games, scratch)
        results(first, count, member_start, place, p, scratch)
        for i in range(count):
            for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
                shift = scratch[SHIFT][i] * multiplier[m]
                move(int(player[member]), weight[member], shift, scratch[SHRINK][i], p, rating, deviation)
        if p[FIGURE_WEIGHT] > 0.0:
            individual(begin, end, player, weight, figures, p, rating, deviation, scratch[WORK])
        for member in range(begin, end):
            if weight[member] > 0.0:
                who = int(player[member])
                if quits[member] > 0.0:
                    rating[who] = held(rating[who] - p[QUIT_PENALTY], p[LOW], p[HIGH], p[CENTRE])
                note(who, rating[who], games, trail)


def duels(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector) -> None:
    """The same for one against one without individual signals."""
    player_a, player_b, scores, edge, multiplier, day = chunk
    rating, deviation, _, last_day, games, trail = state
    noise = p[TAU2] + p[NOISE]
    described = len(context) > 0
    for m in range(len(multiplier)):
        a = int(player_a[m])
        b = int(player_b[m])
        if described:
            describe_duel(m, a, b, rating, games, context)
        if p[AGEING] > 0.0:
            age(a, day[m], p, deviation, games, last_day)
            age(b, day[m], p, deviation, games, last_day)
        var_a = deviation[a] * deviation[a] + noise
        var_b = deviation[b] * deviation[b] + noise
        gap = rating[a] - rating[b] + edge[m]
        if p[EXPERIENCE] != 0.0:
            gap += experience_lift(games[a], p[EXPERIENCE], p[FADE]) - experience_lift(games[b], p[EXPERIENCE], p[FADE])
        c2 = var_a + var_b + 2.0 * p[TEAM_NOISE]
        chance = pair_chance(gap, c2, p)
        chances[m] = chance
        score = scores[m]
        shift, shrink_a, shrink_b = duel_result(gap, c2, var_a, var_b, score, p)
        move(a, 1.0, shift * multiplier[m], shrink_a, p, rating, deviation)
        move(b, 1.0, -shift * multiplier[m], shrink_b, p, rating, deviation)
        note(a, rating[a], games, trail)
        note(b, rating[b], games, trail)


def duel_result(
    gap: float, c2: float, var_a: float, var_b: float, score: float, p: Vector
) -> tuple[float, float, float]:
    """(shift of a, shrink of a, shrink of b). For two teams the models of a family are one formula."""
    model = int(p[MODEL])
    if model == TRUESKILL:
        margin = p[DRAW] * math.sqrt(2.0)
        if score >= 0.5:
            shift, shrink = pair_result(gap, c2, margin, 1.0 if score == 0.5 else 0.0)
            return shift, shrink, shrink
        shift, shrink = pair_result(-gap, c2, margin, 0.0)
        return -shift, shrink, shrink
    c = math.sqrt(c2)
    if model >= THURSTONE_MOSTELLER_FULL:
        c *= 2.0 if model == THURSTONE_MOSTELLER_PART else 1.0
        shift, shrink = thurstone_mosteller_pair(gap, c, 1.0, score, p[DRAW])
    else:
        shift, shrink = bradley_terry_pair(gap, c, 1.0, score, p[DRAW])
    return shift, shrink * math.sqrt(var_a) / c, shrink * math.sqrt(var_b) / c


def pair_chance(gap: float, c2: float, p: Vector) -> float:
    """Expected score of the first of two teams."""
    model = int(p[MODEL])
    c = math.sqrt(c2)
    if model == TRUESKILL:
        return win_expectation(gap / c, 0.0)
    if model < THURSTONE_MOSTELLER_FULL:
        return expected_score(gap / c, p[DRAW])
    c *= 2.0 if model == THURSTONE_MOSTELLER_PART else 1.0
    return win_expectation(gap / c, p[DRAW] / c)


def age(who: int, today: float, p: Vector, deviation: Vector, games: Vector, last_day: Vector) -> None:
    """Widen one player by the days since the last match."""
    if games[who] > 0.0:
        deviation[who] = aged(deviation[who], p[DRIFT2_A_DAY], today - last_day[who], p[CEILING])
    if today == today:  # a day that is known
        last_day[who] = today


def age_members(
    begin: int, end: int, player: Vector, today: float, p: Vector, deviation: Vector, games: Vector, last_day: Vector
) -> None:
    """Widen everybody in the match by the days since the last one."""
    for member in range(begin, end):
        age(int(player[member]), today, p, deviation, games, last_day)


def sums(
    first: int,
    count: int,
    member_start: Vector,
    player: Vector,
    weight: Vector,
    as_played: bool,
    lift: Vector,
    p: Vector,
    rating: Vector,
    deviation: Vector,
    games: Vector,
    scratch: Vectors,
) -> None:
    """Mean and variance of each team, as lined up or as it played."""
    for i in range(count):
        mean = lift[first + i]
        var = 0.0
        for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
            who = int(player[member])
            w = weight[member] if as_played else 1.0
            mean += w * (rating[who] + experience_lift(games[who], p[EXPERIENCE], p[FADE]))
            var += w * w * (deviation[who] * deviation[who] + p[TAU2] + p[NOISE])
        scratch[MEAN][i] = mean
        scratch[VAR][i] = var


def predict(first: int, count: int, p: Vector, chances: Vector, scratch: Vectors) -> None:
    """The probability of each team."""
    mean, var = scratch[MEAN], scratch[VAR]
    model = int(p[MODEL])
    gaussian = model >= THURSTONE_MOSTELLER_FULL
    if count == 2:
        chance = pair_chance(mean[0] - mean[1], var[0] + var[1] + 2.0 * p[TEAM_NOISE], p)
        chances[first] = chance
        chances[first + 1] = 1.0 - chance
        return
    stretch = 2.0 if model == THURSTONE_MOSTELLER_PART else 1.0
    total = 0.0
    for i in range(count):
        total += var[i] + p[TEAM_NOISE]
        scratch[WORK][i] = stretch * math.sqrt(var[i] + p[TEAM_NOISE])
    if gaussian:
        best_of(count, mean, scratch[WORK], chances, first)
    else:
        share = 1.0 if model == PLACKETT_LUCE else 2.0 / count
        luce(count, mean, 1.0 / math.sqrt(share * total), chances, first)


def results(first: int, count: int, member_start: Vector, place: Vector, p: Vector, scratch: Vectors) -> None:
    """Shift and shrink of each team, put back into the order of the match."""
    present = in_order(first, count, place, scratch)
    model = int(p[MODEL])
    if model == TRUESKILL:
        trueskill_results(first, present, member_start, p, scratch)
    elif model == PLACKETT_LUCE:
        plackett_luce(
            present, scratch[SORTED_MEAN], scratch[SORTED_VAR], scratch[SORTED_PLACE], p[BETA], p[DRAW],
            scratch[MARGIN], scratch[DRAWN], scratch[WORK],
        )  # fmt: skip
    else:
        pairwise(
            model, present, scratch[SORTED_MEAN], scratch[SORTED_VAR], scratch[SORTED_PLACE], p[BETA], p[DRAW],
            int(p[WINDOW]), scratch[MARGIN], scratch[DRAWN],
        )  # fmt: skip
    for i in range(count):
        scratch[SHIFT][i] = 0.0
        scratch[SHRINK][i] = 0.0
    for position in range(present):
        i = int(scratch[ORDER][position])
        scratch[SHIFT][i] = scratch[MARGIN][position]
        scratch[SHRINK][i] = scratch[DRAWN][position]


def in_order(first: int, count: int, place: Vector, scratch: Vectors) -> int:
    """Sort the teams that played by place, ties as they stand; returns how many they are."""
    order = scratch[ORDER]
    present = 0
    for i in range(count):
        if scratch[VAR][i] <= 0.0:
            continue
        at = present
        while at > 0 and place[first + int(order[at - 1])] > place[first + i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
        present += 1
    for position in range(present):
        i = int(order[position])
        scratch[SORTED_MEAN][position] = scratch[MEAN][i]
        scratch[SORTED_VAR][position] = scratch[VAR][i]
        scratch[SORTED_PLACE][position] = place[first + i]
    return present


def trueskill_results(first: int, present: int, member_start: Vector, p: Vector, scratch: Vectors) -> None:
    """Shift and shrink in play order, into the places of margin and drawn."""
    margin, drawn, order = scratch[MARGIN], scratch[DRAWN], scratch[ORDER]
    for position in range(present - 1):
        a = first + int(order[position])
        b = first + int(order[position + 1])
        size = member_start[a + 1] - member_start[a] + member_start[b + 1] - member_start[b]
        margin[position] = p[DRAW] * math.sqrt(size)
        same = scratch[SORTED_PLACE][position] == scratch[SORTED_PLACE][position + 1]
        drawn[position] = 1.0 if same else 0.0
    mean, var = scratch[SORTED_MEAN], scratch[SORTED_VAR]
    if present == 2:
        shift, shrink = pair_result(mean[0] - mean[1], var[0] + var[1], margin[0], drawn[0])
        margin[0] = shift
        margin[1] = -shift
        drawn[0] = shrink
        drawn[1] = shrink
        return
    chain_result(present, mean, var, margin, drawn, scratch[SHIFT], scratch[SHRINK], scratch[WORK])
    for position in range(present):
        margin[position] = scratch[SHIFT][position]
        drawn[position] = scratch[SHRINK][position]


def move(who: int, weight: float, shift: float, shrink: float, p: Vector, rating: Vector, deviation: Vector) -> None:
    """One member after one match; weight 0 only drifts."""
    variance = deviation[who] * deviation[who] + p[TAU2]
    share = max(1.0 - weight * weight * variance * shrink, p[KAPPA])
    rating[who] = held(rating[who] + weight * variance * shift, p[LOW], p[HIGH], p[CENTRE])
    deviation[who] = held(math.sqrt(variance * share), p[FLOOR], p[CEILING], p[CEILING])


def individual(
    begin: int,
    end: int,
    player: Vector,
    weight: Vector,
    figures: Vector,
    p: Vector,
    rating: Vector,
    deviation: Vector,
    work: Vector,
) -> None:
    """Everybody's own figure as a bounded extra observation."""
    count = 0
    level = 0.0
    half = end - begin
    for member in range(begin, end):
        work[count] = figures[member] if weight[member] > 0.0 else math.nan
        level += rating[int(player[member])]
        count += 1
    level /= count
    if standard_scores(half, work, work) == 0:
        return
    for position in range(count):
        if work[position] == work[position]:  # not NaN
            who = int(player[begin + position])
            variance = deviation[who] * deviation[who]
            seen, variance = observed(
                rating[who], variance, level, work[position], p[BETA], p[FIGURE_WEIGHT], p[FIGURE_CAP]
            )
            rating[who] = held(seen, p[LOW], p[HIGH], p[CENTRE])
            deviation[who] = held(math.sqrt(variance), p[FLOOR], p[CEILING], p[CEILING])
