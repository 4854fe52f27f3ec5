"""What people of a club did that is not a rating event: roles, decisions, imports, invitations."""

from django.conf import settings
from django.db import models

from ladder.models.clubs import Club
from ratings.ids import new_id


class AuditEntry(models.Model):
    """One act, written in the transaction of the change itself. Append-only by convention of the services."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="audit_entries")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    action = models.CharField(max_length=40)
    subject_type = models.CharField(max_length=30)
    subject_id = models.CharField(max_length=64)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["club", "-created_at", "-id"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_type} {self.subject_id}"
