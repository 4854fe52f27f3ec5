"""What one match does to everybody in it: pure, for the live ledger and for whole histories alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from ratings.core.decay import PLAIN_DAYS, Calendar, Idleness, played
from ratings.core.ledger import carried_over, idle_days, stamp
from ratings.core.match_facts import NOTHING_KNOWN, Known, MatchFacts, Reduction, told
from ratings.core.rank_rules import RankRules
from ratings.core.scales import BeliefModel, moved, same_scale
from ratings.core.types import Belief, Engine
from ratings.core.visible_rank import Note, RankState, RankStep, Result, apply_result, label, target_position


@dataclass(frozen=True, slots=True)
class Account:
    """A player's standing as plain values: the row of a PlayerRating without its keys.

    belief: on the own scale of `model`. top: the highest rating reached on that scale, None if that was not kept.
    games: of this season; earlier_games: of the queue's seasons before. banked_days: idle days put by until the last
    match; decayed_to: the last day whose idleness has been counted.
    """

    model: BeliefModel
    belief: Belief
    rank: RankState
    created_at: datetime
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    peak: int | None = None
    reached_at: datetime | None = None
    last_match_at: datetime | None = None
    top: float | None = None
    earlier_games: int = 0
    banked_days: int = 0
    decayed_to: date | None = None

    @property
    def experience(self) -> int:
        """Rated matches of the queue so far."""
        return self.earlier_games + self.games

    @property
    def active_at(self) -> datetime:
        """When ageing last started anew."""
        return self.last_match_at or self.created_at


@dataclass(frozen=True, slots=True)
class Formed:
    """What was believed of a participant when the match was formed, aged to that moment.

    stored: the belief it was aged from, where that is still known; it saves ageing it again.
    """

    belief: Belief
    idle_days: float
    expected: float
    stored: Belief | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A participant: the account now, and the snapshot from the match's formation."""

    player_id: UUID
    account: Account
    formed: Formed


@dataclass(frozen=True, slots=True)
class Rated:
    """What the match made of a participant, and everything needed to say why."""

    player_id: UUID
    before: Account
    after: Account
    delta: int | None
    explanation: Mapping[str, Any]


def forecast(
    engine: Engine,
    teams: Sequence[Sequence[tuple[UUID, Account]]],
    at: datetime,
    facts: MatchFacts = NOTHING_KNOWN,
) -> list[list[Formed]]:
    """Beliefs aged to `at`, on the scale of `engine`, and each team's expected score, before a match is played.

    teams: players with their accounts. Of the facts only what is known at formation is used.
    """
    idle = [[idle_days(account.active_at, at) for _player, account in team] for team in teams]
    aged = [
        [standing_on(engine, account, days) for (_player, account), days in zip(team, row, strict=True)]
        for team, row in zip(teams, idle, strict=True)
    ]
    known = [
        [known_of(engine, player, account, belief) for (player, account), belief in zip(team, beliefs, strict=True)]
        for team, beliefs in zip(teams, aged, strict=True)
    ]
    expected = engine.expected(aged, facts.side, facts.at_formation.signals(known))
    return [
        [
            Formed(belief, days, chance, account.belief)
            for belief, days, (_player, account) in zip(beliefs, row, team, strict=True)
        ]
        for beliefs, row, chance, team in zip(aged, idle, expected, teams, strict=True)
    ]


def known_of(engine: Engine, player_id: UUID, account: Account, formed: Belief) -> Known:
    """What the ledger knows of a participant; `formed` is the belief on the scale of `engine`."""
    top = account.top if same_scale(account.model.engine, engine) else None
    return Known(player_id, account.experience, formed.rating if top is None else max(top, formed.rating))


def aged_belief(engine: Engine, belief: Belief, days: float) -> Belief:
    """The belief after idle days; none leave it untouched."""
    return engine.widen(belief, days) if days > 0.0 else belief


def standing_on(engine: Engine, account: Account, days: float) -> Belief:
    """What is believed after idle days: aged by the account's own model, told on the scale of `engine`."""
    own = account.model.engine
    return moved(aged_belief(own, account.belief, days), own, engine)


def highest(top: float | None, before: Belief, before_model: BeliefModel, after: Belief, model: BeliefModel) -> float:
    """The highest rating reached on the scale of `model`, on which `after` stands; a change of scale begins anew."""
    if not same_scale(before_model.engine, model.engine):
        return after.rating
    return max(before.rating if top is None else top, after.rating)


