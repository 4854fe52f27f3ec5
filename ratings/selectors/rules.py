"""The rank rules of a queue in its seasons."""

from collections.abc import Iterable
from uuid import UUID

from django.apps import apps

from ratings.core.rank_rules import DEFAULT_RULES, RankRules


def rank_rules(*, queue_id: UUID, season_id: UUID) -> RankRules:
    """The rules a season plays the queue by; one query. The table is of a higher package: named, never imported."""
    rules = apps.get_model("ladder", "SeasonRules")
    stored = rules._default_manager.filter(queue_id=queue_id, season_id=season_id)
    data = stored.values_list("rank_rules", flat=True).first()
    return RankRules.from_json(data) if data else DEFAULT_RULES


def rank_rules_of_seasons(*, queue_id: UUID, season_ids: Iterable[UUID]) -> dict[UUID, RankRules]:
    """The same for several seasons, by season; one query, none for no season."""
    wanted = set(season_ids)
    if not wanted:
        return {}
    rules = apps.get_model("ladder", "SeasonRules")
    stored = rules._default_manager.filter(queue_id=queue_id, season_id__in=wanted)
    return {season: RankRules.from_json(data) for season, data in stored.values_list("season_id", "rank_rules")}
