"""Days on which idle ranks do not fade, and who was told that theirs is about to."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.clubs import Club
from ladder.models.queues import Queue
from ladder.models.seasons import Season
from ratings.ids import new_id


class Pause(models.Model):
    """Days of the club's calendar, the first and the last included, on which being idle costs nothing.

    queue: empty for all of them. last_day: empty while the end is open. is_closure: made by closing the queue, ended
    by opening it. Days that are over stay as they were announced.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="pauses")
    queue = models.ForeignKey(Queue, null=True, blank=True, on_delete=models.PROTECT, related_name="pauses")
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=80)
    is_closure = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day__isnull=True) | models.Q(last_day__gte=models.F("first_day")),
                name="pause_ends_after_it_begins",
            ),
            models.UniqueConstraint(
                fields=["queue"],
                condition=models.Q(is_closure=True, last_day__isnull=True),
                name="one_open_closure_per_queue",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.first_day} to {self.last_day}"


class DecayWarning(models.Model):
    """A player was told that their rank fades; once for each idle spell.

    idle_since: the day of the last match. begins_on: the first day whose idleness costs points, as it was foreseen.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decay_warnings")
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="+")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="+")
    idle_since = models.DateField()
    begins_on = models.DateField()
    created_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "queue", "season", "idle_since"], name="one_warning_per_idle_spell"
            ),
        ]

    def __str__(self) -> str:
        return f"warning to {self.player_id} about {self.begins_on}"