def corrected(account: Account, rating_delta: float) -> Account:
    """The account with its hidden rating shifted by points of the club scale; the rank stays."""
    model, before = account.model, account.belief
    club = model.engine.to_club(before)
    shifted = model.engine.from_club(Belief(club.rating + rating_delta, club.deviation, club.volatility))
    belief = Belief(shifted.rating, before.deviation, before.volatility)
    return replace(account, belief=belief, top=highest(account.top, before, model, belief, model))


def rate_match(
    model: BeliefModel,
    rules: RankRules,
    teams: Sequence[Sequence[Seat]],
    ranks: Sequence[int],
    *,
    formed_at: datetime,
    completed_at: datetime,
    facts: MatchFacts = NOTHING_KNOWN,
    calendar: Calendar = PLAIN_DAYS,
) -> list[Rated]:
    """Everybody after the match, team by team in the order given. Lower rank is better, equal ranks are a draw.

    model: the one that the match was formed with. Who stands on a later one stays on it. Who did not play keeps
    every number. Raises RatingInputError where the facts do not fit the match.
    """
    engine = model.engine
    known = [[known_of(engine, seat.player_id, seat.account, seat.formed.belief) for seat in team] for team in teams]
    line_up = [[seat.formed.belief for seat in team] for team in teams]
    evidence = engine.update(line_up, ranks, facts.weights, facts.signals(known), facts.side)
    rated = []
    for index, (team, beliefs) in enumerate(zip(teams, evidence, strict=True)):
        for member, (seat, belief) in enumerate(zip(team, beliefs, strict=True)):
            said = {**facts_of_match(teams, ranks, index, seat, completed_at), **told(engine, facts, index, member)}
            outcome = SeatOutcome(
                result=result_of(ranks, index),
                evidence=belief,
                formed_at=formed_at,
                completed_at=completed_at,
                facts=said,
                reduction=facts.reduction(index, member),
                calendar=calendar,
            )
            plays = facts.share(index, member) > 0.0
            rated.append(rate_seat(model, rules, seat, outcome) if plays else _left_alone(rules, seat, outcome))
    return rated


def facts_of_match(
    teams: Sequence[Sequence[Seat]], ranks: Sequence[int], index: int, seat: Seat, completed_at: datetime
) -> dict[str, Any]:
    """What every explanation says of a match, seen from a seat in the team `index`."""
    others = [other for team in teams for other in team if other.player_id != seat.player_id]
    return {
        "kind": "match",
        "result": result_of(ranks, index).value,
        "teams": len(teams),
        "completed_at": stamp(completed_at),
        "opponents": [str(other.player_id) for i, team in enumerate(teams) if i != index for other in team],
        "others_placing": any(other.account.rank.position is None for other in others),
    }


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """How a match came out for one seat.

    evidence: the belief that the model makes of the one recorded at formation. idle_days: without a match before this
    one was formed; None: since the account's last match. reduction: None where its points count in full.
    """

    result: Result
    evidence: Belief
    formed_at: datetime
    completed_at: datetime
    facts: Mapping[str, Any]
    idle_days: float | None = None
    reduction: Reduction | None = None
    calendar: Calendar = PLAIN_DAYS


def result_of(ranks: Sequence[int], index: int) -> Result:
    """Win, draw or loss of one team: how many of the other teams stand behind it, a tie counting half."""
    mine = ranks[index]
    balance = sum((mine < other) - (mine > other) for other in ranks)
    if balance == 0:
        return Result.DRAW
    return Result.WIN if balance > 0 else Result.LOSS


def rate_seat(model: BeliefModel, rules: RankRules, seat: Seat, outcome: SeatOutcome) -> Rated:
    """One participant after a match: the evidence carried over to the account, and the step of the rank."""
    before, formed = seat.account, seat.formed
    days = idle_days(before.active_at, outcome.formed_at) if outcome.idle_days is None else outcome.idle_days
    own = before.model if before.model.is_later_than(model) else model
    engine = own.engine
    if own.id == model.id and formed.stored is not None and (formed.stored, formed.idle_days) == (before.belief, days):
        current = formed.belief
    else:
        current = standing_on(engine, before, days)
    belief = carried_over(model.engine, engine, current, formed.belief, outcome.evidence)
    number = before.games + 1
    club = engine.to_club(belief)
    aim = engine.conservative(belief) if rules.target_from == "conservative" else club.rating
    step = apply_result(
        rules,
        before.rank,
        outcome.result,
        club_rating=aim,
        deviation=club.deviation,
        played=number,
        percent=100 if outcome.reduction is None else outcome.reduction.percent,
    )
    after = replace(_counted(before, own, belief, step, outcome), banked_days=_put_by(rules, before, outcome))
    explanation = {
        **outcome.facts,
        "expected": formed.expected,
        "formed": belief_facts(formed.belief, formed.idle_days),
        "evidence": belief_facts(outcome.evidence),
        "aged": belief_facts(current, days),
        "club_rating": club.rating,
        "club_deviation": club.deviation,
        **_other_models(before.model, model, own),
        "rank": {**_rank_facts(rules, before.rank, step, number), **_reduction_facts(step, outcome.reduction)},
    }
    return Rated(seat.player_id, before, after, step.delta, explanation)


