"""Offences: what somebody did to the others, and until when it keeps them out of a queue."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.clubs import Club
from ladder.models.matches import Match
from ladder.models.queues import Queue
from ratings.ids import new_id


class Offence(models.Model):
    """One incident. Levels are counted from these rows, never from a counter."""

    class Kind(models.TextChoices):
        DECLINED = "declined", _("declined a match")
        MISSED = "missed", _("did not answer a match")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="offences")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="offences")
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="offences")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="offences")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    level = models.PositiveSmallIntegerField()
    blocked_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="one_offence_per_match_and_player")]
        indexes = [models.Index(fields=["player", "-created_at"], name="offences_newest_first")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.player_id}"
