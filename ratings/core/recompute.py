"""What a queue's ratings would be had some of its matches never been: its recorded history, walked again.

Every event of every rating is done once more in the order of the chains: matches are predicted from the beliefs that
now stand where the recorded ones were read, and rated by the same functions as the live ledger. Where nothing differs
from what is recorded, what is recorded stands.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from ratings.core.chains import Act, Chain, Place, Played, Recorded
from ratings.core.decay import fades, foot_of_tier
from ratings.core.ledger import carried_over, idle_days
from ratings.core.periods import MATCH
from ratings.core.priors import from_earlier_season, start_of
from ratings.core.rank_reset import after_reset
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import (
    Account,
    Formed,
    Rated,
    Seat,
    corrected,
    forecast,
    highest,
    rate_match,
    result_of,
)
from ratings.core.rating_periods import PeriodMatch, first_games_of, rate_period
from ratings.core.scales import moved, same_scale
from ratings.core.types import Engine, PeriodGame
from ratings.core.undo import Undo, fold, opposite
from ratings.core.visible_rank import new_state


@dataclass(frozen=True, slots=True)
class _Unit:
    """Events that were written together: all those of a match, or of a rating period's matches."""

    id: UUID
    places: tuple[Place, ...]
    needs: tuple[Place, ...]
    matches: tuple[UUID, ...] = ()


