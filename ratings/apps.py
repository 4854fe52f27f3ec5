"""App configuration."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """The ratings package as a Django app."""

    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
