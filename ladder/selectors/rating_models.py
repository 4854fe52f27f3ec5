"""Rating models of a club's queues as the desk shows them: what is in force, what waits, what it would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from ladder.models import Match, Queue, Season
from ladder.selectors.access import Access
from ladder.selectors.rating_words import engine_name, engine_use, parameter_name, parameter_value, schema_of
from ratings.core.parameters import ParameterInfo
from ratings.core.periods import PERIODS, check_period
from ratings.core.problems import RatingInputError
from ratings.core.registry import engine_names, get_engine
from ratings.core.scales import same_scale
from ratings.errors import NotFound
from ratings.models import PlayerRating, RatingModel, ReplayReport
from ratings.selectors.models import engine_of
from ratings.selectors.reports import ReportPage, report_page

State = RatingModel.State
WAITING_STATES = (State.DRAFT, State.REPLAYED, State.APPROVED)
MOST_WAITING, PAST = 200, 50


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model in words. since, until: when it was in force; is_shipped: nobody drafted it."""

    model: RatingModel
    engine: str
    use: str
    state: str
    since: datetime | None
    until: datetime | None

    @property
    def name(self) -> str:
        """What people call it: the version and the engine."""
        return _("Version %(version)d, %(engine)s") % {"version": self.model.version, "engine": self.engine}

    @property
    def is_shipped(self) -> bool:
        """Whether it came with the app."""
        return bool(self.model.preset)


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter of a model beside the same of another; is_changed: whether they differ."""

    name: str
    help: str
    value: str
    shipped: str
    other: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class QueueCard:
    """A queue on the overview."""

    queue: Queue
    in_force: ModelRow | None
    waiting: int
    open_reports: int


@dataclass(frozen=True, slots=True)
class QueueModels:
    """A queue's page: the model in force, those that wait, those before it, and the reports."""

    queue: Queue
    in_force: ModelRow | None
    waiting: tuple[ModelRow, ...]
    past: tuple[ModelRow, ...]
    reports: ReportPage


