"""What the loops of rating periods share: games that wait for the end of their period.

A chunk of duels is (player a, player b, score of a, lift of a over b, multiplier, day, share played by a, by b,
number of the period). `waiting` is (information, surprise, shift, base, since, seen, list, clock): the first six per
player: sums of the games that wait, the deviation before the first of them, games played before it, day of the last
of them. `list` names the players who wait, `clock` holds the number of the period and how long the list is.
"""

from ratings.core.kernels import Vector, Vectors
from ratings.core.kernels.replay_common import TRAIL, note

INFORMATION, SURPRISE, SHIFT, BASE, SINCE, SEEN, LIST, CLOCK = range(8)
PERIOD, LENGTH = 0, 1


def enter(who: int, base: float, since: float, waiting: Vectors) -> None:
    """A player's first game of the period; later ones change nothing."""
    if waiting[SINCE][who] >= 0.0:
        return
    waiting[SINCE][who] = since
    waiting[BASE][who] = base
    length = int(waiting[CLOCK][LENGTH])
    waiting[LIST][length] = float(who)
    waiting[CLOCK][LENGTH] = length + 1.0


def add(who: int, information: float, surprise: float, multiplier: float, day: float, waiting: Vectors) -> None:
    """One more game of a player who has entered."""
    waiting[INFORMATION][who] += information
    waiting[SURPRISE][who] += surprise
    waiting[SHIFT][who] += multiplier * surprise
    if day == day:  # a day that is known
        waiting[SEEN][who] = day


def leave(who: int, rating: float, games: Vector, trail: Vector, waiting: Vectors) -> None:
    """The period is rated: the rating now stands behind the last game, and nothing waits any more."""
    last = int(games[who]) - 1
    if 0 <= last < TRAIL and len(trail) > 0:
        trail[who * TRAIL + last] = rating
    waiting[INFORMATION][who] = 0.0
    waiting[SURPRISE][who] = 0.0
    waiting[SHIFT][who] = 0.0
    waiting[SINCE][who] = -1.0


def played(who: int, share: float, rating: Vector, games: Vector, trail: Vector) -> None:
    """Count a game whose result waits: for now the player stands where the period found them."""
    if share > 0.0:
        note(who, rating[who], games, trail)
