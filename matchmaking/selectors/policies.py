"""The policy that a queue matches by."""

from datetime import datetime
from uuid import UUID

from matchmaking.core.policy import Policy
from matchmaking.models import MatchmakingPolicy


def policy_at(queue_id: UUID, moment: datetime) -> MatchmakingPolicy | None:
    """The version in force at the moment; one query."""
    return MatchmakingPolicy.objects.filter(queue_id=queue_id, during__contains=moment).first()


def settings_of(row: MatchmakingPolicy) -> Policy:
    """The stored settings as the value that the core takes."""
    return Policy.from_json(row.settings)
