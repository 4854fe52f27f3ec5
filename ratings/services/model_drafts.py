"""A rating model on its way into force: drafted, replayed, approved, put in force, superseded; or thrown away."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Max
from django.utils.translation import gettext as _

from ratings.core.periods import MATCH
from ratings.core.problems import RatingInputError
from ratings.core.registry import get_engine
from ratings.core.requests import ModelChoice
from ratings.core.scales import same_scale
from ratings.core.types import Engine
from ratings.errors import DomainError, NotFound, Stale
from ratings.models import PlayerRating, RatingModel, ReplayReport
from ratings.selectors.models import engine_of, model_in_force
from ratings.selectors.queues import plays_duels
from ratings.services.model_change import change_model
from ratings.services.model_values import Replayed, ledger_mark, replay_under, values_for

LONGEST_NOTE = 300
_BEFORE_FORCE = (RatingModel.State.DRAFT, RatingModel.State.REPLAYED, RatingModel.State.APPROVED)


@dataclass(frozen=True, slots=True)
class InForce:
    """A change of model: the new one, the one it took over from, and how many ratings moved to another scale."""

    model: RatingModel
    previous: RatingModel
    moved: int


def create_draft(
    *,
    queue_id: UUID,
    algorithm: str,
    parameters: Mapping[str, Any],
    author: UUID,
    now: datetime,
    period: str = MATCH,
    note: str = "",
) -> RatingModel:
    """A draft for the queue, its parameters written out in full, so that a later default changes nothing.

    Raises DomainError ("bad_parameter", "bad_period", "note_length").
    """
    with transaction.atomic():
        _locked_models(queue_id)
        newest = RatingModel.objects.filter(queue_id=queue_id).aggregate(version=Max("version"))["version"]
        draft = RatingModel(
            queue_id=queue_id,
            version=(newest or 0) + 1,
            author_id=author,
            created_at=now,
        )
        _write(draft, algorithm, parameters, period, note)
        draft.save(force_insert=True)
    return draft


def edit_draft(
    *,
    model_id: UUID,
    revision: int,
    algorithm: str,
    parameters: Mapping[str, Any],
    author: UUID,
    period: str = MATCH,
    note: str = "",
) -> RatingModel:
    """Change a model that is not in force. It is a draft again: what was replayed and approved is not this any more.

    `author` is who changed it last, whose own approval counts for nothing where the club wants four eyes. A change of
    the note alone, by whomever, leaves replay and approval standing. Raises Stale, NotFound and DomainError
    ("model_in_force" besides those of `create_draft`).
    """
    with transaction.atomic():
        model = _locked(model_id, revision)
        before = (model.algorithm, model.parameters, model.period)
        _write(model, algorithm, parameters, period, note)
        if before != (model.algorithm, model.parameters, model.period):
            model.state = RatingModel.State.DRAFT
            model.author_id, model.preset = author, ""
            model.report_id = model.approved_by_id = model.approved_at = None
        _save(model)
    return model


def approve(*, model_id: UUID, revision: int, approver: UUID, four_eyes: bool, now: datetime) -> RatingModel:
    """Say that a replayed model may come into force.

    four_eyes: whether the author's own word is not enough. Raises Stale, NotFound and DomainError ("not_replayed",
    "four_eyes", "model_in_force").
    """
    with transaction.atomic():
        model = _locked(model_id, revision)
        _require_report(model)
        _refuse_own_word(model, approver, four_eyes=four_eyes)
        model.state = RatingModel.State.APPROVED
        model.approved_by_id, model.approved_at = approver, now
        _save(model)
    return model


def before_force(*, model_id: UUID, now: datetime) -> Replayed | None:
    """The lengthy part of `put_in_force`, done before it locks anything: a replay where the scale will change.

    Raises NotFound and DomainError("no_model").
    """
    model = RatingModel.objects.filter(pk=model_id).first()
    if model is None:
        raise _no_such_model()
    present = model_in_force(queue_id=model.queue_id, at=now)
    if model.state != RatingModel.State.APPROVED:
        return None
    return None if same_scale(engine_of(present), engine_of(model)) else replay_under(model)


def put_in_force(
    *,
    model_id: UUID,
    revision: int,
    four_eyes: bool,
    actor: UUID,
    season_ids: Collection[UUID],
    ready: Replayed | None,
    now: datetime,
) -> InForce:
    """Let an approved model rate the matches that are formed from now on; the one before it is superseded.

    Matches under way keep the model that they were formed with. Where the scale is another, every rating of the
    seasons given moves to the new one by a `model_change` event, to what a replay of the queue under the new model
    comes to; ranks stay. ready: from `before_force`; it is done again here if something was rated since.
    Raises Stale, NotFound and DomainError ("not_replayed", "not_approved", "four_eyes", "model_in_force", "too_early").
    """
    with transaction.atomic():
        model = _locked(model_id, revision)
        _require_report(model)
        if model.state != RatingModel.State.APPROVED or model.approved_by_id is None:
            raise DomainError("not_approved", _("This model needs somebody's approval before it can come into force."))
        _refuse_own_word(model, model.approved_by_id, four_eyes=four_eyes)
        previous = _end_present(model.queue_id, now)
        model.state, model.valid_during = RatingModel.State.IN_FORCE, DateTimeTZRange(now, None, "[)")
        _save(model)
        moved = 0
        if not same_scale(engine_of(previous), engine_of(model)):
            moved = _move_ratings(model, actor, season_ids, ready, now)
    return InForce(model, previous, moved)


def _move_ratings(
    model: RatingModel, actor: UUID, season_ids: Collection[UUID], ready: Replayed | None, now: datetime
) -> int:
    """Every rating onto the model's scale; nothing of them can be rated meanwhile."""
    ratings = PlayerRating.objects.filter(queue=model.queue_id, season_id__in=season_ids)
    list(ratings.select_for_update(no_key=True).order_by("id").values_list("pk"))
    if ready is None or ready.mark != ledger_mark(model.queue_id):
        ready = replay_under(model)
    return change_model(
        queue_id=model.queue_id,
        season_ids=season_ids,
        new_model=model,
        values=values_for(model, season_ids, ready),
        actor=actor,
        reason=model.note,
        now=now,
    )


