"""The sentences about searches and ready checks, one place for pages, answers and the API to come."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matchmaking.models import Ticket
from matchmaking.selectors.rows import Notice


def clock_text(seconds: float) -> str:
    """A span as on a clock: 0:07, 1:52, 1:04:10."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def sent_back_text(reason: str, waited: timedelta) -> str:
    """Why somebody who was about to play searches again."""
    time = clock_text(waited.total_seconds())
    if reason == "unstartable":
        return _(
            "The match could not be started; nobody is to blame. You are first in line again (waited %(time)s)."
        ) % {"time": time}
    return _("A player did not accept. You are first in line again (waited %(time)s).") % {"time": time}


def end_notice(ticket: Ticket) -> Notice | None:
    """How a search ended, for its player; None where the player ended it or plays."""
    if ticket.ended_at is None or ticket.state in {Ticket.State.ASSIGNED, Ticket.State.CANCELLED}:
        return None
    waited = clock_text((ticket.ended_at - ticket.joined_at).total_seconds())
    sentences = {
        "nobody_fitted": _("Nobody close enough came in %(time)s. You can join again, or try another queue."),
        "queue_closed": _("The queue was closed while you waited. You can join another one."),
        "no_season": _("The season ended while you waited. You can join again when the next one opens."),
        "started_elsewhere": _("Your search ended because another match of yours began."),
        "not_a_member": _("Your search ended because you are not a member of the club any more."),
        "account_closed": _("Your search ended because the account was closed."),
        "declined": _("You declined the match. The others are searching again."),
        "missed": _("You did not answer in time. The others are searching again."),
        "missed_unseen": _("A match was found, but it may never have reached your screen. No harm done; join again."),
        "party": _("Somebody in your party did not accept. No harm done for you; join again."),
        "broken": _(
            "Something is wrong with your entry in this queue, so nobody could be found. The organizers see why."
        ),
    }
    sentence = sentences.get(ticket.end_reason, _("Your search ended."))
    return Notice(ticket.end_reason, sentence % {"time": waited} if "%(time)s" in sentence else sentence)


def acceptable_text(divisions: float) -> str:
    """Whom a ticket would accept now, in divisions rounded to half a one."""
    if divisions <= 0.5:
        return _("players within about half a division")
    whole = int(divisions)
    if divisions == whole:
        return ngettext("players within about one division", "players within about %(n)d divisions", whole) % {
            "n": whole
        }
    return ngettext(
        "players within about one and a half divisions", "players within about %(n)d and a half divisions", whole
    ) % {"n": whole}


def ending_text(seconds_left: int | None) -> str:
    """What happens if nobody fits, and when."""
    if seconds_left is None:
        return _("The search goes on until somebody fits or you cancel.")
    return _("If nobody fits within %(time)s, the search ends and you can join again.") % {
        "time": clock_text(seconds_left)
    }


def usual_wait_text(low: int, high: int | None) -> str:
    """The usual wait as an honest range."""
    if high is None:
        return _("usually %(low)s or longer; more than a quarter found nobody") % {"low": _about(low)}
    if _about(low) == _about(high):
        return _("usually about %(time)s") % {"time": _about(high)}
    return _("usually %(low)s to %(high)s") % {"low": _about(low), "high": _about(high)}


def _about(seconds: int) -> str:
    if seconds < 60:
        rounded = max(5, 5 * round(seconds / 5))
        if rounded < 60:
            return _("%(n)d s") % {"n": rounded}
    return _("%(n)d min") % {"n": max(1, round(seconds / 60))}
