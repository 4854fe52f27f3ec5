"""Which model rates a queue, and the engine behind a model."""

import json
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache
from uuid import UUID

from django.utils.translation import gettext as _

from ratings.core.periods import MATCH, period_bounds
from ratings.core.registry import get_engine
from ratings.core.requests import ModelChoice
from ratings.core.scales import BeliefModel
from ratings.core.types import Engine
from ratings.errors import DomainError
from ratings.models import RatingModel


def model_in_force(*, queue_id: UUID, at: datetime) -> RatingModel:
    """The model by which the queue's matches formed at that moment are rated. Raises DomainError("no_model")."""
    model = RatingModel.objects.filter(queue_id=queue_id, valid_during__contains=at).first()
    if model is None:
        raise DomainError("no_model", _("This queue has no rating model for that time, so nothing can be rated."))
    return model


@dataclass(frozen=True, slots=True)
class Timetable:
    """When a queue's results are rated: its models with the ranges in which they are, or were, in force."""

    models: tuple[RatingModel, ...]
    zone: tzinfo

    def ends_at(self, moment: datetime) -> datetime | None:
        """The end of the rating period to which a match formed and completed then belongs; None without periods."""
        periods = (model.period for model in self.models if model.valid_during and moment in model.valid_during)
        period = next(periods, MATCH)
        return None if period == MATCH else period_bounds(moment, period, self.zone)[1]


def timetable(*, queue_id: UUID, zone: tzinfo) -> Timetable:
    """The queue's timetable by the clocks of `zone`; one query."""
    return Timetable(tuple(RatingModel.objects.filter(queue_id=queue_id, valid_during__isnull=False)), zone)


def belief_model(model: RatingModel) -> BeliefModel:
    """The model as the arithmetic takes it."""
    during = model.valid_during
    since = None if during is None else during.lower
    return BeliefModel(model.pk, engine_of(model), model.version, since, model.period)


def choice_of(model: RatingModel) -> ModelChoice:
    """A stored model as a replay takes it; its label is the engine and the version."""
    label = f"{model.algorithm} v{model.version}"
    return ModelChoice(label, model.algorithm, model.parameters, model.period, str(model.pk))


def engine_of(model: RatingModel) -> Engine:
    """The engine with the model's parameters. Raises RatingInputError when the stored parameters are not valid."""
    return engine_from(model.algorithm, json.dumps(model.parameters, sort_keys=True))


@lru_cache(maxsize=256)
def engine_from(algorithm: str, parameters: str) -> Engine:
    """The same from the parameters as JSON text, kept for the next call."""
    return get_engine(algorithm, json.loads(parameters))
