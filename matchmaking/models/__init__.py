"""Tables of who should play together now."""

from matchmaking.models.policies import MatchmakingPolicy
from matchmaking.models.ready_checks import ReadyCheck, ReadyCheckAnswer
from matchmaking.models.tickets import Ticket, TicketEvent, TicketMember

__all__ = ["MatchmakingPolicy", "ReadyCheck", "ReadyCheckAnswer", "Ticket", "TicketEvent", "TicketMember"]
