"""Elo by rating periods over a chunk of duels; see `replay_waiting` for the parts."""

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.elo import logit, with_minimum
from ratings.core.kernels.logistic import expected_score
from ratings.core.kernels.replay_common import describe_duel, held
from ratings.core.kernels.replay_elo import CENTRE, HIGH, LEAST, LOW, NU, PROVISIONAL_GAMES, PROVISIONAL_K, K
from ratings.core.kernels.replay_waiting import CLOCK, LENGTH, LIST, PERIOD, SHIFT, SINCE, add, enter, leave, played


def duels(chunk: Vectors, p: Vector, state: Vectors, waiting: Vectors, chances: Vector, context: Vector) -> None:
    """Predict from the ratings before the period; rate it when the next one begins."""
    player_a, player_b, scores, edge, multiplier, day, share_a, share_b, period = chunk
    rating, _, _, _, games, trail = state
    for m in range(len(multiplier)):
        if period[m] > waiting[CLOCK][PERIOD]:
            close(p, state, waiting)
            waiting[CLOCK][PERIOD] = period[m]
        a = int(player_a[m])
        b = int(player_b[m])
        if len(context) > 0:
            describe_duel(m, a, b, rating, games, context)
        chance = expected_score(logit(rating[a] - rating[b] + edge[m]), p[NU])
        chances[m] = chance
        weight = min(share_a[m], share_b[m])
        if weight > 0.0:
            gained = weight * with_minimum(scores[m] - chance, scores[m], p[LEAST])
            enter(a, 0.0, games[a], waiting)
            enter(b, 0.0, games[b], waiting)
            add(a, 0.0, gained, multiplier[m], day[m], waiting)
            add(b, 0.0, -gained, multiplier[m], day[m], waiting)
        played(a, share_a[m], rating, games, trail)
        played(b, share_b[m], rating, games, trail)


def close(p: Vector, state: Vectors, waiting: Vectors) -> None:
    """Rate everybody who waits."""
    rating, _, _, _, games, trail = state
    for position in range(int(waiting[CLOCK][LENGTH])):
        who = int(waiting[LIST][position])
        k = p[PROVISIONAL_K] if waiting[SINCE][who] < p[PROVISIONAL_GAMES] else p[K]
        rating[who] = held(rating[who] + k * waiting[SHIFT][who], p[LOW], p[HIGH], p[CENTRE])
        leave(who, rating[who], games, trail, waiting)
    waiting[CLOCK][LENGTH] = 0.0
