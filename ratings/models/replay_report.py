"""Stored replays and fits: how models predicted a queue's history, and the pieces that workers compute."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.ids import new_id


class ReplayReport(models.Model):
    """A replay of models over a queue's history, a search of parameters on it, or what a shipped model came with.

    settings: what was asked for. history_*: which matches were read, so that two reports can be told apart;
    history_digest is SHA-256 over everything that a replay reads. progress_* count matches times models for a
    replay, candidates for a fit (there the total is the most that may be needed). `message` says in words what
    is going on, `error` why it failed. `result` is complete when the state is done and is never changed again.
    """

    class Kind(models.TextChoices):
        REPLAY = "replay", _("replay")
        FIT = "fit", _("fit")
        SHIPPED = "shipped", _("shipped")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    queue = models.ForeignKey("ladder.Queue", on_delete=models.PROTECT, related_name="replay_reports")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    title = models.CharField(max_length=120, blank=True)
    requested_by = models.ForeignKey("ladder.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    settings = models.JSONField(default=dict, blank=True)
    history_matches = models.PositiveIntegerField(null=True, blank=True)
    history_digest = models.CharField(max_length=64, blank=True, default="")
    history_until = models.DateTimeField(null=True, blank=True)
    progress_done = models.PositiveBigIntegerField(default=0)
    progress_total = models.PositiveBigIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True, default="")
    error = models.CharField(max_length=300, blank=True, default="")
    result = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["queue", "-created_at", "-id"], name="replay_report_newest_first"),
            models.Index(
                fields=["created_at"], condition=models.Q(state__in=["waiting", "running"]), name="replay_report_open"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state__in=["done", "failed", "cancelled"]) | models.Q(finished_at__isnull=False),
                name="finished_replay_report_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.title or self.id}"

    @property
    def is_open(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in (self.State.WAITING, self.State.RUNNING)


class ReplayPart(models.Model):
    """One model of a replay, or some candidates of a fit: what a single task computes.

    key: unique within the report (a label, or the first candidate's digest). task: what to compute. `attempts` grows
    with every start and is the token by which a worker that lost its lease is kept from writing.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    report = models.ForeignKey(ReplayReport, on_delete=models.PROTECT, related_name="parts")
    key = models.CharField(max_length=120)
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    task = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(help_text=_("Until then nobody else need look after it."))
    progress_done = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    error = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["report", "key"], name="one_replay_part_per_key")]
        indexes = [
            models.Index(
                fields=["lease_until"], condition=models.Q(state__in=["waiting", "running"]), name="replay_part_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.report_id}"
