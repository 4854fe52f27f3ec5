"""What people change about themselves."""

from django.db import transaction

from ladder.models import Player
from ladder.names import clean_display_name


def save_settings(*, player: Player, display_name: str, theme: str, alerts: bool) -> Player:
    """Keep how the app looks and calls for this person. Raises DomainError for a name that cannot be."""
    name = clean_display_name(display_name) if display_name.strip() else ""
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        row.display_name, row.theme, row.alerts = name, theme, alerts
        row.save(update_fields=["display_name", "theme", "alerts"])
    return row
