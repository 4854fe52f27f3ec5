"""What a queue is, for services of this package: its table is of a higher one, so it is named and never imported."""

from uuid import UUID
from zoneinfo import ZoneInfo

from django.apps import apps


def plays_duels(queue_id: UUID) -> bool:
    """Whether the queue plays one against one."""
    queues = apps.get_model("ladder", "Queue")._default_manager
    return bool(queues.filter(pk=queue_id, teams=2, team_size=1).exists())


def club_zone(queue_id: UUID) -> ZoneInfo:
    """The time zone by whose clocks the queue's club counts its days."""
    queues = apps.get_model("ladder", "Queue")._default_manager
    return ZoneInfo(queues.values_list("club__time_zone", flat=True).get(pk=queue_id))
