"""The audit trail of what people did in a club."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from ladder.models import AuditEntry, Club, Player


def record(
    *,
    club: Club | UUID,
    actor: Player | None,
    action: str,
    subject: models.Model,
    now: datetime,
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Write one act into the trail, inside the transaction of the change that it tells of.

    action: a stable code such as "role.set". detail: what a reader needs to understand it later, ready for JSON.
    """
    return AuditEntry.objects.create(
        club_id=club.pk if isinstance(club, Club) else club,
        actor=actor,
        action=action,
        subject_type=subject._meta.model_name or "",
        subject_id=str(subject.pk),
        detail=dict(detail or {}),
        created_at=now,
    )
