"""Rating models of a queue: the first one, and which is in force."""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from ratings.core.presets import FIRST_PRESET, PRESETS, Preset
from ratings.core.registry import get_engine
from ratings.models import RatingModel, ReplayReport
from ratings.selectors.models import engine_of, model_in_force

__all__ = ["engine_of", "ensure_first_model", "model_in_force"]


def ensure_first_model(*, queue_id: UUID, now: datetime) -> RatingModel:
    """The queue's first model: the shipped preset, in force for all time until another one supersedes it.

    Its parameters are written out in full, so that a later default changes no number of this queue. Idempotent.
    """
    made = RatingModel.objects.filter(queue_id=queue_id, version=1).first()
    if made is not None:
        return made
    try:
        with transaction.atomic():
            return _shipped(queue_id, PRESETS[FIRST_PRESET], now)
    except IntegrityError:  # somebody else made it meanwhile
        return RatingModel.objects.get(queue_id=queue_id, version=1)


def _shipped(queue_id: UUID, preset: Preset, now: datetime) -> RatingModel:
    """A preset in force, with the report that it comes with."""
    parameters = get_engine(preset.algorithm, preset.parameters).parameters.as_dict()
    report = ReplayReport.objects.create(
        queue_id=queue_id,
        kind=ReplayReport.Kind.SHIPPED,
        state=ReplayReport.State.DONE,
        title=preset.name,
        settings={"preset": preset.name, "algorithm": preset.algorithm, "parameters": parameters},
        result={"reports": [asdict(one) for one in preset.reports]},
        created_at=now,
        started_at=now,
        finished_at=now,
    )
    return RatingModel.objects.create(
        queue_id=queue_id,
        version=1,
        algorithm=preset.algorithm,
        parameters=parameters,
        state=RatingModel.State.IN_FORCE,
        valid_during=DateTimeTZRange(None, None, "[)"),
        preset=preset.name,
        report=report,
        created_at=now,
    )
