"""Offences, acts and the outbox in the admin site: a record, never edited."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ladder.admin.actions import carry_out
from ladder.models import AuditEntry, Offence, OutboxEvent
from ladder.services import outbox
from ratings.admin_base import RecordAdmin


@admin.register(Offence)
class OffenceAdmin(RecordAdmin[Offence]):
    list_display = ["created_at", "player", "club", "queue", "kind", "level", "blocked_until"]
    list_filter = ["kind", ("club", admin.RelatedOnlyFieldListFilter), "created_at"]
    list_select_related = ["player", "club", "queue"]
    search_fields = ["=match__id", "player__handle"]
    ordering = ["-id"]


@admin.register(AuditEntry)
class AuditEntryAdmin(RecordAdmin[AuditEntry]):
    list_display = ["created_at", "club", "actor", "action", "subject_type", "subject_id"]
    list_filter = ["action", ("club", admin.RelatedOnlyFieldListFilter), "created_at"]
    list_select_related = ["club", "actor"]
    search_fields = ["=subject_id", "action", "actor__handle"]
    search_help_text = _("Handle of the actor, an action, or the id of what it was done to.")
    ordering = ["-id"]


@admin.register(OutboxEvent)
class OutboxEventAdmin(RecordAdmin[OutboxEvent]):
    list_display = ["created_at", "kind", "key", "attempts", "next_attempt_at", "delivered_at", "last_error"]
    list_filter = ["kind", ("delivered_at", admin.EmptyFieldListFilter), "created_at"]
    search_fields = ["key", "kind"]
    ordering = ["-id"]
    actions = ["deliver_now"]

    @admin.action(description=_("Deliver the chosen events now"), permissions=["act"])
    def deliver_now(self, request: HttpRequest, rows: QuerySet[OutboxEvent]) -> None:
        now = timezone.now()
        carry_out(self, request, rows, lambda row: outbox.consume(event_id=row.pk, now=now))
