"""Where drafts, replays and searches begin: an engine as shipped, a stored model, what a search found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from ladder.models import Queue
from ladder.selectors.rating_models import WAITING_STATES, model_of, model_row, periods_for
from ladder.selectors.rating_words import engine_name, parameter_name
from ratings.core.fit import AXES
from ratings.core.periods import MATCH, MONTH, WEEK
from ratings.core.registry import engine_names, get_engine, parameter_schema
from ratings.core.requests import ModelChoice
from ratings.errors import NotFound
from ratings.models import RatingModel, ReplayReport
from ratings.selectors.models import choice_of
from ratings.selectors.reports import report_detail

Pairs = tuple[tuple[str, str], ...]
STORED, SHIPPED = "model", "engine"
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Start:
    """An engine with parameters, and what it is called. key: how an address names it (query text)."""

    name: str
    algorithm: str
    parameters: Mapping[str, Any]
    period: str = MATCH
    note: str = ""
    key: str = ""
    rating_model: str = ""

    @property
    def engine(self) -> str:
        """The engine's name."""
        return engine_name(self.algorithm)

    @property
    def choice(self) -> ModelChoice:
        """The same as replays and searches take it."""
        return ModelChoice(self.name[:120], self.algorithm, self.parameters, self.period, self.rating_model)


def start_of(queue: Queue, *, engine: str | None, model: UUID | None, report: UUID | None) -> Start:
    """What an address asks to begin with; without a wish the model in force. Raises NotFound."""
    if report is not None:
        return _found_by(queue, report)
    if model is not None:
        return start_of_model(model_of(queue, model))
    if engine:
        if engine not in engine_names():
            raise NotFound("not_found", _("There is no such rating engine."))
        return _shipped(engine)
    present = RatingModel.objects.filter(queue=queue, state=RatingModel.State.IN_FORCE).first()
    return start_of_model(present) if present is not None else _shipped(engine_names()[0])


def starts(queue: Queue) -> tuple[Start, ...]:
    """The queue's stored models, the newest first, then every engine as shipped; one query."""
    stored = RatingModel.objects.filter(queue=queue).select_related("author").order_by("-version")[:MOST_LISTED]
    return (*map(start_of_model, stored), *map(_shipped, engine_names()))


def start_of_model(model: RatingModel) -> Start:
    """A stored model to begin with; what it was for is not what the next one is for."""
    name = model_row(model).name
    key = f"model={model.pk}"
    return Start(name, model.algorithm, model.parameters, model.period, key=key, rating_model=str(model.pk))


def _shipped(algorithm: str) -> Start:
    parameters = get_engine(algorithm).parameters.as_dict()
    name = _("%(engine)s as shipped") % {"engine": engine_name(algorithm)}
    return Start(name, algorithm, parameters, key=f"engine={algorithm}")


def _found_by(queue: Queue, report_id: UUID) -> Start:
    detail = report_detail(queue_id=queue.pk, report_id=report_id)
    if detail.fit is None:
        raise NotFound("no_such_report", _("There is no finished search of this name."))
    note = _("Found by the search “%(title)s”.") % {"title": detail.row.title}
    period = detail.settings["start"]["period"]
    name = _("what “%(title)s” found") % {"title": detail.row.title}
    return Start(name, detail.fit.name, detail.fit.parameters, period, note, f"report={report_id}")


@dataclass(frozen=True, slots=True)
class Offered:
    """What a form offers: (value, label) pairs, and those that are chosen at first."""

    pairs: Pairs
    first: tuple[str, ...]
    models: Mapping[str, ModelChoice]

    def chosen(self, values: Sequence[str]) -> list[ModelChoice]:
        """The models behind chosen values, in the order offered."""
        return [self.models[value] for value, _label in self.pairs if value in values]


def replay_choices(queue: Queue) -> Offered:
    """The queue's stored models and every engine as shipped, with periods where one plays against one; one query.

    At first the model in force and the newest draft are chosen.
    """
    stored = list(RatingModel.objects.filter(queue=queue).order_by("-version")[:MOST_LISTED])
    models: dict[str, ModelChoice] = {}
    pairs: list[tuple[str, str]] = []
    for model in stored:
        value = f"{STORED}:{model.pk}"
        models[value] = choice_of(model)
        pairs.append((value, f"{model_row(model).name} ({model.get_state_display()})"))
    for algorithm in engine_names():
        for period, label in _periods(queue, algorithm):
            value = f"{SHIPPED}:{algorithm}@{period}"
            name = algorithm if period == MATCH else f"{algorithm}@{period}"
            models[value] = ModelChoice(name, algorithm, {}, period)
            pairs.append((value, label))
    waiting = [model for model in stored if model.state in WAITING_STATES]
    first = [model for model in stored if model.state == RatingModel.State.IN_FORCE] + waiting[:1]
    return Offered(tuple(pairs), tuple(f"{STORED}:{model.pk}" for model in first), models)


def _periods(queue: Queue, algorithm: str) -> list[tuple[str, str]]:
    told = {"engine": engine_name(algorithm)}
    names = {
        MATCH: _("%(engine)s as shipped") % told,
        WEEK: _("%(engine)s as shipped, rated weekly") % told,
        MONTH: _("%(engine)s as shipped, rated monthly") % told,
    }
    return [(period, names[period]) for period in periods_for(queue, algorithm)]


def fit_choices(algorithm: str) -> Offered:
    """The numbers of an engine that can be searched; at first those that are usually worth it."""
    numbers = [info for info in parameter_schema(algorithm) if info.kind in ("number", "integer")]
    usual = {axis.name for axis in AXES[algorithm]}
    pairs = tuple((info.name, parameter_name(info.name)) for info in numbers)
    return Offered(pairs, tuple(name for name, _label in pairs if name in usual), {})


def report_of(queue: Queue, report_id: UUID) -> ReplayReport:
    """A report of this queue; raises NotFound for anything else."""
    report = ReplayReport.objects.filter(queue=queue, pk=report_id).defer("result").first()
    if report is None:
        raise NotFound("no_such_report", _("There is no such report."))
    return report


def finished_replays(queue: Queue) -> Pairs:
    """The newest finished replays of the queue; one query."""
    done = ReplayReport.objects.filter(
        queue=queue, kind=ReplayReport.Kind.REPLAY, state=ReplayReport.State.DONE
    ).order_by("-created_at", "-id")
    rows = done.values_list("pk", "title", "history_matches")[:50]
    return tuple(
        (str(pk), _("%(title)s, %(matches)d matches") % {"title": title, "matches": matches or 0})
        for pk, title, matches in rows
    )
