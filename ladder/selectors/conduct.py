"""Who is kept out of a club's queues for now, and what the next offence would mean."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.core import penalties
from ladder.core.penalties import Penalty
from ladder.models import Offence


@dataclass(frozen=True, slots=True)
class Block:
    """Until when somebody cannot queue, and the sentence that says so and why."""

    until: datetime
    kind: str
    sentence: str


def block(*, player_id: UUID, club_id: UUID, now: datetime) -> Block | None:
    """What keeps the player out of the club's queues now; None when nothing does. One query."""
    offence = (
        Offence.objects.filter(player_id=player_id, club_id=club_id, blocked_until__gt=now)
        .order_by("-blocked_until")
        .first()
    )
    if offence is None or offence.blocked_until is None:
        return None
    left = in_words(offence.blocked_until - now)
    if offence.kind == Offence.Kind.DECLINED:
        sentence = _("You declined a match. You can queue again in %(time)s.") % {"time": left}
    else:
        sentence = _("You did not answer a match. You can queue again in %(time)s.") % {"time": left}
    return Block(until=offence.blocked_until, kind=offence.kind, sentence=sentence)


def next_penalty(*, player_id: UUID, club_id: UUID, now: datetime) -> Penalty:
    """What declining or missing a match would lead to now. One query."""
    since = now - penalties.DEFAULT_RULES.memory
    moments = Offence.objects.filter(player_id=player_id, club_id=club_id, created_at__gt=since)
    return penalties.next_penalty(moments.values_list("created_at", flat=True), now=now)


def warning_before(penalty: Penalty) -> str:
    """The sentence beside the button that would be an offence."""
    if penalty.is_warning:
        return _("If you decline or do not answer, you get a warning; the next time blocks you for a while.")
    return _("If you decline or do not answer, you cannot queue for %(time)s.") % {"time": in_words(penalty.block)}


def told_after(offence: Offence) -> str:
    """The sentence for the one who did it."""
    if offence.blocked_until is None:
        return _("The others were waiting for you. This is a warning; next time you cannot queue for a while.")
    length = in_words(offence.blocked_until - offence.created_at)
    return _("The others were waiting for you. You cannot queue for %(time)s.") % {"time": length}


def in_words(span: timedelta) -> str:
    """A span as people say it, rounded up: "45 seconds", "5 minutes", "2 hours"."""
    seconds = max(1, -int(-span.total_seconds() // 1))
    if seconds < 60:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = -(-seconds // 60)
    if minutes < 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = -(-minutes // 60)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
