"""Proof of the ledger over the whole database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from ratings.core.ledger import Entry, carried_over, differing_fields, digest, moment, took_effect
from ratings.core.rating_match import aged_belief, highest
from ratings.core.scales import BeliefModel, moved
from ratings.core.types import Belief
from ratings.core.visible_rank import DIVISION
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.models import belief_model
from ratings.services.books import account_of, state_of

CHUNK = 2000
COUNTS = ("games", "wins", "draws", "losses")
LATER = (
    "top_rating",
    "earlier_games",
    "start_position",
    "banked_days",
    "decayed_to",
)  # what events before their time say nothing of
COUNTED_AS = {"win": "wins", "draw": "draws", "loss": "losses"}
TAKING_BACK = ("reversal", "refund", "recompute")  # what was reached by a match that is gone was not reached
Models = Mapping[UUID | None, BeliefModel]


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that does not hold: which rating, which event of it (None for the rating's own row), and what is wrong."""

    player_rating_id: UUID
    seq: int | None
    what: str

    def __str__(self) -> str:
        where = "its row" if self.seq is None else f"event {self.seq}"
        return f"rating {self.player_rating_id}, {where}: {self.what}"


def verify_ledger(*, limit: int = 100) -> list[Problem]:
    """The first row that does not hold of each broken rating, up to `limit` of them; empty if the ledger holds.

    Reads everything in one stream of one snapshot. For every rating: each event's hash is that of its text and of the
    hash before it, its text says what its columns say, it counts from when it should, its `before` is the `after` of
    the event before it, its change follows from the beliefs it names, points and counts add up, the highest rating is
    the highest so far, and the row equals what the last event left, its model included.
    """
    eventless = ~Exists(RatingEvent.objects.filter(player_rating=OuterRef("pk")))
    found = [
        Problem(key, None, "has no event")
        for key in PlayerRating.objects.filter(eventless).order_by("id").values_list("pk", flat=True)[:limit]
    ]
    stream = (
        RatingEvent.objects.select_related("player_rating__rating_model")
        .order_by("player_rating_id", "seq")
        .iterator(chunk_size=CHUNK)
    )
    models: dict[UUID | None, BeliefModel] = {row.pk: belief_model(row) for row in RatingModel.objects.all()}
    for key, events in groupby(stream, key=lambda event: event.player_rating_id):
        if len(found) >= limit:
            break
        first = next(_chain_problems(list(events), models), None)
        if first is not None:
            found.append(Problem(key, *first))
    return found


def _chain_problems(events: Sequence[RatingEvent], models: Models) -> Iterator[tuple[int | None, str]]:
    """Everything wrong with one rating, event by event and the row last."""
    previous: RatingEvent | None = None
    for number, event in enumerate(events, 1):
        if event.seq != number:
            yield number, "is missing"
            return
        found = [*_text_problems(event), *_link_problems(previous, event)]
        if not found:  # what it says is what was written, so it can be reckoned with
            found += [*_sum_problems(previous, event), *_model_problems(previous, event, models)]
        if not found and event.kind == RatingEvent.Kind.MATCH:
            found += _match_problems(previous or event, event, models)
        if not found and event.kind == RatingEvent.Kind.DECAY:
            found += _decay_problems(previous or event, event)
        if not found and event.kind == RatingEvent.Kind.MODEL_CHANGE:
            found += _change_problems(previous or event, event, models)
        if not found and event.undoes_id is not None:
            found += _undo_problems(events, event)
        for what in found:
            yield number, what
        previous = event
    assert previous is not None, "groupby gives no empty group"
    for what in _row_problems(previous):
        yield None, what


def _text_problems(event: RatingEvent) -> Iterator[str]:
    """Hash, text and columns against one another."""
    if event.hash != digest(event.previous_hash, event.canonical):
        yield "its hash is not that of its text"
    differing = differing_fields(_entry(event), event.canonical)
    if differing:
        yield f"its columns differ from its text: {', '.join(differing)}"
    elif event.effective_at != _took_effect(event):
        yield "it does not count from the moment from which it should"


def _took_effect(event: RatingEvent) -> datetime:
    last_match = event.state_after["last_match_at"]
    return took_effect(
        event.kind,
        written=event.created_at,
        opened=event.player_rating.created_at,
        last_match=datetime.fromisoformat(last_match) if last_match else None,
        told=event.explanation,
    )


