"""First ratings: where a newcomer starts, what an earlier season and other queues are worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from ratings.core.ledger import idle_days
from ratings.core.priors import Newcomer, Signal, Source, from_earlier_season, signals_of, start_of
from ratings.core.rank_reset import after_reset, reset_facts
from ratings.core.rank_rules import DEFAULT_RULES, RankRules
from ratings.core.rating_match import Account
from ratings.core.scales import BeliefModel, same_scale
from ratings.core.types import Belief
from ratings.core.visible_rank import new_state
from ratings.ids import new_id
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.models import belief_model, model_in_force
from ratings.selectors.prior_basis import other_ratings, prior_basis
from ratings.selectors.rules import rank_rules_of_seasons
from ratings.services.books import Book
from ratings.services.bulk import copy_rows

__all__ = ["Newcomer", "ensure_ratings"]


def ensure_ratings(
    *, queue_id: UUID, season_id: UUID, newcomers: Sequence[Newcomer], rules: RankRules, now: datetime
) -> dict[UUID, PlayerRating]:
    """Everybody's rating of this queue and season, made where there is none yet; by player.

    A new one starts from the last season's rating of the same queue (kept, deviation aged and widened), else from
    everything else that is known: ratings in the club's other queues and the self-assessment. It is written with a
    `placement` event that says so. Idempotent, also when raced. Raises RatingInputError for an unknown self-assessment.
    """
    found = _stored(queue_id, season_id, [one.player_id for one in newcomers])
    if len(found) == len({one.player_id for one in newcomers}):
        return found
    model = model_in_force(queue_id=queue_id, at=now)
    return ensure_with_model(model, season_id=season_id, newcomers=newcomers, rules=rules, now=now, found=found)


def ensure_with_model(
    model: RatingModel,
    *,
    season_id: UUID,
    newcomers: Iterable[Newcomer],
    rules: RankRules,
    now: datetime,
    found: dict[UUID, PlayerRating] | None = None,
) -> dict[UUID, PlayerRating]:
    """The same for a caller that has the model in force (and perhaps the stored rows) in hand."""
    wanted = {one.player_id: one for one in newcomers}
    have = _stored(model.queue_id, season_id, wanted) if found is None else found
    missing = [one for one in wanted.values() if one.player_id not in have]
    if not missing:
        return have
    with transaction.atomic():
        earlier = latest_of_other_seasons(model.queue_id, season_id, [one.player_id for one in missing])
        known = what_is_known(
            model.queue_id, {one.player_id: (one, now) for one in missing if one.player_id not in earlier}
        )
        told = belief_model(model)
        tables = rank_rules_of_seasons(queue_id=model.queue_id, season_ids={row.season_id for row in earlier.values()})
        openings = {
            one.player_id: _opening(known.get(one.player_id, ()), earlier.get(one.player_id), tables) for one in missing
        }
        books = [
            open_book(told, model.queue_id, season_id, player, opening, rules, now, now)
            for player, opening in openings.items()
        ]
        _insert(books)
    return _stored(model.queue_id, season_id, wanted)


def _insert(books: Sequence[tuple[Book, dict[str, Any]]]) -> None:
    """Write new ratings with their first events; a rating that somebody else made meanwhile is left alone."""
    rows = [PlayerRating(**book.all_values()) for book, _event in books]
    PlayerRating.objects.bulk_create(rows, ignore_conflicts=True)
    ours = set(PlayerRating.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    copy_rows(RatingEvent, [event for book, event in books if book.id in ours])


def _stored(queue_id: UUID, season_id: UUID, player_ids: Iterable[UUID]) -> dict[UUID, PlayerRating]:
    rows = PlayerRating.objects.filter(queue_id=queue_id, season_id=season_id, role="", player_id__in=list(player_ids))
    return {row.player_id: row for row in rows.select_related("rating_model")}


def latest_of_other_seasons(queue_id: UUID, season_id: UUID, player_ids: Iterable[UUID]) -> dict[UUID, PlayerRating]:
    """For each player the rating last played on in another season of the queue."""
    rows = (
        PlayerRating.objects.filter(queue_id=queue_id, role="", games__gt=0, player_id__in=list(player_ids))
        .exclude(season_id=season_id)
        .order_by("player_id", "-last_match_at", "-id")
        .distinct("player_id")
        .select_related("rating_model")
    )
    return {row.player_id: row for row in rows}


def what_is_known(queue_id: UUID, wanted: Mapping[UUID, tuple[Newcomer, datetime]]) -> dict[UUID, tuple[Signal, ...]]:
    """By player the signals of each newcomer at the moment given; two queries, none where nobody is wanted.

    Raises RatingInputError for an unknown self-assessment.
    """
    if not wanted:
        return {}
    basis = prior_basis(queue_id)
    others = other_ratings(basis, {player: at for player, (_newcomer, at) in wanted.items()})
    return {
        player: signals_of(newcomer, others.get(player, ()), basis.rules, basis.assessments)
        for player, (newcomer, _at) in wanted.items()
    }


@dataclass(frozen=True, slots=True)
class Opening:
    """What a new rating starts from: the earlier season alone where there is one, else the signals.

    earlier_rules: those of the earlier season, None where it had none of its own.
    """

    signals: Sequence[Signal] = ()
    earlier: PlayerRating | Book | None = None
    earlier_rules: RankRules | None = None


def _opening(signals: Sequence[Signal], earlier: PlayerRating | None, tables: Mapping[UUID, RankRules]) -> Opening:
    return Opening(signals, earlier, None if earlier is None else tables.get(earlier.season_id))


def open_book(
    model: BeliefModel,
    queue_id: UUID,
    season_id: UUID,
    player_id: UUID,
    opening: Opening,
    rules: RankRules,
    at: datetime,
    now: datetime,
) -> tuple[Book, dict[str, Any]]:
    """A new rating and the row of its placement event. It stands and ages from `at` on, and is written at `now`.

    The rank of an earlier season is reset: where that leaves it, placement starts.
    """
    engine, earlier = model.engine, opening.earlier
    previous = Book.of(earlier) if isinstance(earlier, PlayerRating) else earlier
    if previous is not None:
        belief, facts = _from_book(model, previous, rules, at)
    else:
        belief, facts = start_of(engine, opening.signals), _told(opening.signals)
    club = engine.to_club(belief)
    old_rules = opening.earlier_rules or DEFAULT_RULES
    reset = None if previous is None else after_reset(old_rules, rules, previous.account.rank.last_known)
    rank = new_state(rules, returning=previous is not None, start=reset)
    played = 0 if previous is None else previous.account.experience
    start = Account(model, engine.initial(), rank, created_at=at, earlier_games=played)
    book = Book(new_id(), player_id, queue_id, season_id, start)
    facts |= {"kind": "placement", "club_rating": club.rating, "club_deviation": club.deviation}
    facts["matches"] = start.rank.placement_left
    if previous is not None and reset is not None:
        facts["reset"] = reset_facts(old_rules, rules, previous.account.rank.last_known or 0, reset)
    after = replace(start, belief=belief, top=_top(model, belief, previous))
    event = book.append(RatingEvent.Kind.PLACEMENT.value, after, facts, now=now)
    return book, event


def _told(signals: Sequence[Signal]) -> dict[str, Any]:
    """The explanation of a first rating that no earlier season gave: each signal with its numbers."""
    answers = [one.facts["answer"] for one in signals if one.source is Source.SELF_ASSESSMENT]
    source = "newcomer" if not signals else "self_assessment" if len(answers) == len(signals) else "other_queues"
    return {
        "source": source,
        "answer": answers[0] if answers else "",
        "signals": [one.to_json() for one in signals],
    }


def _top(model: BeliefModel, belief: Belief, previous: Book | None) -> float:
    """The highest rating so far: what was reached in the earlier season counts where the scale is the same."""
    if previous is None or previous.account.top is None:
        return belief.rating
    same = same_scale(previous.account.model.engine, model.engine)
    return max(belief.rating, previous.account.top) if same else belief.rating


def _from_book(model: BeliefModel, previous: Book, rules: RankRules, at: datetime) -> tuple[Belief, dict[str, Any]]:
    old = previous.account
    days = idle_days(old.active_at, at)
    belief = from_earlier_season(
        model.engine, old.model.engine, old.belief, idle_days=days, carry_deviation=rules.carry_deviation
    )
    return belief, {
        "source": "earlier_season",
        "season": str(previous.season_id),
        "rating": old.belief.rating,
        "deviation": old.belief.deviation,
        "volatility": old.belief.volatility,
        "idle_days": days,
        "widened_by": rules.carry_deviation,
    }


def as_mapping(newcomers: Iterable[Newcomer] | Mapping[UUID, Newcomer]) -> dict[UUID, Newcomer]:
    """Newcomers by player, from a list or a mapping."""
    if isinstance(newcomers, Mapping):
        return dict(newcomers)
    return {one.player_id: one for one in newcomers}
