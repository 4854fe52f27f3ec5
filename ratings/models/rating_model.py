"""Versioned rating models: algorithm plus parameters for a queue, in force for a range of time."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.ids import new_id
from ratings.models.replay_report import ReplayReport


class RatingModel(models.Model):
    """An engine and its parameters for one queue.

    draft -> replayed -> approved -> in force -> superseded. `report` is the finished replay of exactly these
    parameters. `revision` grows with every change of a model that is not yet in force; a form carries the one
    it was drawn from, so that nobody approves what they have not seen.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        REPLAYED = "replayed", _("replayed")
        APPROVED = "approved", _("approved")
        IN_FORCE = "in_force", _("in force")
        SUPERSEDED = "superseded", _("superseded")

    class Period(models.TextChoices):
        MATCH = "match", _("every match")
        WEEK = "week", _("weekly")
        MONTH = "month", _("monthly")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    queue = models.ForeignKey("ladder.Queue", on_delete=models.PROTECT, related_name="rating_models")
    version = models.PositiveIntegerField()
    algorithm = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict, blank=True)
    period = models.CharField(
        max_length=5, choices=Period.choices, default=Period.MATCH, help_text=_("When results are rated.")
    )
    note = models.CharField(max_length=300, blank=True, default="", help_text=_("What it is for."))
    state = models.CharField(max_length=12, choices=State.choices, default=State.DRAFT)
    revision = models.PositiveIntegerField(default=0)
    valid_during = DateTimeRangeField(null=True, blank=True, help_text=_("When it is in force; empty for a draft."))
    preset = models.CharField(max_length=60, blank=True, help_text=_("The shipped preset it was made from."))
    report = models.ForeignKey(ReplayReport, null=True, blank=True, on_delete=models.PROTECT, related_name="models")
    author = models.ForeignKey("ladder.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey("ladder.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["queue", "version"], name="one_rating_model_per_version"),
            ExclusionConstraint(
                name="rating_models_never_overlap",
                expressions=[("queue", RangeOperators.EQUAL), ("valid_during", RangeOperators.OVERLAPS)],
                condition=models.Q(valid_during__isnull=False),
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "replayed", "approved"]) | models.Q(valid_during__isnull=False),
                name="rating_model_in_force_has_a_range",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="in_force")
                | models.Q(report__isnull=False) & (models.Q(approved_by__isnull=False) | ~models.Q(preset="")),
                name="rating_model_in_force_is_replayed_and_approved",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.algorithm} v{self.version}"
