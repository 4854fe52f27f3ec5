"""Tables of what a player is worth and every reason why."""

from ratings.models.forecast import Forecast, ForecastEntry
from ratings.models.player_rating import PlayerRating
from ratings.models.rating_event import RatingEvent
from ratings.models.rating_model import RatingModel
from ratings.models.replay_report import ReplayPart, ReplayReport

__all__ = ["Forecast", "ForecastEntry", "PlayerRating", "RatingEvent", "RatingModel", "ReplayPart", "ReplayReport"]
