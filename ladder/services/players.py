"""What people change about themselves."""

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.models import Player
from ladder.names import clean_display_name, comparison_key
from ratings.errors import DomainError


def save_settings(*, player: Player, display_name: str, theme: str, alerts: bool) -> Player:
    """Keep how the app looks and calls for this person.

    Raises DomainError for a name that cannot be, or that is somebody else's handle or looks like it.
    """
    name = clean_display_name(display_name) if display_name.strip() else ""
    if name and Player.objects.filter(handle_key=comparison_key(name)).exclude(pk=player.pk).exists():
        raise DomainError("name_taken", _("This is somebody else's handle, or looks just like it."))
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        row.display_name, row.theme, row.alerts = name, theme, alerts
        row.save(update_fields=["display_name", "theme", "alerts"])
    return row