def _left_alone(rules: RankRules, seat: Seat, outcome: SeatOutcome) -> Rated:
    """Who did not play: an event that says so and changes nothing; idle time goes on counting."""
    account, formed = seat.account, seat.formed
    club = account.model.engine.to_club(account.belief)
    position = account.rank.position
    target = target_position(rules, club.rating)
    step = RankStep(account.rank, None if position is None else 0, target, 0, ())
    explanation = {
        **outcome.facts,
        "did_not_play": True,
        "expected": formed.expected,
        "formed": belief_facts(formed.belief, formed.idle_days),
        "evidence": belief_facts(formed.belief),
        "aged": belief_facts(account.belief, 0.0),
        "club_rating": club.rating,
        "club_deviation": club.deviation,
        "rank": _rank_facts(rules, account.rank, step, account.games),
    }
    return Rated(seat.player_id, account, account, step.delta, explanation)


def _other_models(before: BeliefModel, formed: BeliefModel, own: BeliefModel) -> dict[str, Any]:
    """What is to be said besides the event's own model: whose scale `before` and the forecast stand on."""
    others = {"before_model": before, "formed_model": formed}
    return {name: model.as_fact() for name, model in others.items() if model.id != own.id}


def idleness_of(account: Account, calendar: Calendar) -> Idleness:
    """The days of an account by a club's calendar."""
    return Idleness(calendar.day_of(account.active_at), account.banked_days, account.decayed_to)


def _put_by(rules: RankRules, before: Account, outcome: SeatOutcome) -> int:
    """Free days after the match, where ranks fade."""
    if not rules.fades:
        return before.banked_days
    calendar = outcome.calendar
    return played(rules, calendar, idleness_of(before, calendar), calendar.day_of(outcome.completed_at)).banked


def _counted(before: Account, own: BeliefModel, belief: Belief, step: RankStep, outcome: SeatOutcome) -> Account:
    position = step.state.position
    moved = position != before.rank.position
    peaks = [one for one in (before.peak, position) if one is not None]
    return Account(
        model=own,
        belief=belief,
        rank=step.state,
        created_at=before.created_at,
        games=before.games + 1,
        wins=before.wins + (outcome.result is Result.WIN),
        draws=before.draws + (outcome.result is Result.DRAW),
        losses=before.losses + (outcome.result is Result.LOSS),
        peak=max(peaks, default=None),
        reached_at=outcome.completed_at if moved else before.reached_at,
        last_match_at=max(before.last_match_at or outcome.completed_at, outcome.completed_at),
        top=highest(before.top, before.belief, before.model, belief, own),
        earlier_games=before.earlier_games,
        banked_days=before.banked_days,
        decayed_to=before.decayed_to,
    )


def belief_facts(belief: Belief, days: float | None = None) -> dict[str, float | None]:
    """How an explanation names a belief."""
    told = {"rating": belief.rating, "deviation": belief.deviation, "volatility": belief.volatility}
    return told if days is None else {**told, "idle_days": days}


def _rank_facts(rules: RankRules, before: RankState, step: RankStep, played: int) -> dict[str, Any]:
    after = step.state
    return {
        "target": step.target,
        "steps": step.steps,
        "delta": step.delta,
        "base": rules.base,
        "low": rules.low,
        "high": rules.high,
        "notes": [note.value for note in step.notes],
        "before": None if before.position is None else label(rules, before.position).as_dict(),
        "after": None if after.position is None else label(rules, after.position).as_dict(),
        "placement": None if before.position is not None else placement_progress(played, after),
        "shield": after.shield,
        **({"leave": rules.reset_leave} if Note.HELD_BY_RESET in step.notes else {}),
    }


def _reduction_facts(step: RankStep, reduction: Reduction | None) -> dict[str, Any]:
    """Reduced points as an effect with a name; a first rank is not made of points."""
    if reduction is None or step.delta is None:
        return {}
    return {"reduced": {"percent": reduction.percent, "reason": reduction.reason}}


def placement_progress(played: int, after: RankState) -> list[int]:
    """[matches played, matches until the first rank as far as is known now]."""
    if after.position is not None:
        return [played, played]
    return [played, played + max(after.placement_left, 1)]
