"""What one rating period does to everybody who played in it: pure, one outcome per match and player.

A player's games count as simultaneous. All are rated from one belief, the one recorded when the first of them was
formed, against the opponents as they were believed when each game was formed, and at the gap that stood between the two
then. The visible rank takes one step per match, in the order of the matches.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from ratings.core.decay import PLAIN_DAYS, Calendar
from ratings.core.ledger import stamp
from ratings.core.match_facts import NOTHING_KNOWN, MatchFacts, told
from ratings.core.periods import rate_games
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import (
    Account,
    Formed,
    Rated,
    Seat,
    SeatOutcome,
    facts_of_match,
    known_of,
    rate_seat,
    result_of,
)
from ratings.core.scales import BeliefModel, moved
from ratings.core.types import Belief, Engine, PeriodGame, PlayerFacts
from ratings.core.visible_rank import Result

SCORES = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


def first_games_of(engine: Engine, formed: Engine, others: Iterable[Belief], result: Result) -> Iterable[PeriodGame]:
    """One game against each opponent, as believed by `formed` when the match was made, for a first rating by `engine`.

    That rating is made of a player's first games together.
    """
    return (PeriodGame(moved(belief, formed, engine), SCORES[result]) for belief in others)


@dataclass(frozen=True, slots=True)
class PeriodMatch:
    """A completed match of two: each with the account from before the period, and the snapshot from its formation."""

    seats: tuple[Seat, Seat]
    ranks: Sequence[int]
    rules: RankRules
    formed_at: datetime
    completed_at: datetime
    facts: MatchFacts = NOTHING_KNOWN
    calendar: Calendar = PLAIN_DAYS

    def game(self, index: int, opponent: Belief) -> PeriodGame:
        """The match as a game of one of the two."""
        side = self.facts.side
        return PeriodGame(
            opponent,
            SCORES[result_of(self.ranks, index)],
            side=0 if side is None else 1 if side == index else -1,
            margin=self.facts.margin,
            played=(self.facts.share(index, 0), self.facts.share(1 - index, 0)),
        )


@dataclass(slots=True)
class _Line:
    """One player's period: the games, and what is believed before the first and after each of them."""

    account: Account
    base: Belief
    about: PlayerFacts
    games: list[PeriodGame] = field(default_factory=list)
    beliefs: tuple[Belief, ...] = ()
    told: int = 0

    def rate(self, engine: Engine) -> None:
        """Find the beliefs once all games are known."""
        self.beliefs = (self.base, *rate_games(engine, self.base, self.games, self.about).beliefs)


def rate_period(
    model: BeliefModel,
    matches: Sequence[PeriodMatch],
    *,
    ends_at: datetime | None,
    first_games: Mapping[UUID, tuple[PeriodGame, ...]] | None = None,
) -> list[list[Rated]]:
    """Both players after each match of a period, in the order given, which is that of completion.

    model: the one that all of them were formed with, which has periods. A player's changes of rating add up to the
    period's change. first_games: the earlier ones of players without a first rating, where the engine wants them.
    Raises RatingInputError for an engine without periods.
    """
    lines = _lines(model.engine, matches, first_games or {})
    for line in lines.values():
        line.rate(model.engine)
    return [_tell(model, match, lines, ends_at) for match in matches]


def _lines(
    engine: Engine, matches: Iterable[PeriodMatch], first_games: Mapping[UUID, tuple[PeriodGame, ...]]
) -> dict[UUID, _Line]:
    lines: dict[UUID, _Line] = {}
    for match in matches:
        for index, (seat, other) in enumerate((match.seats, match.seats[::-1])):
            own, opponent = seat.formed.belief, other.formed.belief
            if seat.player_id not in lines:
                about = match.facts.about(known_of(engine, seat.player_id, seat.account, own))
                about = replace(about, first_games=first_games.get(seat.player_id, ()))
                lines[seat.player_id] = _Line(seat.account, own, about)
            line = lines[seat.player_id]
            if line.about.games >= engine.wants_first_games:  # a first rating looks at the opponents alone
                opponent = replace(opponent, rating=opponent.rating + (line.base.rating - own.rating))
            line.games.append(match.game(index, opponent))
    return lines


def _tell(model: BeliefModel, match: PeriodMatch, lines: dict[UUID, _Line], ends_at: datetime | None) -> list[Rated]:
    """One match of the period, and both accounts moved on by it."""
    accounts = [lines[seat.player_id].account for seat in match.seats]
    seats = [replace(seat, account=account) for seat, account in zip(match.seats, accounts, strict=True)]
    teams = [[seat] for seat in seats]
    rated = []
    for index, seat in enumerate(seats):
        line = lines[seat.player_id]
        number = line.told
        period = {"ends_at": stamp(ends_at), "game": number + 1, "of": len(line.games)}
        said = facts_of_match(teams, match.ranks, index, seat, match.completed_at)
        idle = seat.formed.idle_days if number == 0 else 0.0
        outcome = SeatOutcome(
            result=result_of(match.ranks, index),
            evidence=line.beliefs[number + 1],
            formed_at=match.formed_at,
            completed_at=match.completed_at,
            facts={**said, **told(model.engine, match.facts, index, 0), "period": period},
            idle_days=None if number == 0 else 0.0,
            reduction=match.facts.reduction(index, 0),
            calendar=match.calendar,
        )
        formed = Formed(line.beliefs[number], idle, seat.formed.expected)
        one = rate_seat(model, match.rules, replace(seat, formed=formed), outcome)
        line.account, line.told = one.after, number + 1
        rated.append(one)
    return rated