def discard_draft(*, model_id: UUID, revision: int) -> RatingModel:
    """Throw away a model that never came into force; its reports stay. Returns what was thrown away."""
    with transaction.atomic():
        model = _locked(model_id, revision)
        RatingModel.objects.filter(pk=model.pk).delete()
    return model


def mark_replayed(report: ReplayReport, choices: tuple[ModelChoice, ...]) -> int:
    """Note on every draft that a finished report replayed, and that is still the same, that it was; returns how many.

    To be called with the report's result written, in its transaction.
    """
    wanted = {choice.rating_model: choice for choice in choices if choice.rating_model}
    drafts = RatingModel.objects.select_for_update(no_key=True).filter(
        pk__in=wanted, state__in=(RatingModel.State.DRAFT, RatingModel.State.REPLAYED)
    )
    marked = 0
    for draft in drafts.order_by("id"):
        choice = wanted[str(draft.pk)]
        if (draft.algorithm, draft.parameters, draft.period) == (choice.name, choice.parameters, choice.period):
            draft.state, draft.report = RatingModel.State.REPLAYED, report
            _save(draft)
            marked += 1
    return marked


def _end_present(queue_id: UUID, now: datetime) -> RatingModel:
    """Supersede the model in force."""
    present = RatingModel.objects.filter(queue_id=queue_id, state=RatingModel.State.IN_FORCE).first()
    if present is None or present.valid_during is None:
        raise DomainError("no_model", _("This queue has no rating model for that time, so nothing can be rated."))
    if present.valid_during.lower is not None and present.valid_during.lower >= now:
        raise DomainError("too_early", _("Another model came into force at this very moment. Please look again."))
    present.state = RatingModel.State.SUPERSEDED
    present.valid_during = DateTimeTZRange(present.valid_during.lower, now, "[)")
    _save(present)
    return present


def _locked_models(queue_id: UUID) -> list[RatingModel]:
    """All models of the queue, locked in the order of their ids: changes of a queue's models come one after another.

    The lock is one that matches being formed do not wait for.
    """
    return list(RatingModel.objects.select_for_update(no_key=True).filter(queue_id=queue_id).order_by("id"))


def _locked(model_id: UUID, revision: int) -> RatingModel:
    """A model that is not yet in force, as its reader saw it, with all models of its queue locked."""
    queue_id = RatingModel.objects.filter(pk=model_id).values_list("queue_id", flat=True).first()
    found = {model.pk: model for model in _locked_models(queue_id)} if queue_id else {}
    model = found.get(model_id)
    if model is None:
        raise _no_such_model()
    if model.state not in _BEFORE_FORCE:
        raise DomainError("model_in_force", _("This model is or was in force and cannot be changed any more."))
    if model.revision != revision:
        raise Stale("stale_model", _("Somebody changed this model meanwhile. Please look at it again."))
    return model


def _no_such_model() -> NotFound:
    return NotFound("no_such_model", _("There is no such rating model any more."))


def _save(model: RatingModel) -> None:
    model.revision += 1
    model.save()


def _write(model: RatingModel, algorithm: str, parameters: Mapping[str, Any], period: str, note: str) -> None:
    if len(note) > LONGEST_NOTE:
        raise DomainError("note_length", _("A note has at most %(n)d characters.") % {"n": LONGEST_NOTE})
    try:
        engine = get_engine(algorithm, parameters)
    except RatingInputError as error:
        raise DomainError("bad_parameter", str(error)) from error
    if period not in RatingModel.Period.values:
        raise DomainError("bad_period", _("Results are rated at once, weekly or monthly."))
    if period != MATCH:
        _refuse_periods(model.queue_id, engine)
    elif engine.wants_first_games:
        raise DomainError("bad_period", _("First ratings are made of five games together: choose weeks or months."))
    model.algorithm, model.parameters = algorithm, engine.parameters.as_dict()
    model.period, model.note = period, note


def _refuse_periods(queue_id: UUID, engine: Engine) -> None:
    if not engine.has_periods:
        raise DomainError("bad_period", _("This engine rates every match at once and knows no rating periods."))
    if not plays_duels(queue_id):
        raise DomainError("bad_period", _("Rating periods are for one against one."))


def _require_report(model: RatingModel) -> None:
    if model.report is None or model.report.state != ReplayReport.State.DONE:
        raise DomainError("not_replayed", _("Replay this model over the queue's history first."))


def _refuse_own_word(model: RatingModel, approver: UUID, *, four_eyes: bool) -> None:
    if four_eyes and model.author_id == approver:
        raise DomainError("four_eyes", _("In this club somebody else than its author approves a rating model."))
