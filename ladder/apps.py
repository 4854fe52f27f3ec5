"""App configuration."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """The ladder package as a Django app."""

    name = "ladder"
    default_auto_field = "django.db.models.BigAutoField"
