"""Addresses of the record: leaderboards, profiles, seasons, audit, desk."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
