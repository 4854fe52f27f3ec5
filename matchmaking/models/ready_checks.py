"""Ready checks: everyone of a proposal says yes in time, or the match does not start."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from matchmaking.models.policies import MatchmakingPolicy
from matchmaking.models.tickets import Ticket
from ratings.ids import new_id


class ReadyCheck(models.Model):
    """One frozen proposal. `deadline` is set once, by the store's clock; `formation` holds its numbers.

    `end_reason`, once it failed: declined, missed or unstartable.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        COMPLETE = "complete", _("complete")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    match = models.OneToOneField("ladder.Match", on_delete=models.PROTECT, related_name="ready_check")
    policy = models.ForeignKey(MatchmakingPolicy, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    quality = models.FloatField()
    formation = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    deadline = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=30, blank=True)

    class Meta:
        indexes = [models.Index(fields=["deadline"], condition=models.Q(state="open"), name="ready_check_open")]

    def __str__(self) -> str:
        return f"ready check of {self.match_id}"


class ReadyCheckAnswer(models.Model):
    """One player's answer. `seen_at` proves that the check reached a page of theirs; without it nobody is blamed."""

    class Answer(models.TextChoices):
        PENDING = "pending", _("has not answered")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        MISSED = "missed", _("did not answer")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    ready_check = models.ForeignKey(ReadyCheck, on_delete=models.PROTECT, related_name="answers")
    ticket = models.ForeignKey(Ticket, on_delete=models.PROTECT, related_name="answers")
    player = models.ForeignKey("ladder.Player", on_delete=models.PROTECT, related_name="+")
    answer = models.CharField(max_length=8, choices=Answer.choices, default=Answer.PENDING)
    seen_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ready_check", "player"], name="one_answer_per_player")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.answer}"
