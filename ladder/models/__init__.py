"""Tables of people and play."""

from ladder.models.audit import AuditEntry
from ladder.models.clubs import Club, Invitation, Membership
from ladder.models.conduct import Offence
from ladder.models.idleness import DecayWarning, Pause
from ladder.models.matches import Match, MatchParticipant, MatchTeam, ResultReport
from ladder.models.outbox import OutboxEvent
from ladder.models.players import Player
from ladder.models.queues import Game, Queue
from ladder.models.seasons import Season, SeasonRules

__all__ = [
    "AuditEntry",
    "Club",
    "DecayWarning",
    "Game",
    "Invitation",
    "Match",
    "MatchParticipant",
    "MatchTeam",
    "Membership",
    "Offence",
    "OutboxEvent",
    "Pause",
    "Player",
    "Queue",
    "ResultReport",
    "Season",
    "SeasonRules",
]
