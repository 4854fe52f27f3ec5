"""App configuration."""

from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    """The matchmaking package as a Django app."""

    name = "matchmaking"
    default_auto_field = "django.db.models.BigAutoField"
