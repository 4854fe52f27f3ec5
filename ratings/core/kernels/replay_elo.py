"""Elo over a chunk of history: the live engine's formulas in a loop over matches."""

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.elo import logit, with_minimum
from ratings.core.kernels.logistic import expected_score
from ratings.core.kernels.replay_common import describe, describe_duel, held, luce, note, score_of

K, PROVISIONAL_K, PROVISIONAL_GAMES, LEAST, NU, LOW, HIGH, CENTRE = range(8)
LUCE_SCALE = logit(1.0)


def run(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector, scratch: Vectors) -> None:
    """Predict, then update, match after match. See `replay_common` for the parts."""
    team_start, member_start, player, weight, place, lift, multiplier, _, _, _ = chunk
    rating, _, _, _, games, trail = state
    mean, size = scratch[0], scratch[1]
    for m in range(len(multiplier)):
        first = int(team_start[m])
        count = int(team_start[m + 1]) - first
        describe(m, int(member_start[first]), int(member_start[first + count]), player, rating, games, context)
        full = averages(first, count, member_start, player, weight, lift, rating, mean, size)
        if count == 2:
            chance = expected_score(logit(mean[0] - mean[1]), p[NU])
            chances[first] = chance
            chances[first + 1] = 1.0 - chance
        else:
            luce(count, mean, LUCE_SCALE, chances, first)
        if not full:  # the prediction knows nobody's share, the update does
            weighted(first, count, member_start, player, weight, lift, rating, mean, size)
        for i in range(count):
            size[count + i] = surprise(i, first, count, place, mean, size, p)
        for i in range(count):
            for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
                if weight[member] > 0.0:
                    who = int(player[member])
                    k = p[PROVISIONAL_K] if games[who] < p[PROVISIONAL_GAMES] else p[K]
                    change = weight[member] * k * multiplier[m] * size[count + i]
                    rating[who] = held(rating[who] + change, p[LOW], p[HIGH], p[CENTRE])
                    note(who, rating[who], games, trail)


def duels(chunk: Vectors, p: Vector, state: Vectors, chances: Vector, context: Vector) -> None:
    """The same for one against one."""
    player_a, player_b, scores, edge, multiplier, _ = chunk
    rating, _, _, _, games, trail = state
    nu, least, low, high, centre = p[NU], p[LEAST], p[LOW], p[HIGH], p[CENTRE]
    k, newcomer_k, newcomer = p[K], p[PROVISIONAL_K], p[PROVISIONAL_GAMES]
    described = len(context) > 0
    remembered = len(trail) > 0
    for m in range(len(multiplier)):
        a = int(player_a[m])
        b = int(player_b[m])
        if described:
            describe_duel(m, a, b, rating, games, context)
        before_a = rating[a]
        before_b = rating[b]
        chance = expected_score((before_a - before_b + edge[m]) * LUCE_SCALE, nu)
        chances[m] = chance
        score = scores[m]
        gained = score - chance
        if least > 0.0:
            gained = with_minimum(gained, score, least)
        gained *= multiplier[m]
        k_a = newcomer_k if games[a] < newcomer else k
        k_b = newcomer_k if games[b] < newcomer else k
        after_a = before_a + k_a * gained
        after_b = before_b - k_b * gained
        rating[a] = after_a if low <= after_a <= high else held(after_a, low, high, centre)
        rating[b] = after_b if low <= after_b <= high else held(after_b, low, high, centre)
        if remembered:
            note(a, rating[a], games, trail)
            note(b, rating[b], games, trail)
        else:
            games[a] += 1.0
            games[b] += 1.0


def averages(
    first: int,
    count: int,
    member_start: Vector,
    player: Vector,
    weight: Vector,
    lift: Vector,
    rating: Vector,
    mean: Vector,
    size: Vector,
) -> bool:
    """Each team's mean and size as lined up; returns whether everybody played the whole match."""
    full = True
    for i in range(count):
        begin = int(member_start[first + i])
        end = int(member_start[first + i + 1])
        total = 0.0
        for member in range(begin, end):
            total += rating[int(player[member])]
            full = full and weight[member] == 1.0
        size[i] = float(end - begin)
        mean[i] = total / size[i] + lift[first + i]
    return full


def weighted(
    first: int,
    count: int,
    member_start: Vector,
    player: Vector,
    weight: Vector,
    lift: Vector,
    rating: Vector,
    mean: Vector,
    size: Vector,
) -> None:
    """Each team's mean and size as it played; a team of which nobody played has size 0."""
    for i in range(count):
        total = 0.0
        played = 0.0
        for member in range(int(member_start[first + i]), int(member_start[first + i + 1])):
            total += weight[member] * rating[int(player[member])]
            played += weight[member]
        size[i] = played
        mean[i] = total / played + lift[first + i] if played > 0.0 else 0.0


def surprise(i: int, first: int, count: int, place: Vector, mean: Vector, size: Vector, p: Vector) -> float:
    """Score minus expectation of team `i`, the mean over the other teams, as each member takes it."""
    if size[i] <= 0.0:
        return 0.0
    total = 0.0
    others = 0.0
    for j in range(count):
        if i == j or size[j] <= 0.0:
            continue
        score = score_of(place[first + i], place[first + j])
        gained = with_minimum(score - expected_score(logit(mean[i] - mean[j]), p[NU]), score, p[LEAST])
        total += gained * min(size[i], size[j]) / size[i]
        others += 1.0
    return total / others if others > 0.0 else 0.0
