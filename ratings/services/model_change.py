"""A queue goes on with another rating model: every rating moves to the new scale, every rank stays."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from ratings.core.rating_match import belief_facts, highest
from ratings.core.scales import BeliefModel, moved
from ratings.core.types import Belief
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.models import belief_model
from ratings.services.books import CHANGING_COLUMNS, Book, books_of
from ratings.services.bulk import copy_rows, update_rows

BATCH = 1000  # rows updated by one statement


def change_model(
    *,
    queue_id: UUID,
    season_ids: Collection[UUID],
    new_model: RatingModel,
    values: Mapping[UUID, Belief],
    actor: UUID | None,
    reason: str,
    now: datetime,
) -> int:
    """Put every rating of these seasons of the queue on the new model; returns how many were moved.

    values: by the rating's id, what the new model believes as of the player's last match, on its own scale. Who is not
    named is carried over by way of the club scale. The rank stays, the idle time goes on counting. One `model_change`
    event each, in one transaction or the caller's; a rating that stands on this model or a later one is passed over, so
    that a second call changes nothing. Queries do not grow with the ratings, but for one per thousand. The model's
    time in force must be set before.
    Raises RatingInputError for a value that is no belief of the new model.
    """
    new = belief_model(new_model)
    rows = PlayerRating.objects.select_for_update(no_key=True).filter(queue_id=queue_id, season_id__in=season_ids)
    with transaction.atomic():
        books = [book for book in books_of(rows.order_by("id")) if _is_behind(book, new)]
        events = [_change(book, new, values.get(book.id), actor, reason, now) for book in books]
        copy_rows(RatingEvent, events)
        for start in range(0, len(books), BATCH):
            changed = [book.changing_values() for book in books[start : start + BATCH]]
            update_rows(PlayerRating, CHANGING_COLUMNS, changed)
    return len(books)


def _is_behind(book: Book, new: BeliefModel) -> bool:
    own = book.account.model
    return own.id != new.id and not own.is_later_than(new)


def _change(
    book: Book, new: BeliefModel, value: Belief | None, actor: UUID | None, reason: str, now: datetime
) -> dict[str, Any]:
    """Move one book on; returns its event's row."""
    account = book.account
    old, before = account.model, account.belief
    belief = moved(before, old.engine, new.engine) if value is None else new.engine.initial(value)
    explanation = {
        "kind": RatingEvent.Kind.MODEL_CHANGE.value,
        "source": "scale" if value is None else "replay",
        "before_model": old.as_fact(),
        "model": new.as_fact(),
        "before": belief_facts(before),
        "after": belief_facts(belief),
        "club_before": club_facts(old, before),
        "club_after": club_facts(new, belief),
    }
    top = highest(account.top, before, old, belief, new)
    after = replace(account, model=new, belief=belief, top=top)
    kind = RatingEvent.Kind.MODEL_CHANGE.value
    return book.append(kind, after, explanation, now=now, actor_id=actor, reason=reason)


def club_facts(model: BeliefModel, belief: Belief) -> dict[str, float | None]:
    """A belief in points of the club scale."""
    club = model.engine.to_club(belief)
    return {"rating": club.rating, "deviation": club.deviation}
