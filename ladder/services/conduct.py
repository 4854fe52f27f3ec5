"""Conduct: what somebody did to the others, and what follows from it."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from ladder.models import Offence, Queue
from ladder.selectors.conduct import next_penalty
from ladder.services.matches import lock_players


def record_offence(
    *, player_id: UUID, queue: Queue, match_id: UUID, kind: Offence.Kind | str, now: datetime
) -> Offence:
    """Write down that somebody declined or missed a match, with the penalty that follows; once per match.

    A warning first, then blocks that grow with every offence in the club and are forgotten with time.
    """
    with transaction.atomic():
        lock_players([player_id])
        known = Offence.objects.filter(match_id=match_id, player_id=player_id).first()
        if known is not None:
            return known
        penalty = next_penalty(player_id=player_id, club_id=queue.club_id, now=now)
        return Offence.objects.create(
            club_id=queue.club_id,
            player_id=player_id,
            queue=queue,
            match_id=match_id,
            kind=kind,
            level=penalty.level,
            blocked_until=None if penalty.is_warning else now + penalty.block,
            created_at=now,
        )
