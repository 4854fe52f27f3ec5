"""What a model would believe of everybody in its queue: the values with which it takes over from another scale."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from django.db.models import Count, Sum

from ratings.core.history import Chunk
from ratings.core.replay import Replay
from ratings.core.replay_steps import prepare, widened
from ratings.core.types import Belief, Engine
from ratings.models import PlayerRating, RatingModel
from ratings.selectors.models import engine_of
from ratings.selectors.replay_history import QueueHistory, day_of, season_carries
from ratings.services.report_histories import STEP, zone_for

_EVER = datetime.max.replace(tzinfo=UTC)
_INSTANT = 1e-6  # days


@dataclass(frozen=True, slots=True)
class Replayed:
    """A model at the end of its queue's history. mark: changes with every event of the queue's ledger.

    beliefs: by player, on the model's own scale, with the day number of the last match. seasons: those with matches.
    """

    mark: tuple[int, int]
    beliefs: Mapping[UUID, tuple[Belief, float]]
    seasons: frozenset[UUID]


def replay_under(model: RatingModel) -> Replayed:
    """Run the model over everything that its queue has rated. Plain Python: it runs in whatever process asks."""
    mark = ledger_mark(model.queue_id)
    engine = engine_of(model)
    replay = Replay(engine, accelerate=False, ageing=True, describe=False, period=model.period)
    history = QueueHistory(model.queue_id, _EVER, zone_for(model.queue_id, model.period))
    last_day: dict[int, float] = {}
    for step in history.steps(STEP):
        prepare(replay, step)
        if len(step.chunk):
            replay.run(step.chunk)
            last_day |= last_days(step.chunk)
    replay.close()
    beliefs = {
        player: (replay.belief(number), last_day[number])
        for player, number in history.players.items()
        if replay.games(number) > 0
    }
    return Replayed(mark, beliefs, frozenset(history.seasons))


def ledger_mark(queue_id: UUID) -> tuple[int, int]:
    """How many ratings and events the queue's ledger holds: equal marks, equal histories."""
    told = PlayerRating.objects.filter(queue=queue_id).aggregate(ratings=Count("id"), events=Sum("last_seq"))
    return told["ratings"], told["events"] or 0


def values_for(model: RatingModel, season_ids: Collection[UUID], found: Replayed) -> dict[UUID, Belief]:
    """By the id of each rating in these seasons, what the model believes as of the moment from which that rating ages.

    A season that was opened but not played yet widens what is known, as its placements did. Who has not played is left
    out.
    """
    engine, zone = engine_of(model), zone_for(model.queue_id, model.period)
    carries = season_carries(model.queue_id)
    values = {}
    for row in PlayerRating.objects.filter(queue=model.queue_id, season_id__in=season_ids, role=""):
        known = found.beliefs.get(row.player_id)
        if known is not None:
            belief, last_day = known
            belief = _aged(engine, belief, day_of(row.last_match_at or row.created_at, zone) - last_day)
            carry = 0.0 if row.season_id in found.seasons else carries.get(row.season_id, 0.0)
            values[row.id] = widened(engine, belief, carry)
    return values


def last_days(chunk: Chunk) -> dict[int, float]:
    """The day of the last match that each player of a chunk played in."""
    seats_of = np.diff(chunk.member_start[chunk.team_start])
    days, played = np.repeat(chunk.day, seats_of), chunk.weight > 0.0
    return dict(zip(chunk.player[played].tolist(), days[played].tolist(), strict=True))


def _aged(engine: Engine, belief: Belief, days: float) -> Belief:
    return engine.widen(belief, days) if days > _INSTANT else belief
