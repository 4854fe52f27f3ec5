"""Policies: versioned, never overlapping; a new version holds from the next tick, for those who wait too."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Player, Queue
from ladder.selectors.access import require
from ladder.services import audit
from matchmaking.core.policy import DEFAULT_PRESET, PRESETS
from matchmaking.models import MatchmakingPolicy
from matchmaking.selectors.policies import policy_at
from ratings.errors import DomainError


def ensure_policy(*, queue_id: UUID, now: datetime) -> MatchmakingPolicy:
    """The policy in force; a queue without any gets the default preset, in force since ever."""
    policy = policy_at(queue_id, now)
    if policy is not None:
        return policy
    with transaction.atomic():
        Queue.objects.select_for_update(no_key=True).get(pk=queue_id)
        policy = policy_at(queue_id, now)
        return policy or _write(queue_id, DEFAULT_PRESET, author=None, since=None, now=now)


def set_preset(*, queue: Queue, actor: Player, preset: str, now: datetime) -> MatchmakingPolicy:
    """Match by a shipped preset from now on; those who wait keep their age. The same preset again changes nothing."""
    if preset not in PRESETS:
        raise DomainError("unknown_preset", _("There is no such waiting policy."))
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_QUEUES)
        Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        present = MatchmakingPolicy.objects.filter(queue=queue).order_by("-version").first()
        if present is not None and present.preset == preset:
            return present
        since = None if present is None else _end(present, now)
        policy = _write(queue.pk, preset, author=actor, since=since, now=now)
        detail = {"preset": preset, "before": present.preset if present else "", "version": policy.version}
        audit.record(club=queue.club_id, actor=actor, action="policy.set", subject=policy, detail=detail, now=now)
    return policy


def _end(policy: MatchmakingPolicy, now: datetime) -> datetime:
    """The version ends now, or a moment after it began; returns when."""
    begun = policy.during.lower
    end = now if begun is None or begun < now else begun + timedelta(microseconds=1)
    policy.during = DateTimeTZRange(begun, end)
    policy.save(update_fields=["during"])
    return end


def _write(
    queue_id: UUID, preset: str, *, author: Player | None, since: datetime | None, now: datetime
) -> MatchmakingPolicy:
    """Call with the queue locked."""
    newest = MatchmakingPolicy.objects.filter(queue_id=queue_id).order_by("-version").first()
    return MatchmakingPolicy.objects.create(
        queue_id=queue_id,
        version=newest.version + 1 if newest else 1,
        preset=preset,
        settings=PRESETS[preset].to_json(),
        during=DateTimeTZRange(since, None),
        author=author,
        created_at=now,
    )
