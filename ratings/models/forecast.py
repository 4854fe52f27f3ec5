"""What the model predicted when a match was formed: the only beliefs that its result may be rated from."""

from django.db import models

from ratings.ids import new_id
from ratings.models.rating_model import RatingModel


class Forecast(models.Model):
    """The model and quality a match was formed on."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    match = models.OneToOneField("ladder.Match", on_delete=models.PROTECT, related_name="forecast")
    rating_model = models.ForeignKey(RatingModel, on_delete=models.PROTECT, related_name="forecasts")
    quality = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"forecast of match {self.match_id}"


class ForecastEntry(models.Model):
    """One participant's belief, in the engine's own scale and aged to the moment of formation, and expected score."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    forecast = models.ForeignKey(Forecast, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey("ladder.Player", on_delete=models.PROTECT, related_name="+")
    team = models.PositiveSmallIntegerField()
    rating = models.FloatField()
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)
    idle_days = models.FloatField(default=0.0)
    expected = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["forecast", "player"], name="one_forecast_entry_per_player")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.forecast_id}"