def _link_problems(previous: RatingEvent | None, event: RatingEvent) -> Iterator[str]:
    """This event's `before` against the last one's `after`."""
    if event.previous_hash != ("" if previous is None else previous.hash):
        yield "it does not name the hash of the event before it"
    if previous is None:
        return
    for name in ("rating", "deviation", "volatility", "position"):
        if getattr(event, f"{name}_before") != getattr(previous, f"{name}_after"):
            yield f"its {name} before is not the {name} after the event before it"


def _sum_problems(previous: RatingEvent | None, event: RatingEvent) -> Iterator[str]:
    """Points, counts and the change itself."""
    before, after = event.position_before, event.position_after
    if event.points_delta != (None if before is None or after is None else after - before):
        yield "its points are not the difference of its positions"
    points = event.state_after["points"]
    if (after is None) != (points is None) or (after is not None and (after - points) % DIVISION):
        yield "its points and its position disagree"
    yield from _count_problems({} if previous is None else previous.state_after, event)


def _count_problems(before: Mapping[str, Any], event: RatingEvent) -> Iterator[str]:
    expected = {name: before.get(name, 0) for name in COUNTS}
    told = event.explanation
    if event.kind == RatingEvent.Kind.MATCH and not told.get("did_not_play"):
        expected["games"] += 1
        expected[COUNTED_AS[told["result"]]] += 1
    elif event.undoes_id is not None and told["result"]:
        step = 1 if told["reinstated"] else -1
        expected["games"] += step
        expected[COUNTED_AS[told["result"]]] += step
    if {name: event.state_after[name] for name in COUNTS} != expected:
        yield "its counts do not follow from the event before it"


def _model_problems(previous: RatingEvent | None, event: RatingEvent, models: Models) -> Iterator[str]:
    """The model it stands on, and the highest rating on that model's scale."""
    own = models.get(event.rating_model_id)
    if own is None:
        yield "it names no rating model"
        return
    told = event.state_after.get("top_rating")
    if previous is None or event.kind in TAKING_BACK:
        known = told is None or told >= event.rating_after
    else:
        before = Belief(event.rating_before), models[previous.rating_model_id]
        top = highest(previous.state_after.get("top_rating"), *before, Belief(event.rating_after), own)
        known = told == top or (told is None and "top_rating" not in event.state_after)
    if not known:
        yield "its highest rating does not follow from the event before it"


def _match_problems(previous: RatingEvent, event: RatingEvent, models: Models) -> Iterator[str]:
    """The change against the beliefs it was made from."""
    told = event.explanation
    if told.get("did_not_play"):
        changed = [name for name in ("rating", "deviation", "volatility", "position") if _differs(event, name)]
        if changed or event.rating_model_id != previous.rating_model_id:
            yield "it changed somebody who did not play"
        return
    stood, own = models[previous.rating_model_id], models[event.rating_model_id]
    formed_model = own if "formed_model" not in told else models.get(UUID(told["formed_model"]["id"]))
    if formed_model is None:
        yield "it was formed with a rating model that is gone"
        return
    before = Belief(event.rating_before, event.deviation_before, event.volatility_before)
    aged = aged_belief(stood.engine, before, float(told["aged"]["idle_days"]))
    current = moved(aged, stood.engine, own.engine)
    if current != _belief(told["aged"]):
        yield "its belief before does not age to the one it names"
    after = carried_over(formed_model.engine, own.engine, current, _belief(told["formed"]), _belief(told["evidence"]))
    if after != Belief(event.rating_after, event.deviation_after, event.volatility_after):
        yield "its change does not follow from the beliefs it names"
    delta = event.points_delta or 0
    if abs(delta) > told["rank"]["high"] or delta * {"win": 1, "draw": 0, "loss": -1}[told["result"]] < 0:
        yield "its points break the rule of its season"


