"""Reads of the ratings package, ready to show."""

from ratings.selectors.audit import AuditFilters, AuditPage, AuditRow, events_for_audit
from ratings.selectors.beliefs import ClubBelief, chance_band, club_belief, club_beliefs
from ratings.selectors.explanations import Explanation, explanation
from ratings.selectors.models import engine_of, model_in_force
from ratings.selectors.ranks import (
    HistoryPoint,
    MatchEffect,
    Place,
    Standing,
    match_effects,
    place_of,
    rank_history,
    standing,
)
from ratings.selectors.rules import rank_rules

__all__ = [
    "AuditFilters",
    "AuditPage",
    "AuditRow",
    "ClubBelief",
    "Explanation",
    "HistoryPoint",
    "MatchEffect",
    "Place",
    "Standing",
    "chance_band",
    "club_belief",
    "club_beliefs",
    "engine_of",
    "events_for_audit",
    "explanation",
    "match_effects",
    "model_in_force",
    "place_of",
    "rank_history",
    "rank_rules",
    "standing",
]
