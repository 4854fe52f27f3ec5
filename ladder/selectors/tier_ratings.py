"""The ratings that a queue's tiers are drawn over: for the staff's tier table and `manage.py fit_tiers` only."""

from array import array
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.core.cache import cache
from django.db.models import F
from django.utils.translation import gettext as _

from ladder.models import Membership, Queue, SeasonRules
from ratings.core.rank_rules import DEFAULT_RULES, RankRules
from ratings.core.types import Belief
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingModel
from ratings.selectors.beliefs import on_club_scale
from ratings.selectors.models import engine_of

LEAST_GAMES = 10
KEPT_SECONDS = 120


def tier_ratings(queue: Queue, rules: RankRules, *, least_games: int = LEAST_GAMES, now: datetime) -> "array[float]":
    """Club-scale ratings, rising, of the club's members with so many rated matches in the queue, over all its seasons.

    The value that the rank follows by these rules: the rating, or the engine's cautious value. Two queries.
    """
    members = Membership.objects.filter(club=queue.club_id, state=Membership.State.ACTIVE, player__is_active=True)
    newest = (
        PlayerRating.objects.filter(queue=queue, role="", player_id__in=members.values("player_id"))
        .filter(last_match_at__isnull=False)
        .order_by("player_id", F("last_match_at").desc(), "-id")
        .distinct("player_id")
        .values_list("rating", "deviation", "volatility", "last_match_at", "games", "earlier_games", "rating_model_id")
    )
    engines = {model.pk: engine_of(model) for model in RatingModel.objects.filter(queue=queue)}
    cautious = rules.target_from == "conservative"
    found = []
    for rating, deviation, volatility, played_at, games, earlier, model in newest.iterator():
        if played_at is not None and games + earlier >= least_games:
            stored = Belief(rating, deviation, volatility)
            belief = on_club_scale(engines[model], stored, since=played_at, now=now)
            found.append(belief.conservative if cautious else belief.rating)
    return array("d", sorted(found))


def kept_tier_ratings(queue: Queue, rules: RankRules, *, now: datetime) -> "array[float]":
    """The same, read at most once in two minutes: a form that shows what it would do asks again with every change."""
    key = f"tier-ratings:{queue.pk}:{rules.target_from}"
    stored = cache.get(key)
    if stored is None:
        found = tier_ratings(queue, rules, now=now)
        cache.set(key, found.tobytes(), KEPT_SECONDS)
        return found
    kept = array("d")
    kept.frombytes(stored)
    return kept


def newest_rules(queue_id: UUID) -> RankRules:
    """The rank rules of the queue's newest season, the standard ones before its first."""
    stored = SeasonRules.objects.filter(queue=queue_id).order_by("-during").values_list("rank_rules", flat=True).first()
    return RankRules.from_json(stored) if stored else DEFAULT_RULES


def require_enough(found: Sequence[float], least: int) -> None:
    """Raise DomainError where so few players say nothing of how a club's ratings are spread."""
    if len(found) < least:
        raise DomainError(
            "too_few_ratings",
            _("Only %(found)d players have played enough here; a proposal needs %(least)d.")
            % {"found": len(found), "least": least},
        )
