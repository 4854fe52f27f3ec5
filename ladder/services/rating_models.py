"""Rating models of a club's queues: who may draft, replay, approve and change them, and what the trail keeps of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from ladder.core.permissions import Capability
from ladder.models import Club, Player, Queue, Season
from ladder.names import clean_text
from ladder.selectors.access import require
from ladder.services import audit, outbox
from ratings.core.periods import MATCH
from ratings.core.requests import ModelChoice
from ratings.models import RatingModel, ReplayReport
from ratings.selectors.models import model_in_force
from ratings.services import model_drafts, reports
from ratings.services.model_drafts import InForce

MODEL_CHANGED = "model.changed"


def create_draft(
    *,
    queue: Queue,
    actor: Player,
    algorithm: str,
    parameters: Mapping[str, Any],
    now: datetime,
    period: str = MATCH,
    note: str = "",
) -> RatingModel:
    """A draft of a model for the queue. Raises as ratings.services.model_drafts.create_draft does."""
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_MODELS)
        draft = model_drafts.create_draft(
            queue_id=queue.pk,
            algorithm=algorithm,
            parameters=parameters,
            author=actor.pk,
            period=period,
            note=clean_text(note),
            now=now,
        )
        _note("model.drafted", draft, queue, actor, now)
    return draft


def edit_draft(
    *,
    model: RatingModel,
    actor: Player,
    revision: int,
    algorithm: str,
    parameters: Mapping[str, Any],
    now: datetime,
    period: str = MATCH,
    note: str = "",
) -> RatingModel:
    """Change a draft; `revision` is the one that the actor saw. It has to be replayed and approved anew."""
    with transaction.atomic():
        queue = _allowed(model, actor)
        edited = model_drafts.edit_draft(
            model_id=model.pk,
            revision=revision,
            algorithm=algorithm,
            parameters=parameters,
            author=actor.pk,
            period=period,
            note=clean_text(note),
        )
        _note("model.edited", edited, queue, actor, now)
    return edited


def discard_draft(*, model: RatingModel, actor: Player, revision: int, now: datetime) -> None:
    """Throw a draft away; its reports stay."""
    with transaction.atomic():
        queue = _allowed(model, actor)
        gone = model_drafts.discard_draft(model_id=model.pk, revision=revision)
        _note("model.discarded", gone, queue, actor, now)


def replay(
    *,
    queue: Queue,
    actor: Player,
    models: Sequence[ModelChoice],
    now: datetime,
    title: str = "",
    ignore_first: float = 0.1,
    ageing: bool = True,
) -> ReplayReport:
    """Replay models over the queue's history, side by side. Raises as ratings.services.reports.request_replay does."""
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_MODELS)
        report = reports.request_replay(
            queue_id=queue.pk,
            models=models,
            requested_by=actor.pk,
            title=clean_text(title),
            ignore_first=ignore_first,
            ageing=ageing,
            now=now,
        )
        _note_report("replay.requested", report, queue, actor, now)
    return report


def replay_model(*, model: RatingModel, actor: Player, now: datetime) -> ReplayReport:
    """The replay that a draft needs before it can be approved: beside the model in force, as it is stored now."""
    queue = Queue.objects.get(pk=model.queue_id)
    present = model_in_force(queue_id=queue.pk, at=now)
    drafts = RatingModel.objects.filter(pk=model.pk).exclude(pk=present.pk)
    return replay(queue=queue, actor=actor, models=list(map(reports.choice_of, (present, *drafts))), now=now)


def fit(
    *,
    queue: Queue,
    actor: Player,
    start: ModelChoice,
    now: datetime,
    only: Sequence[str] = (),
    train: float = 0.6,
    ignore_first: float = 0.1,
    rounds: int = 40,
    title: str = "",
    ageing: bool = True,
) -> ReplayReport:
    """Search a model's parameters. Raises as ratings.services.reports.request_fit does."""
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_MODELS)
        report = reports.request_fit(
            queue_id=queue.pk,
            start=start,
            requested_by=actor.pk,
            only=only,
            train=train,
            ignore_first=ignore_first,
            rounds=rounds,
            title=clean_text(title),
            ageing=ageing,
            now=now,
        )
        _note_report("fit.requested", report, queue, actor, now)
    return report


def cancel(*, report: ReplayReport, actor: Player, now: datetime) -> ReplayReport:
    """Call off a replay or a search; when it is over already, a no-op."""
    with transaction.atomic():
        queue = Queue.objects.get(pk=report.queue_id)
        require(queue.club_id, actor, Capability.MANAGE_MODELS)
        ended = reports.cancel(report_id=report.pk, now=now)
        if ended.state == ReplayReport.State.CANCELLED and ended.finished_at == now:
            _note_report("report.cancelled", ended, queue, actor, now)
    return ended


def approve(*, model: RatingModel, actor: Player, revision: int, now: datetime) -> RatingModel:
    """Say that a replayed model may come into force; where the club wants four eyes, not its author."""
    with transaction.atomic():
        queue = _allowed(model, actor)
        approved = model_drafts.approve(
            model_id=model.pk, revision=revision, approver=actor.pk, four_eyes=_four_eyes(queue), now=now
        )
        _note("model.approved", approved, queue, actor, now)
    return approved


def put_in_force(*, model: RatingModel, actor: Player, revision: int, now: datetime) -> InForce:
    """Let an approved model rate the matches formed from now on; open tickets follow.

    Raises as ratings.services.model_drafts.put_in_force does.
    """
    _allowed(model, actor)
    ready = model_drafts.before_force(model_id=model.pk, now=now)
    with transaction.atomic():
        queue = _allowed(model, actor)
        seasons = Season.objects.filter(rules__queue=queue).exclude(state=Season.State.CLOSED)
        locked = seasons.select_for_update(of=("self",), no_key=True).order_by("id")
        change = model_drafts.put_in_force(
            model_id=model.pk,
            revision=revision,
            four_eyes=_four_eyes(queue),
            actor=actor.pk,
            season_ids=[season.pk for season in locked],
            ready=ready,
            now=now,
        )
        told = {"instead_of": str(change.previous), "ratings_moved": change.moved}
        _note("model.in_force", change.model, queue, actor, now, told)
        outbox.record(kind=MODEL_CHANGED, key=str(change.model.pk), payload={"queue": str(queue.pk)}, now=now)
    return change


def _allowed(model: RatingModel, actor: Player) -> Queue:
    """The model's queue, if the actor may change its models."""
    queue = Queue.objects.get(pk=model.queue_id)
    require(queue.club_id, actor, Capability.MANAGE_MODELS)
    return queue


def _four_eyes(queue: Queue) -> bool:
    return bool(Club.objects.values_list("four_eyes", flat=True).get(pk=queue.club_id))


def _note(
    action: str,
    model: RatingModel,
    queue: Queue,
    actor: Player,
    now: datetime,
    more: Mapping[str, Any] | None = None,
) -> None:
    told = {"queue": queue.name, "model": str(model), "period": model.period, "parameters": model.parameters}
    audit.record(
        club=queue.club_id, actor=actor, action=action, subject=model, detail={**told, **(more or {})}, now=now
    )


def _note_report(action: str, report: ReplayReport, queue: Queue, actor: Player, now: datetime) -> None:
    told = {"queue": queue.name, "title": report.title}
    audit.record(club=queue.club_id, actor=actor, action=action, subject=report, detail=told, now=now)
