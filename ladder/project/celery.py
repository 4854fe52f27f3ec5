"""The Celery app and the whole beat schedule."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.project.settings")
os.environ.setdefault("LADDER_PROCESS", "worker")

from typing import Any

from celery import Celery
from celery.signals import task_prerun
from django.db import close_old_connections

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ratings", "ladder", "matchmaking"])

# `expires` keeps a backlog from forming: a tick that could not start in time is worth nothing.
app.conf.beat_schedule = {
    "tick": {"task": "matchmaking.tasks.tick", "schedule": 1.0, "options": {"expires": 1.0}},
    "ready-checks": {"task": "matchmaking.tasks.expire_ready_checks", "schedule": 1.0, "options": {"expires": 1.0}},
    "reconcile-pools": {"task": "matchmaking.tasks.reconcile_pools", "schedule": 5.0, "options": {"expires": 5.0}},
    "sweep-outbox": {"task": "ladder.tasks.sweep_outbox", "schedule": 2.0, "options": {"expires": 2.0}},
    "settle-silence": {"task": "ladder.tasks.settle_silent_reports", "schedule": 10.0, "options": {"expires": 10.0}},
    "close-periods": {"task": "ladder.tasks.close_rating_periods", "schedule": 60.0, "options": {"expires": 60.0}},
    "watch-unrated": {"task": "ladder.tasks.requeue_unrated_matches", "schedule": 30.0, "options": {"expires": 30.0}},
    "resend-reports": {"task": "ratings.tasks.resend_parts", "schedule": 10.0, "options": {"expires": 10.0}},
}


@task_prerun.connect
def _drop_dead_connections(**_: Any) -> None:
    """A kept connection may have died with its server; Celery itself closes none while it is reused."""
    close_old_connections()
