"""What tests of rating periods do again and again: a model with periods, given first beliefs, a week of play."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ladder.models import Match, Player
from ladder.selectors.seasons import rank_rules
from ladder.services import periods, results
from ratings.core.registry import get_engine
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.services.placement import Newcomer, ensure_ratings
from tests.ladder.world import World, drain_outbox, play

MATCH_EVENTS = RatingEvent.objects.filter(kind=RatingEvent.Kind.MATCH)


def rate_by(world: World, period: str, algorithm: str = "glicko2", parameters: dict[str, Any] | None = None) -> None:
    """Make the queue's first model one of this kind, before anything is played."""
    full = get_engine(algorithm, parameters).parameters.as_dict()
    RatingModel.objects.filter(queue=world.queue).update(period=period, algorithm=algorithm, parameters=full)


def start_at(world: World, player: Player, **belief: float) -> PlayerRating:
    """Somebody's first rating under the queue's model, with this rating and whatever else the engine tracks."""
    model = RatingModel.objects.get(queue=world.queue)
    kept = dict(model.parameters)
    RatingModel.objects.filter(pk=model.pk).update(parameters={**kept, **belief})
    made = ensure_ratings(
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        newcomers=[Newcomer(player.pk)],
        rules=rank_rules(world.season.rules.get()),
        now=world.now,
    )
    RatingModel.objects.filter(pk=model.pk).update(parameters=kept)
    return made[player.pk]


def draw(world: World, one: Player, other: Player) -> Match:
    """A drawn match, agreed and not yet rated."""
    match = world.match(one, other)
    results.report(match_id=match.pk, actor=one, revision=0, winner=None, scores=None, now=world.later(seconds=1))
    return results.confirm(match_id=match.pk, actor=other, revision=1, now=world.later(seconds=1))


def played(world: World, *games: tuple[Player, Player]) -> list[Match]:
    """Matches of (winner, loser), agreed, delivered and waiting for the end of their period."""
    matches = [play(world, *game) for game in games]
    drain_outbox(world.now)
    for match in matches:
        match.refresh_from_db()
    return matches


def end_of(match: Match) -> Any:
    """When its period ends."""
    match.refresh_from_db()
    assert match.period_ends_at is not None
    return match.period_ends_at


def close_after(world: World, match: Match) -> int:
    """Close what is due once the match's period is over and its grace is past."""
    world.now = end_of(match) + periods.GRACE + timedelta(seconds=1)
    return periods.close_due(now=world.now)