def _decay_problems(previous: RatingEvent, event: RatingEvent) -> Iterator[str]:
    """A day of idleness against its rule: it moves the rank alone, by what it says and not below the foot."""
    told, rank = event.explanation, event.explanation["rank"]
    changed = [name for name in ("rating", "deviation", "volatility") if _differs(event, name)]
    if changed or event.rating_model_id != previous.rating_model_id:
        yield "idleness moved the rating"
    if event.decay_date is None or event.decay_date.isoformat() != told["day"]:
        yield "its day is not the one that it names"
    elif told["day"] <= (previous.state_after.get("decayed_to") or ""):
        yield "its day comes before one that was reckoned with"
    places = (rank["before"]["position"], rank["after"]["position"])
    if places != (event.position_before, event.position_after) or event.points_delta != -told["points"]:
        yield "its points are not those that it names"
    if not (0 < told["points"] <= told["rule"]["points"] and rank["foot"]["position"] <= places[1]):
        yield "its points break the rule of its season"
    if {rank[name]["tier"] for name in ("before", "after", "foot")} != {rank["foot"]["tier"]}:
        yield "idleness took it out of its tier"


def _differs(event: RatingEvent, name: str) -> bool:
    return bool(getattr(event, f"{name}_before") != getattr(event, f"{name}_after"))


def _change_problems(previous: RatingEvent, event: RatingEvent, models: Models) -> Iterator[str]:
    """A change of model against what it says on both scales."""
    if event.position_before != event.position_after:
        yield "its rank moved with the model"
    for side, key in (("before", previous.rating_model_id), ("after", event.rating_model_id)):
        belief = Belief(*(getattr(event, f"{name}_{side}") for name in ("rating", "deviation", "volatility")))
        if belief != _belief(event.explanation[side]):
            yield f"its belief {side} is not the one it names"
        told = event.explanation[f"club_{side}"]
        club = models[key].engine.to_club(belief)
        if (told["rating"], told["deviation"]) != (club.rating, club.deviation):
            yield f"its belief {side} is not what it says on the club scale"


def _undo_problems(events: Sequence[RatingEvent], event: RatingEvent) -> Iterator[str]:
    """What takes back, or reinstates, against the event that it undoes."""
    undone = next((one for one in events[: event.seq - 1] if one.pk == event.undoes_id), None)
    if undone is None or undone.match_id != event.match_id:
        yield "what it undoes is no earlier event of this rating and match"
        return
    if event.explanation["reinstated"] != (
        undone.kind != RatingEvent.Kind.MATCH and not undone.explanation["reinstated"]
    ):
        yield "it reinstates what was not taken back, or takes back what does not count"


def _row_problems(last: RatingEvent) -> Iterator[str]:
    """The stored row against the last event."""
    row = last.player_rating
    if row.rating_model_id != last.rating_model_id:
        yield "its model is not the one of its last event"
    for name in ("rating", "deviation", "volatility", "position"):
        if getattr(row, name) != getattr(last, f"{name}_after"):
            yield f"its {name} is not the one after its last event"
    state = state_of(account_of(row), (row.tier, row.division, row.points))
    for name, value in state.items():
        if last.state_after.get(name) != value and not (name in LATER and name not in last.state_after):
            yield f"its {name} is not the one after its last event"
    if (row.last_seq, row.last_hash) != (last.seq, last.hash):
        yield "it does not name its last event"


def _belief(told: Mapping[str, Any]) -> Belief:
    """A belief as it stands in an explanation; jsonb may have made a whole number of a double."""
    rating, *others = (told[name] for name in ("rating", "deviation", "volatility"))
    deviation, volatility = (None if one is None else float(one) for one in others)
    return Belief(float(rating), deviation, volatility)


def _entry(event: RatingEvent) -> Entry:
    """The stored columns in the form that is hashed."""
    rating = event.player_rating
    keys = (event.match_id, event.undoes_id, event.rating_model_id, event.actor_id)
    match, undoes, rating_model, actor = (None if key is None else str(key) for key in keys)
    return Entry(
        player=str(rating.player_id),
        queue=str(rating.queue_id),
        season=str(rating.season_id),
        role=rating.role,
        seq=event.seq,
        kind=event.kind,
        match=match,
        undoes=undoes,
        rating_model=rating_model,
        actor=actor,
        reason=event.reason,
        rating_before=event.rating_before,
        rating_after=event.rating_after,
        deviation_before=event.deviation_before,
        deviation_after=event.deviation_after,
        volatility_before=event.volatility_before,
        volatility_after=event.volatility_after,
        position_before=event.position_before,
        position_after=event.position_after,
        points_delta=event.points_delta,
        state_after=event.state_after,
        explanation=event.explanation,
        created_at=moment(event.created_at),
    )
