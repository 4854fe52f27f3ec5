"""Template tags of the visible rank: emblems, results in letters, signed points, times in the club's zone."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ladder.core.emblems import emblem as draw

register = template.Library()


@register.inclusion_tag("rank/_emblem.html")
def emblem(tier: int | None, division: int | None = None, size: int = 32, label: str = "") -> dict[str, Any]:
    """`{% emblem tier division size label %}`: the emblem as SVG, `size` in pixels.

    With a label it is an image of that name for screen readers; without one it is decoration beside the words.
    """
    return {"emblem": draw(tier, division), "tier": tier, "size": size, "label": label}


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
