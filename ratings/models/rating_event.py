"""The ledger: one append-only row per change of a rating or rank, chained by hashes."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.ids import new_id
from ratings.models.player_rating import PlayerRating
from ratings.models.rating_model import RatingModel


class RatingEvent(models.Model):
    """What changed one player's standing, from what to what, by which rule or person, and why.

    A trigger in the database refuses UPDATE, DELETE and TRUNCATE. `canonical` is the text that is hashed:
    jsonb does not keep numbers as written, so the hash is over this stored text, never over the columns.
    `state_after` holds the counters of the visible rank (placement left, shield, counts, peak) after the event.
    `effective_at` is when it counts, which ratings.core.ledger.took_effect tells from the rest of the row: an imported
    match moved its players' ranks when it was played, not when it was written down. `decay_date` is the club's day
    whose idleness a decay is for: no day costs a rank twice.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        PLACEMENT = "placement", _("placement")
        DECAY = "decay", _("decay")
        SMURF_ADJUSTMENT = "smurf_adjustment", _("re-estimate")
        REVERSAL = "reversal", _("reversal")
        SEASON_RESET = "season_reset", _("season reset")
        CORRECTION = "correction", _("correction")
        MODEL_CHANGE = "model_change", _("model change")
        REFUND = "refund", _("refund")
        RECOMPUTE = "recompute", _("recompute")
        RESERVE = "reserve", _("reserve")
        MERGE = "merge", _("merge")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player_rating = models.ForeignKey(PlayerRating, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    match = models.ForeignKey(
        "ladder.Match", null=True, blank=True, on_delete=models.PROTECT, related_name="rating_events"
    )
    undoes = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by")
    rating_model = models.ForeignKey(RatingModel, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey("ladder.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300, blank=True, default="")

    rating_before = models.FloatField()
    rating_after = models.FloatField()
    deviation_before = models.FloatField(null=True)
    deviation_after = models.FloatField(null=True)
    volatility_before = models.FloatField(null=True)
    volatility_after = models.FloatField(null=True)
    position_before = models.IntegerField(null=True)
    position_after = models.IntegerField(null=True)
    points_delta = models.IntegerField(null=True)
    state_after = models.JSONField(default=dict)
    explanation = models.JSONField(default=dict)

    canonical = models.TextField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    decay_date = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField()
    effective_at = models.DateTimeField()

    class Meta:
        constraints = [
            # What it includes tells the rank of any past moment without a look into the table.
            models.UniqueConstraint(
                fields=["player_rating", "seq"],
                include=["effective_at", "position_after", "kind"],
                name="one_event_per_sequence_number",
            ),
            models.UniqueConstraint(
                fields=["player_rating", "match"], condition=models.Q(kind="match"), name="rate_once"
            ),
            models.UniqueConstraint(fields=["undoes"], condition=models.Q(undoes__isnull=False), name="undo_once"),
            models.UniqueConstraint(
                fields=["player_rating", "decay_date"],
                condition=models.Q(decay_date__isnull=False),
                name="decay_once_a_day",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="decay", decay_date__isnull=False)
                | (~models.Q(kind="decay") & models.Q(decay_date__isnull=True)),
                name="decay_has_its_day",
            ),
        ]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="rating_event_newest_first"),
            models.Index(fields=["match"], name="rating_event_by_match"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.seq} of {self.player_rating_id}"