@dataclass(slots=True)
class Walk:
    """A queue's history done once more, without the matches in `left_out`.

    chains, by rating; matches: by id. trusting: an event whose circumstances are the recorded ones is not reckoned
    again. beliefs: afterwards, for each rating the accounts before its first event and after each of them.
    """

    chains: Mapping[UUID, Chain]
    matches: Mapping[UUID, Played]
    left_out: Collection[UUID]
    first_engine: Engine | None = None
    trusting: bool = True
    accounts: dict[UUID, list[Account]] = field(default_factory=dict)
    first_games: dict[UUID, tuple[PeriodGame, ...]] = field(default_factory=dict)
    by_player: dict[tuple[UUID, UUID], Chain] = field(default_factory=dict)

    def run(self) -> Mapping[UUID, list[Account]]:
        """Walk from the beginning to the end; returns `accounts`."""
        self.accounts = {key: [chain.start] for key, chain in self.chains.items()}
        self.by_player = {(chain.player_id, chain.season_id): chain for chain in self.chains.values()}
        units = self._units()
        at = {place: unit for unit in units for place in unit.places}
        for unit in units:
            waiting = [unit]
            while waiting:
                missing = self._missing(waiting[-1])
                if missing is None:
                    self._do(waiting.pop())
                else:
                    waiting.append(at[missing])
        return self.accounts

    def _missing(self, unit: _Unit) -> Place | None:
        """Something that must be done before the unit; None if it can be done now, or is done."""
        if self._is_done(unit.places[0]):
            return None
        own = set(unit.places)
        before = [(key, number - 1) for key, number in unit.places if (key, number - 1) not in own]
        return next((place for place in (*before, *unit.needs) if not self._is_done(place)), None)

    def _is_done(self, place: Place) -> bool:
        return len(self.accounts[place[0]]) > place[1]

    def _units(self) -> list[_Unit]:
        """In the order of their ids, which is nearly the order of the chains."""
        together: dict[object, list[tuple[Recorded, Place]]] = {}
        for chain in self.chains.values():
            for number, event in enumerate(chain.events, 1):
                key = event.period or (event.match_id if event.act is Act.MATCH else event.id)
                together.setdefault(key, []).append((event, (chain.rating_id, number)))
        units = []
        for events in together.values():
            matches = {event.match_id: event.id for event, _place in events if event.act is Act.MATCH}
            units.append(
                _Unit(
                    min(event.id for event, _place in events),
                    tuple(sorted(place for _event, place in events)),
                    self._needs(*events[0]),
                    tuple(sorted((key for key in matches if key), key=self._turn)),
                )
            )
        return sorted(units, key=lambda unit: unit.id)

    def _turn(self, match_id: UUID) -> tuple[datetime, UUID]:
        played = self.matches[match_id]
        return played.completed_at, match_id

    def _needs(self, event: Recorded, place: Place) -> tuple[Place, ...]:
        """A first rating that an earlier season gave stands after whatever was written before it in the others."""
        if event.act is not Act.OPEN or not event.carries:
            return ()
        chain = self.chains[place[0]]
        return tuple(
            (other.rating_id, sum(1 for one in other.events if one.id < event.id)) for other in self._others(chain)
        )

    def _others(self, chain: Chain) -> list[Chain]:
        return [one for one in self.chains.values() if one.player_id == chain.player_id and one is not chain]

    def _do(self, unit: _Unit) -> None:
        if self._is_done(unit.places[0]):
            return
        if unit.matches:
            self._rate([self.matches[key] for key in unit.matches], unit.places)
            return
        key, number = unit.places[0]
        self.accounts[key].append(self._again(self.chains[key], number))

    def _again(self, chain: Chain, number: int) -> Account:
        """One event that is no match."""
        event, recorded, account = chain.events[number - 1], chain.account(number - 1), self._now(chain)
        if event.act is Act.TRACE or (event.act is Act.UNDO and event.match_id in self.left_out):
            return account
        if event.act is Act.OPEN:
            return self._open(chain, event)
        if event.act is Act.UNDO:
            return self._undo(chain, number)
        if self.trusting and account == recorded:
            return event.after
        if event.act is Act.CORRECTION:
            return corrected(account, event.delta)
        if event.act is Act.DECAY:
            return _faded(chain.rules, account, event)
        if event.act is Act.MODEL_CHANGE:
            return _on_model(account, recorded, event)
        return opposite(account, Undo(number, 0, event.after, recorded, event.at))

    def _undo(self, chain: Chain, number: int) -> Account:
        base, run = chain.run(number)
        kept = [one for one in run if chain.events[one.event - 1].match_id not in self.left_out]
        return fold(self.accounts[chain.rating_id][base], kept)

    def _open(self, chain: Chain, event: Recorded) -> Account:
        """A first rating; one that came from an earlier season is made of that season's as it stands now."""
        opened, others = event.after, [(one, self._now(one)) for one in self._others(chain) if self._has_begun(one)]
        if not event.carries or (self.trusting and all(now == self._recorded(one) for one, now in others)):
            return opened
        played = [(account.active_at, one.rating_id, account) for one, account in others if account.games > 0]
        if not played:
            return self._anew(chain, opened)
        _at, rating_id, old = max(played, key=lambda one: one[:2])
        belief = from_earlier_season(
            opened.model.engine,
            old.model.engine,
            old.belief,
            idle_days=idle_days(old.active_at, opened.created_at),
            carry_deviation=chain.rules.carry_deviation,
        )
        top = belief.rating
        if old.top is not None and same_scale(old.model.engine, opened.model.engine):
            top = max(top, old.top)
        start = after_reset(self.chains[rating_id].rules, chain.rules, old.rank.last_known)
        rank = new_state(chain.rules, returning=True, start=start)
        return replace(opened, belief=belief, top=top, earlier_games=old.experience, rank=rank)

    def _anew(self, chain: Chain, opened: Account) -> Account:
        """Nothing was played before after all: made of what was known when the player first came to the queue."""
        firsts = [one.events[0] for one in self._others(chain) if one.events and not one.events[0].carries]
        first = min(firsts, key=lambda event: event.id)
        if first.signals is None:
            belief = moved(first.after.belief, first.after.model.engine, opened.model.engine)
        else:
            belief = start_of(opened.model.engine, first.signals)
        rank = new_state(chain.rules)
        return replace(opened, belief=belief, top=belief.rating, earlier_games=0, rank=rank)

    def _has_begun(self, chain: Chain) -> bool:
        return len(self.accounts[chain.rating_id]) > 1

    def _recorded(self, chain: Chain) -> Account:
        """Where the chain stood as recorded when it was as long as now."""
        return chain.account(len(self.accounts[chain.rating_id]) - 1)

    def _now(self, chain: Chain) -> Account:
        return self.accounts[chain.rating_id][-1]

    def _rate(self, matches: Sequence[Played], places: Sequence[Place]) -> None:
        """A match, or the matches of a rating period, without those that are left out."""
        counted = [one for one in matches if one.match_id not in self.left_out]
        if self.trusting and len(counted) == len(matches) and self._is_as_recorded(matches, places):
            for key, number in places:
                self.accounts[key].append(self.chains[key].account(number))
            for one in matches:
                self._note(one, self._forecast(one))
            return
        formed = {one.match_id: self._forecast(one) for one in counted}
        after: dict[Place, Account] = {}
        numbers = {(self._match_of(place), place[0]): place for place in places}
        for one, rated in self._verdicts(counted, formed):
            for seat in rated:
                chain = self.by_player[seat.player_id, one.season_id]
                after[numbers[one.match_id, chain.rating_id]] = seat.after
        for place in places:
            self.accounts[place[0]].append(after.get(place, self.accounts[place[0]][-1]))
        for one in counted:
            self._note(one, formed[one.match_id])

    def _match_of(self, place: Place) -> UUID | None:
        return self.chains[place[0]].events[place[1] - 1].match_id

    def _is_as_recorded(self, matches: Sequence[Played], places: Sequence[Place]) -> bool:
        """Whether everybody stands, and stood when the forecasts were made, as recorded."""
        own = set(places)
        around = [(key, number - 1) for key, number in places if (key, number - 1) not in own]
        for one in matches:
            for player, number in one.at_formation.items():
                around.append((self.by_player[player, one.season_id].rating_id, number))
        return all(self.accounts[key][number] == self.chains[key].account(number) for key, number in around)

    def _verdicts(
        self, matches: Sequence[Played], formed: Mapping[UUID, Mapping[UUID, Formed]]
    ) -> list[tuple[Played, list[Rated]]]:
        if not matches:
            return []
        first = matches[0]
        if first.model.period == MATCH:
            rated = rate_match(
                first.model,
                first.rules,
                self._seats(first, formed[first.match_id]),
                first.ranks,
                formed_at=first.formed_at,
                completed_at=first.completed_at,
                facts=first.facts,
                calendar=first.calendar,
            )
            return [(first, rated)]
        period = []
        for one in matches:
            (left,), (right,) = self._seats(one, formed[one.match_id])
            at = (one.formed_at, one.completed_at)
            period.append(PeriodMatch((left, right), one.ranks, one.rules, *at, one.facts, one.calendar))
        both = rate_period(first.model, period, ends_at=first.ends_at, first_games=self.first_games)
        return list(zip(matches, both, strict=True))

    def _seats(self, played: Played, formed: Mapping[UUID, Formed]) -> list[list[Seat]]:
        return [
            [Seat(player, self._now(self.by_player[player, played.season_id]), formed[player]) for player in team]
            for team in played.teams
        ]

    def _forecast(self, played: Played) -> dict[UUID, Formed]:
        """What would have been believed when the match was formed."""
        teams = [[(player, self._at_formation(played, player)) for player in team] for team in played.teams]
        told = forecast(played.model.engine, teams, played.formed_at, played.facts)
        return {
            player: replace(one, stored=None)
            for team, beliefs in zip(played.teams, told, strict=True)
            for player, one in zip(team, beliefs, strict=True)
        }

    def _at_formation(self, played: Played, player: UUID) -> Account:
        chain = self.by_player[player, played.season_id]
        return self.accounts[chain.rating_id][played.at_formation[player]]

    def _note(self, played: Played, formed: Mapping[UUID, Formed]) -> None:
        """Keep the first games of those who have no first rating yet, where a model asks for them."""
        engine = self.first_engine
        if engine is None or (played.facts.teams_that_played or 2) < 2:
            return
        for index, team in enumerate(played.teams):
            others = [formed[other].belief for one in played.teams if one is not team for other in one]
            for player in team:
                so_far = self.first_games.get(player, ())
                if len(so_far) < engine.wants_first_games:
                    games = first_games_of(engine, played.model.engine, others, result_of(played.ranks, index))
                    self.first_games[player] = (*so_far, *games)


def _faded(rules: RankRules, account: Account, event: Recorded) -> Account:
    """A day of idleness: it takes from the rank that now stands what the rule says, and no day more than was idle."""
    position = account.rank.position
    if position is None or not fades(rules, position):
        return replace(account, decayed_to=event.after.decayed_to)
    position = max(position - rules.decay_points, foot_of_tier(rules, position))
    rank = replace(account.rank, position=position, losses_at_zero=0)
    return replace(account, rank=rank, reached_at=event.after.reached_at, decayed_to=event.after.decayed_to)


def _on_model(account: Account, recorded: Account, event: Recorded) -> Account:
    """A change of model. A value that came from a replay moves by what the rating before it differs from the recorded.

    That replay's other numbers are not known any more.
    """
    model, old = event.after.model, account.model
    belief = moved(account.belief, old.engine, model.engine)
    if not event.carries:
        was = moved(recorded.belief, recorded.model.engine, model.engine)
        belief = carried_over(model.engine, model.engine, event.after.belief, was, belief)
    top = highest(account.top, account.belief, old, belief, model)
    return replace(account, model=model, belief=belief, top=top)
