"""Rating models of a queue: the first one, and which is in force."""

from datetime import datetime
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from ratings.core.presets import FIRST_PRESET, PRESETS
from ratings.core.registry import get_engine
from ratings.models import RatingModel
from ratings.selectors.models import engine_of, model_in_force

__all__ = ["engine_of", "ensure_first_model", "model_in_force"]


def ensure_first_model(*, queue_id: UUID, now: datetime) -> RatingModel:
    """The queue's first model: the shipped preset, in force for all time until another one supersedes it.

    Its parameters are written out in full, so that a later default changes no number of this queue. Idempotent.
    """
    preset = PRESETS[FIRST_PRESET]
    model, _created = RatingModel.objects.get_or_create(
        queue_id=queue_id,
        version=1,
        defaults={
            "algorithm": preset.algorithm,
            "parameters": get_engine(preset.algorithm, preset.parameters).parameters.as_dict(),
            "state": RatingModel.State.IN_FORCE,
            "valid_during": DateTimeTZRange(None, None, "[)"),
            "preset": preset.name,
            "replay_report": preset.report_as_dict(),
            "created_at": now,
        },
    )
    return model
