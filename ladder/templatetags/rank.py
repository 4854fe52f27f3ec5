"""Template tags of the visible rank: emblems, results in letters, signed points, times in the club's zone."""

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from django import template
from django.contrib.humanize.templatetags.humanize import apnumber
from django.template.loader import render_to_string
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from ladder.core.emblems import emblem as draw
from ladder.core.plots import Finding
from ladder.core.rivalry import Run

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=512)  # a long list shows few different ones
def emblem(tier: int | None, division: int | None = None, size: int = 32, label: str = "") -> SafeString:
    """`{% emblem tier division size label %}`: the emblem as SVG, `size` in pixels.

    With a label it is an image of that name for screen readers; without one it is decoration beside the words.
    """
    context = {"emblem": draw(tier, division), "tier": tier, "size": size, "label": label}
    return render_to_string("rank/_emblem.html", context)


@register.filter
def signed(value: int | None) -> str:
    """Points with their sign and a true minus: +38, −12, ±0; nothing for None."""
    if value is None:
        return ""
    if value == 0:
        return "±0"
    return f"+{value}" if value > 0 else f"−{-value}"


@register.simple_tag
def club_time(moment: datetime | None, zone: str = "UTC", style: str = "DATETIME") -> SafeString | str:
    """`<time>` with the moment in the club's zone; style DATE, DATETIME or SHORT (day and month)."""
    if moment is None:
        return ""
    local = timezone.localtime(moment, ZoneInfo(zone))
    formatted = {"DATE": "j M Y", "SHORT": "j M", "DATETIME": "j M Y, H:i"}[style]
    full = _("%(when)s in the club's time zone, %(zone)s")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        full % {"when": formats.date_format(local, "j F Y, H:i"), "zone": zone},
        formats.date_format(local, formatted),
    )


_CLASSES = {"W": "win", "D": "draw", "L": "loss"}


@register.filter
def result_class(letter: str) -> str:
    """The class of a result: win, draw or loss."""
    return _CLASSES.get(letter, "")


@register.filter
def result_letter(letter: str) -> str:
    """The letter of a result in the reader's language."""
    return {
        "W": pgettext("letter for a won match", "W"),
        "D": pgettext("letter for a drawn match", "D"),
        "L": pgettext("letter for a lost match", "L"),
    }.get(letter, "")


@register.filter
def result_word(letter: str) -> str:
    """A result as a word: won, drawn, lost."""
    return {"W": _("won"), "D": _("drawn"), "L": _("lost")}.get(letter, "")


@register.filter
def spelled(letters: str) -> str:
    """A row of results for a screen reader: "won, won, lost"."""
    return ", ".join(result_word(letter) for letter in letters)


@register.simple_tag
def finding_title(found: Finding, zone: str = "UTC") -> str:
    """What a rank history shows, in one line: "Climbed two divisions since April"."""
    if found.since is None or found.kind == "new":
        return _("The first rank of the season")
    since = timezone.localtime(found.since, ZoneInfo(zone))
    year, month = _this_month(zone)
    style = "F Y" if since.year != year else "j F" if since.month == month else "F"
    when = formats.date_format(since, style)
    if found.kind == "held":
        return _("In the same division since %(when)s") % {"when": when}
    count = {"count": apnumber(found.divisions), "when": when}
    if found.kind == "climbed":
        return (
            ngettext(
                "Climbed %(count)s division since %(when)s",
                "Climbed %(count)s divisions since %(when)s",
                found.divisions,
            )
            % count
        )
    return (
        ngettext("Down %(count)s division since %(when)s", "Down %(count)s divisions since %(when)s", found.divisions)
        % count
    )


@register.simple_tag
def run_words(run: Run) -> str:
    """The present run in words: "Now 3 wins in a row"."""
    words = {
        "W": ngettext("Now %(count)d win in a row", "Now %(count)d wins in a row", run.length),
        "D": ngettext("Now %(count)d draw in a row", "Now %(count)d draws in a row", run.length),
        "L": ngettext("Now %(count)d loss in a row", "Now %(count)d losses in a row", run.length),
    }
    return words[run.letter] % {"count": run.length} if run.letter else ""


def _this_month(zone: str) -> tuple[int, int]:
    today = timezone.localtime(timezone.now(), ZoneInfo(zone))
    return today.year, today.month
