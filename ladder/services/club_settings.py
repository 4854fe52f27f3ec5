"""A club's own settings: what it is called, who sees it, who may join, its clocks, four eyes."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Club, Player
from ladder.names import clean_title
from ladder.selectors.access import require
from ladder.selectors.club_settings import SETTINGS, settings_version
from ladder.services import audit
from ladder.services.clubs import LONGEST_CLUB_NAME, clean_time_zone
from ratings.errors import DomainError, NotAllowed


def change_settings(
    *,
    club: Club,
    actor: Player,
    name: str,
    time_zone: str,
    is_public: bool,
    is_listed: bool,
    is_open_to_join: bool,
    four_eyes: bool,
    now: datetime,
    seen: str | None = None,
) -> Club:
    """Change what is different from now on; the trail says which settings and from what to what.

    Only an owner switches four eyes off. seen: the version that the actor saw, where that matters.
    Raises DomainError ("name_empty", "name_length", "unknown_time_zone", "changed_meanwhile"), NotAllowed.
    """
    wanted: dict[str, Any] = {
        "name": clean_title(name, LONGEST_CLUB_NAME),
        "time_zone": clean_time_zone(time_zone),
        "is_public": is_public,
        "is_listed": is_listed,
        "is_open_to_join": is_open_to_join,
        "four_eyes": four_eyes,
    }
    with transaction.atomic():
        locked = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        access = require(club.pk, actor, Capability.MANAGE_CLUB)
        if seen is not None and seen != settings_version(locked):
            raise DomainError("changed_meanwhile", _("This changed while you looked at it. Look again, then decide."))
        if locked.four_eyes and not four_eyes and not access.may(Capability.END_FOUR_EYES):
            raise NotAllowed("four_eyes", _("Only an owner of the club can switch four eyes off."))
        before = {field: getattr(locked, field) for field in SETTINGS}
        changed = {field: value for field, value in wanted.items() if value != before[field]}
        for field, value in changed.items():
            setattr(locked, field, value)
        if changed:
            locked.save(update_fields=list(changed))
            detail = {field: {"before": before[field], "after": value} for field, value in changed.items()}
            audit.record(club=locked, actor=actor, action="club.settings", subject=locked, detail=detail, now=now)
    return locked
