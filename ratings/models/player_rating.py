"""Where a player stands: the hidden rating and the visible rank, per queue, season and role."""

from django.db import models

from ratings.ids import new_id
from ratings.models.rating_model import RatingModel


class PlayerRating(models.Model):
    """One player's standing. Written by ratings.services.ledger alone; always equal to its last event's `after`.

    rating, deviation, volatility: hidden, on the own scale of `rating_model`. top_rating: the highest rating on that
    scale, empty where it was not kept from the start. games: of this season; earlier_games: of the queue's seasons
    before, as far as the rating was taken over from one. position: the visible rank as one number
    (division index x 100 + points), empty during placement; tier, division and points are the same position
    in words (tier counts from 0 at the bottom, division 1 is the highest of its tier, 0 in an undivided tier).
    start_position: during placement, where the new season's reset left the rank of an earlier one. banked_days: idle
    days put by until the last match; decayed_to: the last of the club's days whose idleness has been counted.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey("ladder.Player", on_delete=models.PROTECT, related_name="ratings")
    queue = models.ForeignKey("ladder.Queue", on_delete=models.PROTECT, related_name="ratings")
    season = models.ForeignKey("ladder.Season", on_delete=models.PROTECT, related_name="ratings")
    role = models.CharField(max_length=40, blank=True, default="")

    rating_model = models.ForeignKey(RatingModel, on_delete=models.PROTECT, related_name="+")
    rating = models.FloatField()
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)
    top_rating = models.FloatField(null=True, blank=True)

    games = models.PositiveIntegerField(default=0)
    earlier_games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)

    position = models.IntegerField(null=True, blank=True)
    tier = models.PositiveSmallIntegerField(null=True, blank=True)
    division = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.PositiveIntegerField(null=True, blank=True)
    peak_position = models.IntegerField(null=True, blank=True)
    position_reached_at = models.DateTimeField(null=True, blank=True)
    placement_left = models.PositiveSmallIntegerField(default=0)
    start_position = models.PositiveIntegerField(null=True, blank=True)
    shield = models.PositiveSmallIntegerField(default=0)
    losses_at_zero = models.PositiveSmallIntegerField(default=0)
    banked_days = models.PositiveSmallIntegerField(default=0)
    decayed_to = models.DateField(null=True, blank=True)

    last_match_at = models.DateTimeField(null=True, blank=True)
    last_seq = models.PositiveIntegerField(default=0)
    last_hash = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "queue", "season", "role"], name="one_rating_per_player_queue_season_role"
            ),
            models.CheckConstraint(
                condition=models.Q(games=models.F("wins") + models.F("draws") + models.F("losses")),
                name="games_are_wins_draws_and_losses",
            ),
        ]
        indexes = [
            models.Index(
                "queue",
                "season",
                models.F("position").desc(nulls_last=True),
                models.F("wins").desc(),
                "position_reached_at",
                "id",
                name="leaderboard_order",
                condition=models.Q(role=""),
            ),
            models.Index(  # narrow, as places are counted over it
                "queue",
                "season",
                models.F("position").desc(nulls_last=True),
                name="rating_counted_by_position",
                condition=models.Q(role="", games__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.queue_id}/{self.season_id}"
