"""Tickets: who wants to play. Written at join and at the end; what happens between lives in the store."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.ids import new_id


class Ticket(models.Model):
    """A player or party that wants to play. `joined_at` is by the store's clock and survives every requeue.

    `back_reason` says why it last came back in line; `search_until` is the least end of its search then, so that
    somebody sent back without fault just before the end is not shown the door at once.
    """

    class State(models.TextChoices):
        SEARCHING = "searching", _("searching")
        PROPOSED = "proposed", _("match found")
        ASSIGNED = "assigned", _("in a match")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", _("expired")
        REMOVED = "removed", _("removed")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    queue = models.ForeignKey("ladder.Queue", on_delete=models.PROTECT, related_name="tickets")
    leader = models.ForeignKey("ladder.Player", on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.SEARCHING)
    joined_at = models.DateTimeField()
    back_reason = models.CharField(max_length=30, blank=True)
    search_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=30, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["queue", "joined_at"], condition=models.Q(state="searching"), name="ticket_searching"),
            models.Index(fields=["queue", "-ended_at"], name="ticket_newest_ended"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["searching", "proposed"], ended_at__isnull=True)
                | models.Q(state__in=["assigned", "cancelled", "expired", "removed"], ended_at__isnull=False),
                name="ended_ticket_has_its_time",
            )
        ]

    def __str__(self) -> str:
        return f"ticket {self.id} ({self.state})"


class TicketMember(models.Model):
    """A player of a ticket. `is_live` while the ticket is searching or proposed: one live ticket a player."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    ticket = models.ForeignKey(Ticket, on_delete=models.PROTECT, related_name="members")
    player = models.ForeignKey("ladder.Player", on_delete=models.PROTECT, related_name="tickets")
    is_live = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ticket", "player"], name="player_once_in_a_ticket"),
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(is_live=True), name="one_live_ticket_per_player"
            ),
        ]
        indexes = [models.Index(fields=["player", "-id"], name="ticket_member_newest")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ticket_id}"


class TicketEvent(models.Model):
    """A fact about a ticket."""

    class Kind(models.TextChoices):
        JOINED = "joined", _("joined")
        PROPOSED = "proposed", _("match found")
        REQUEUED = "requeued", _("back in line")
        ASSIGNED = "assigned", _("in a match")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", _("expired")
        REMOVED = "removed", _("removed")

    ticket = models.ForeignKey(Ticket, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reason = models.CharField(max_length=30, blank=True)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["ticket", "created_at"], name="ticket_event_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ticket_id}"
