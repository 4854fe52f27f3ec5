"""Versioned rules and widening schedules of a queue."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models

from ratings.ids import new_id


class MatchmakingPolicy(models.Model):
    """`settings` holds the fields of matchmaking.core.types.Policy; `during` is when it is in force."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    queue = models.ForeignKey("ladder.Queue", on_delete=models.PROTECT, related_name="policies")
    version = models.PositiveIntegerField()
    preset = models.CharField(max_length=20, blank=True)
    settings = models.JSONField(default=dict)
    during = DateTimeRangeField()
    author = models.ForeignKey("ladder.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "matchmaking policies"
        constraints = [
            models.UniqueConstraint(fields=["queue", "version"], name="one_policy_per_version"),
            ExclusionConstraint(
                name="policies_never_overlap",
                expressions=[("queue", RangeOperators.EQUAL), ("during", RangeOperators.OVERLAPS)],
            ),
        ]

    def __str__(self) -> str:
        return f"policy v{self.version} of {self.queue_id}"
