"""Seasons of a club and the rules by which a queue plays them."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.clubs import Club
from ladder.models.queues import Queue
from ratings.ids import new_id


class Season(models.Model):
    """A stretch of play with its own ranks and standings; closed ones never change.

    opened_at, closing_at, closed_at: when each step was taken.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        SCHEDULED = "scheduled", _("scheduled")
        OPEN = "open", _("open")
        CLOSING = "closing", _("closing")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    slug = models.SlugField(max_length=50)
    name = models.CharField(_("name"), max_length=60)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    opened_at = models.DateTimeField(null=True, blank=True)
    closing_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="one_season_per_slug")]

    def __str__(self) -> str:
        return self.name


class SeasonRules(models.Model):
    """How one queue plays one season.

    `during` is the season's time for this queue, [start, end) with an open end where none is announced; the
    database keeps two seasons of a queue apart. `rank_rules` holds the fields of
    ratings.core.visible_rank.RankRules, tiers included. `decayed_to` is the last of the club's days that the daily
    round has counted for everybody; each rating keeps its own as well.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="rules")
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="season_rules")
    during = DateTimeRangeField()
    rank_rules = models.JSONField(default=dict)
    decayed_to = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name_plural = _("season rules")
        constraints = [
            models.UniqueConstraint(fields=["season", "queue"], name="one_set_of_rules_per_season_and_queue"),
            ExclusionConstraint(
                name="seasons_of_a_queue_never_overlap",
                expressions=[("queue", RangeOperators.EQUAL), ("during", RangeOperators.OVERLAPS)],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} in {self.queue}"
