"""What a queue is, for services of this package: its table is of a higher one, so it is named and never imported."""

from uuid import UUID
from zoneinfo import ZoneInfo

from django.apps import apps
from django.utils.translation import gettext as _

from ratings.errors import NotFound


def queue_at(address: str) -> UUID:
    """The queue at "CLUB/QUEUE", as it stands in addresses. Raises NotFound."""
    club, _slash, queue = address.partition("/")
    queues = apps.get_model("ladder", "Queue")._default_manager
    found: UUID | None = queues.filter(club__slug=club, slug=queue).values_list("pk", flat=True).first()
    if found is None:
        raise NotFound("no_such_queue", _("There is no queue “%(address)s”.") % {"address": address})
    return found


def plays_duels(queue_id: UUID) -> bool:
    """Whether the queue plays one against one."""
    queues = apps.get_model("ladder", "Queue")._default_manager
    return bool(queues.filter(pk=queue_id, teams=2, team_size=1).exists())


def club_zone(queue_id: UUID) -> ZoneInfo:
    """The time zone by whose clocks the queue's club counts its days."""
    queues = apps.get_model("ladder", "Queue")._default_manager
    return ZoneInfo(queues.values_list("club__time_zone", flat=True).get(pk=queue_id))
