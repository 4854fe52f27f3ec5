"""The outbox: facts written with their cause, delivered at least once."""

from django.db import models


class OutboxEvent(models.Model):
    """A fact to hand on. The sweeper re-sends what is not delivered; consumers are idempotent."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120, help_text="Unique per kind: the same fact is written once.")
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_outbox_event_per_key")]
        indexes = [
            models.Index(
                fields=["next_attempt_at"], condition=models.Q(delivered_at__isnull=True), name="outbox_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
