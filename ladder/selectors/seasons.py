"""Seasons: which one a queue plays now, which one a day belongs to."""

import json
from datetime import datetime
from functools import lru_cache

from django.utils.translation import gettext as _

from ladder.models import Queue, Season, SeasonRules
from ratings.core.visible_rank import RankRules
from ratings.errors import DomainError


def current(queue: Queue) -> SeasonRules | None:
    """The rules by which the queue plays now, with their season; None while no season is open. One query."""
    return SeasonRules.objects.filter(queue=queue, season__state=Season.State.OPEN).select_related("season").first()


def require_current(queue: Queue) -> SeasonRules:
    """The same; raises DomainError while no season is open."""
    rules = current(queue)
    if rules is None:
        raise DomainError("no_season", _("No season is open for %(queue)s.") % {"queue": queue.name})
    return rules


def rules_at(queue: Queue, moment: datetime) -> SeasonRules | None:
    """The rules of the season whose time includes the moment, whatever its state."""
    return SeasonRules.objects.filter(queue=queue, during__contains=moment).select_related("season").first()


def rank_rules(rules: SeasonRules) -> RankRules:
    """The stored rank rules as the value that the arithmetic takes."""
    return parsed_rules(json.dumps(rules.rank_rules))


@lru_cache(maxsize=256)
def parsed_rules(text: str) -> RankRules:
    """Rank rules from their JSON text, kept: checking a tier table costs more than rating a match by it."""
    return RankRules.from_json(json.loads(text))