@dataclass(frozen=True, slots=True)
class ModelPage:
    """One model: its parameters beside those in force, and how far it is on its way.

    other: the model in force, where that is another one. needs_others: the club wants four eyes and the viewer is
    its author. running: a replay of it that is not over yet.
    """

    queue: Queue
    row: ModelRow
    other: ModelRow | None
    parameters: tuple[ParameterRow, ...]
    report: ReplayReport | None
    running: ReplayReport | None
    needs_others: bool

    @property
    def changed(self) -> tuple[ParameterRow, ...]:
        """The parameters in which it differs from the model in force."""
        return tuple(row for row in self.parameters if row.is_changed)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What happens when a model comes into force.

    moved: how many ratings are carried to another scale (0 where the scales are the same); under_way: matches that
    are still rated by the model before it.
    """

    page: ModelPage
    present: ModelRow
    moved: int
    under_way: int


def overview(access: Access) -> tuple[QueueCard, ...]:
    """Every queue of the club with its model; four queries."""
    queues = list(Queue.objects.filter(club=access.club).select_related("game").order_by("created_at", "id"))
    in_force = {model.queue_id: model_row(model) for model in _models().filter(queue__in=queues, state=State.IN_FORCE)}
    waiting = _counted(RatingModel.objects.filter(queue__in=queues, state__in=WAITING_STATES))
    under_way = (ReplayReport.State.WAITING, ReplayReport.State.RUNNING)
    open_reports = _counted(ReplayReport.objects.filter(queue__in=queues, state__in=under_way))
    return tuple(
        QueueCard(one, in_force.get(one.pk), waiting.get(one.pk, 0), open_reports.get(one.pk, 0)) for one in queues
    )


def queue_models(access: Access, queue_slug: str, *, after: str = "") -> QueueModels:
    """A queue's models, of those before the present one the latest, and a page of reports; four queries.

    Raises NotFound.
    """
    queue = queue_of(access, queue_slug)
    models = _models().filter(queue=queue).order_by("-version")
    present_first = F("valid_during").asc(nulls_last=True)
    waiting = models.exclude(state=State.SUPERSEDED).order_by(present_first, "-version")
    rows = [model_row(model) for model in waiting[:MOST_WAITING]]
    return QueueModels(
        queue=queue,
        in_force=next((row for row in rows if row.model.state == State.IN_FORCE), None),
        waiting=tuple(row for row in rows if row.model.state in WAITING_STATES),
        past=tuple(model_row(model) for model in models.filter(state=State.SUPERSEDED)[:PAST]),
        reports=report_page(queue_id=queue.pk, after=after),
    )


def model_page(access: Access, queue_slug: str, model_id: UUID) -> ModelPage:
    """One model of the queue; three queries. Raises NotFound, also for a model of another queue."""
    queue = queue_of(access, queue_slug)
    found = _models().filter(Q(pk=model_id) | Q(state=State.IN_FORCE), queue=queue)
    by_id = {model.pk: model for model in found}
    model = by_id.pop(model_id, None)
    if model is None:
        raise NotFound("no_such_model", _("There is no such rating model any more."))
    other = next(iter(by_id.values()), None)
    return ModelPage(
        queue=queue,
        row=model_row(model),
        other=model_row(other) if other is not None else None,
        parameters=parameter_rows(model, other),
        report=model.report,
        running=_running(model),
        needs_others=access.club.four_eyes and access.player is not None and model.author_id == access.player.pk,
    )


def consequences(access: Access, queue_slug: str, model_id: UUID) -> Consequences:
    """What would happen if the model came into force now; six queries. Raises NotFound."""
    page = model_page(access, queue_slug, model_id)
    if page.other is None:
        raise NotFound("no_such_model", _("This model is in force already."))
    moved = 0
    if not same_scale(engine_of(page.other.model), engine_of(page.row.model)):
        rows = PlayerRating.objects.filter(queue=page.queue).exclude(season__state=Season.State.CLOSED)
        moved = rows.count()
    unfinished = Match.objects.filter(queue=page.queue, forecast__isnull=False, rated_at__isnull=True)
    ended = (Match.State.CANCELLED, Match.State.ABANDONED, Match.State.REMADE)
    return Consequences(page, page.other, moved, unfinished.exclude(state__in=ended).count())


def queue_of(access: Access, slug: str) -> Queue:
    """A queue of this club; raises NotFound for anything else."""
    queue = Queue.objects.filter(club=access.club, slug=slug).select_related("game").first()
    if queue is None:
        raise NotFound("not_found", _("This club has no such queue."))
    return queue


def model_of(queue: Queue, model_id: UUID) -> RatingModel:
    """A model of this queue; raises NotFound for anything else."""
    model = RatingModel.objects.filter(queue=queue, pk=model_id).first()
    if model is None:
        raise NotFound("no_such_model", _("There is no such rating model any more."))
    return model


def model_row(model: RatingModel) -> ModelRow:
    """A model in words; author, approver and report must have been fetched with it."""
    during = model.valid_during
    return ModelRow(
        model=model,
        engine=engine_name(model.algorithm),
        use=engine_use(model.algorithm),
        state=model.get_state_display(),
        since=during.lower if during else None,
        until=during.upper if during else None,
    )


def parameter_rows(model: RatingModel, other: RatingModel | None) -> tuple[ParameterRow, ...]:
    """The model's parameters in the engine's order, beside another's where that is of the same engine."""
    beside = other.parameters if other is not None and other.algorithm == model.algorithm else {}
    schema = schema_of(model.algorithm)
    return tuple(_parameter_row(info, model.parameters, beside) for info in schema.values())


def _parameter_row(info: ParameterInfo, own: Mapping[str, Any], beside: Mapping[str, Any]) -> ParameterRow:
    value = own.get(info.name, info.default)
    return ParameterRow(
        name=parameter_name(info.name),
        help=_(info.description),
        value=parameter_value(value),
        shipped=parameter_value(info.default),
        other=parameter_value(beside[info.name]) if info.name in beside else "",
        is_changed=info.name in beside and beside[info.name] != value,
    )


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine to begin with."""

    algorithm: str
    name: str
    use: str


def engine_choices() -> tuple[EngineChoice, ...]:
    """Every engine."""
    return tuple(EngineChoice(one, engine_name(one), engine_use(one)) for one in engine_names())


def periods_for(queue: Queue, algorithm: str) -> tuple[str, ...]:
    """When an engine may rate the queue's results: match by match, and where it can also together."""
    return tuple(period for period in PERIODS if _is_allowed(queue, algorithm, period))


def _is_allowed(queue: Queue, algorithm: str, period: str) -> bool:
    try:
        check_period(get_engine(algorithm), period, queue.teams, queue.team_size)
    except RatingInputError:
        return False
    return True


def _models() -> Any:
    """Models with their people and reports, but for what the reports hold, which may be large."""
    return RatingModel.objects.select_related("author", "approved_by", "report").defer("report__result")


def _counted(rows: Any) -> dict[UUID, int]:
    return dict(rows.order_by().values_list("queue").annotate(count=Count("id")))


def _running(model: RatingModel) -> ReplayReport | None:
    """A replay under way that would let this very model be approved."""
    under_way = ReplayReport.objects.filter(
        queue=model.queue_id, state__in=(ReplayReport.State.WAITING, ReplayReport.State.RUNNING)
    )
    wanted: Sequence[dict[str, str]] = [{"rating_model": str(model.pk)}]
    return under_way.filter(settings__models__contains=wanted).order_by("-created_at").defer("result").first()
