"""Addresses of people and play; those of the record are in urls_record.py."""

from django.urls import URLPattern, URLResolver, path

from ladder import urls_models, urls_record
from ladder.views import cases, clubs, health, home, matches, me, reversals

_match = "c/<slug:club_slug>/matches/<uuid:match_id>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("me/", me.me, name="me"),
    path("me/data.json", me.export, name="my_data"),
    path("c/<slug:club_slug>/join/", clubs.join, name="club_join"),
    path("c/<slug:club_slug>/join/<str:token>/", clubs.join, name="club_invited"),
    path("c/<slug:club_slug>/leave/", clubs.leave, name="club_leave"),
    path("c/<slug:club_slug>/matches/", matches.match_list, name="matches"),
    path(_match, matches.match, name="match"),
    path(f"{_match}card/", matches.card, name="match_card"),
    path(f"{_match}report/", matches.report, name="match_report"),
    path(f"{_match}confirm/", matches.confirm, name="match_confirm"),
    path(f"{_match}dispute/", matches.dispute, name="match_dispute"),
    path(f"{_match}withdraw/", matches.withdraw, name="match_withdraw"),
    path(f"{_match}cancel/", matches.cancel, name="match_cancel"),
    path(f"{_match}decide/", matches.decide, name="match_decide"),
    path(f"{_match}reversal/", reversals.reversal, name="match_reversal"),
    path("c/<slug:club_slug>/cases/", cases.cases, name="cases"),
    *urls_models.urlpatterns,
    *urls_record.urlpatterns,
]
