"""What the replay loops of all engines share.

A chunk of history is flat: (team_start, member_start, player, weight, place, lift, multiplier, day, quit,
performance). Match m has the teams team_start[m] up to team_start[m + 1], team t the members member_start[t] up to
member_start[t + 1]. `player`, `weight`, `quit`, `performance` are per member, `place` and `lift` (in the unit that
the engine adds) per team, `multiplier` and `day` per match. The state is (rating, deviation, volatility, last_day,
games, trail), per player, on the engine's own scale. A loop writes one probability per team to `chances` and what
`describe` says to `context`.

A chunk of duels, one against one played whole, is (player a, player b, score of a, lift of a over b, multiplier, day),
and `chances` gets the probability of a alone.
"""

import math

from ratings.core.kernels import Vector

TRAIL = 50  # how many of a newcomer's first ratings are kept


def aged(deviation: float, drift2_a_day: float, idle: float, ceiling: float) -> float:
    """A deviation after `idle` days, NaN if unknown; one above the ceiling already stays where it is."""
    if not idle > 0.0 or drift2_a_day <= 0.0 or deviation >= ceiling:
        return deviation
    return min(math.sqrt(deviation * deviation + drift2_a_day * idle), ceiling)


def held(value: float, low: float, high: float, fallback: float) -> float:
    """Within bounds; what left the finite numbers becomes the fallback."""
    if low <= value <= high:
        return value
    if not math.isfinite(value):
        return fallback
    return low if value < low else high


def note(who: int, rating: float, games: Vector, trail: Vector) -> None:
    """Count a match and remember the rating after it while it is one of the first, if there is room for it."""
    count = games[who]
    if count < TRAIL and len(trail) > 0:
        trail[who * TRAIL + int(count)] = rating
    games[who] = count + 1.0


def describe(m: int, begin: int, end: int, player: Vector, rating: Vector, games: Vector, context: Vector) -> None:
    """Before match m: the fewest matches anybody in it has played, and the mean rating; nothing without room for it."""
    if len(context) == 0:
        return
    fewest = games[int(player[begin])]
    total = 0.0
    for member in range(begin, end):
        who = int(player[member])
        fewest = min(fewest, games[who])
        total += rating[who]
    context[2 * m] = fewest
    context[2 * m + 1] = total / (end - begin)


def describe_duel(m: int, one: int, other: int, rating: Vector, games: Vector, context: Vector) -> None:
    """`describe` for one against one; asked only where there is room."""
    context[2 * m] = min(games[one], games[other])
    context[2 * m + 1] = 0.5 * (rating[one] + rating[other])


def luce(count: int, strength: Vector, scale: float, chances: Vector, first: int) -> None:
    """Chance of each of several teams to be best, by Luce's choice on exp(strength * scale)."""
    best = strength[0]
    for i in range(1, count):
        best = max(best, strength[i])
    total = 0.0
    for i in range(count):
        odds = math.exp((strength[i] - best) * scale)
        chances[first + i] = odds
        total += odds
    for i in range(count):
        chances[first + i] /= total


def score_of(place: float, other: float) -> float:
    """1, 0.5 or 0 for a place against another; lower is better."""
    if place < other:
        return 1.0
    return 0.5 if place == other else 0.0


def everybody_played(begin: int, end: int, weight: Vector) -> bool:
    """Whether all members from `begin` up to `end` played the whole match."""
    full = True
    for member in range(begin, end):
        full = full and weight[member] == 1.0
    return full


def how_many_played(count: int, played: Vector) -> int:
    """Teams of which somebody played."""
    present = 0
    for i in range(count):
        if played[i] > 0.0:
            present += 1
    return present
