"""Reads of the ratings package, ready to show."""

from ratings.selectors.audit import AuditFilters, AuditPage, AuditRow, events_for_audit
from ratings.selectors.beliefs import ClubBelief, club_belief, club_beliefs
from ratings.selectors.effects import MatchEffect, match_effects, undoing_sentences
from ratings.selectors.explanations import Explanation, explanation, start_words
from ratings.selectors.models import engine_of, model_in_force
from ratings.selectors.rules import rank_rules

__all__ = [
    "AuditFilters",
    "AuditPage",
    "AuditRow",
    "ClubBelief",
    "Explanation",
    "MatchEffect",
    "club_belief",
    "club_beliefs",
    "engine_of",
    "events_for_audit",
    "explanation",
    "match_effects",
    "model_in_force",
    "rank_rules",
    "start_words",
    "undoing_sentences",
]
