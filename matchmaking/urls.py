"""Addresses of queues, ready checks and what is on in a club now."""

from django.urls import URLPattern, URLResolver, path

from matchmaking.views import clubs, fairness, health, now, play

_queue = "c/<slug:club_slug>/play/<slug:queue_slug>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:club_slug>/", clubs.front, name="club"),
    path("c/<slug:club_slug>/health/fairness/", fairness.fairness, name="fairness"),
    path("c/<slug:club_slug>/health/fairness.csv", fairness.figures, name="fairness_csv"),
    path("c/<slug:club_slug>/play/", play.play, name="play"),
    path(_queue, play.play_queue, name="play_queue"),
    path(f"{_queue}card/", play.card, name="play_card"),
    path(f"{_queue}join/", play.join, name="play_join"),
    path(f"{_queue}cancel/", play.cancel, name="play_cancel"),
    path(f"{_queue}check/<uuid:check_id>/accept/", play.accept, name="check_accept"),
    path(f"{_queue}check/<uuid:check_id>/decline/", play.decline, name="check_decline"),
    path(f"{_queue}check/<uuid:check_id>/seen/", play.seen, name="check_seen"),
    path("me/now/", now.now, name="now"),
    path("readyz", health.readyz, name="readyz"),
]
