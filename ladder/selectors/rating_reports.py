"""A stored report as the desk shows it: which model predicted best, plots, tables, and what a search found."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.core.charts import NARROW, NARROW_SQUARE, SERIES, WIDE, WIDE_SQUARE, Chart, Line, Point, Spec, draw, span_of
from ladder.core.row_charts import Item
from ladder.models import Queue
from ladder.selectors.fairness import band_name, party_name
from ladder.selectors.fit_reports import FitShown, RowCharts, chance, fit_shown, loss_rows
from ladder.selectors.rating_words import engine_name, parameter_name, parameter_value, schema_of
from ratings.core.metrics import BINS
from ratings.core.paired import CERTAIN, difference
from ratings.selectors.report_figures import Figures, Group, ModelFigures
from ratings.selectors.reports import ReportDetail, ReportRow, compare_reports, report_detail

Charts = tuple[Chart, Chart]
LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Gap:
    """How much higher a log loss is than the best one's, and within how much chance would move that."""

    mean: float
    chance: float

    @property
    def is_chance(self) -> bool:
        """Whether it may be nothing."""
        return self.mean <= self.chance


@dataclass(frozen=True, slots=True)
class Column:
    """A model of the report as a column or a row of tables: its name, its series in the plots, its figures.

    behind: the distance to the best model of all; None for the best, and for who was not measured.
    """

    name: str
    series: int
    figures: ModelFigures
    behind: Gap | None = None

    @property
    def engine(self) -> str:
        """The engine's name."""
        return engine_name(self.figures.name)


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A part of the matches, with the log loss of each model and how many matches it holds."""

    name: str
    matches: int
    losses: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter with its value under each model; is_different: not all of those that have it agree."""

    name: str
    values: tuple[str, ...]
    is_different: bool


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A place with who holds it under each model."""

    place: int
    players: tuple[tuple[str, float] | None, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Models side by side: what a report's page and a comparison have in common."""

    columns: tuple[Column, ...]
    verdict: str
    losses: RowCharts | None
    calibration: Charts | None
    newcomers: Charts | None
    by_band: Charts | None
    bands: tuple[GroupRow, ...]
    parties: tuple[GroupRow, ...]
    bins: tuple[tuple[str, tuple[tuple[int, float, float] | None, ...]], ...]
    errors: tuple[tuple[int, tuple[float | None, ...]], ...]
    parameters: tuple[ParameterRow, ...]
    standings: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report with everything that its page shows; `shown` or `fit` by its kind, None until it is done."""

    queue: Queue
    detail: ReportDetail
    shown: Shown | None
    fit: FitShown | None


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """Replays side by side: each with its letter, why not to trust the comparison blindly, and all their models."""

    reports: tuple[tuple[str, ReportRow], ...]
    differences: tuple[str, ...]
    shown: Shown


def report_page_of(queue: Queue, report_id: UUID) -> ReportPage:
    """A report of the queue; three queries. Raises NotFound."""
    detail = report_detail(queue_id=queue.pk, report_id=report_id)
    columns = tuple(Column(one.label, number % SERIES, one) for number, one in enumerate(detail.models))
    return ReportPage(
        queue=queue,
        detail=detail,
        shown=side_by_side(columns) if columns else None,
        fit=fit_shown(detail.fit) if detail.fit is not None else None,
    )


def comparison_of(queue: Queue, report_ids: Sequence[UUID]) -> ComparedPage:
    """Finished replays of the queue side by side; two queries. Raises NotFound and DomainError("not_comparable")."""
    found = compare_reports(queue_id=queue.pk, report_ids=report_ids)
    letters = {row.id: LETTERS[number] for number, row in enumerate(found.reports)}
    columns = tuple(
        Column(f"{letters[one.report.id]}: {one.figures.label}", number % SERIES, one.figures)
        for number, one in enumerate(found.models)
    )
    lettered = tuple((letters[row.id], row) for row in found.reports)
    shown = side_by_side(columns, is_one_history=not found.differences)
    return ComparedPage(lettered, found.differences, shown)


def side_by_side(models: Sequence[Column], *, is_one_history: bool = True) -> Shown:
    """Everything about these models. is_one_history: whether all of them saw the same matches."""
    columns = _with_gaps(models, is_one_history=is_one_history)
    losses = [Item(column.name, column.figures.total.log_loss, column.series) for column in columns]
    has_losses = any(item.value is not None for item in losses)
    return Shown(
        columns=tuple(columns),
        verdict=verdict(columns),
        losses=loss_rows(losses) if has_losses else None,
        calibration=_calibration(columns) if has_losses else None,
        newcomers=_newcomers(columns) if any(one.figures.convergence.players for one in columns) else None,
        by_band=_by_band(columns) if has_losses else None,
        bands=_groups(columns, lambda figures: figures.bands, band_name),
        parties=_groups(columns, lambda figures: figures.party_sizes, party_name),
        bins=_bins(columns),
        errors=_errors(columns),
        parameters=_parameters(columns),
        standings=_standings(columns),
    )


def _with_gaps(columns: Sequence[Column], *, is_one_history: bool) -> tuple[Column, ...]:
    """The same with each one's distance to the best."""
    judged = [(one.figures.total.log_loss, one) for one in columns if one.figures.total.log_loss is not None]
    if not judged:
        return tuple(columns)
    best_loss, best = min(judged, key=lambda pair: pair[0])

    def gap(one: Column) -> Gap | None:
        loss = one.figures.total.log_loss
        if one is best or loss is None:
            return None
        paired = difference(one.figures.blocks, best.figures.blocks) if is_one_history else None
        return Gap(loss - best_loss, chance(best.figures.total.matches) if paired is None else CERTAIN * paired.error)

    return tuple(replace(one, behind=gap(one)) for one in columns)


def verdict(columns: Sequence[Column]) -> str:
    """Which model predicted best, and whether that is more than chance."""
    judged = [one for one in columns if one.figures.total.log_loss is not None]
    if not judged:
        return _("Nothing was measured: the queue has too few rated matches.")
    best = next(one for one in judged if one.behind is None)
    followers = [(one.behind, one) for one in judged if one.behind is not None]
    if not followers:
        told = {"name": best.name, "matches": best.figures.total.matches, "loss": f"{best.figures.total.log_loss:.4f}"}
        return (
            ngettext(
                "%(name)s predicted %(matches)d match with a log loss of %(loss)s.",
                "%(name)s predicted %(matches)d matches with a log loss of %(loss)s.",
                best.figures.total.matches,
            )
            % told
        )
    gap, other = min(followers, key=lambda pair: pair[0].mean)
    names = {"best": best.name, "other": other.name, "gap": f"{gap.mean:.4f}", "chance": f"{gap.chance:.4f}"}
    if names["gap"] == "0.0000":
        sentence = _("%(best)s and %(other)s predicted equally well.")
    elif gap.is_chance:
        sentence = _(
            "%(best)s predicted best, but only %(gap)s better than %(other)s: over these matches chance alone makes "
            "up to %(chance)s."
        )
    else:
        sentence = _(
            "%(best)s predicted best: its log loss is %(gap)s lower than that of %(other)s, where chance alone makes "
            "up to %(chance)s."
        )
    return sentence % names


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def _calibration(columns: Sequence[Column]) -> Charts:
    spec = Spec(
        x=(0.0, 1.0),
        y=(0.0, 1.0),
        names=[(tenth / 10, f"{tenth * 10}%") for tenth in range(0, 11, 2)],
        lines=[
            Line([(one.predicted, one.observed) for one in column.figures.calibration], column.series, is_marked=True)
            for column in columns
        ],
        diagonal=True,
        rows=6,
        told=_percent,
    )
    return draw(spec, WIDE_SQUARE), draw(spec, NARROW_SQUARE)


def _newcomers(columns: Sequence[Column]) -> Charts:
    """How far newcomers stand from where they end up, by the root of the matches played: most happens at first."""
    ends = [error for column in columns for _games, error in column.figures.convergence.error]
    games = sorted({games for column in columns for games, _error in column.figures.convergence.error})
    spec = Spec(
        x=(0.5, math.sqrt(max(games)) + 0.2),
        y=span_of(ends, around=[0.0], least=50.0),
        names=[(math.sqrt(one), str(one)) for one in games],
        lines=[
            Line(
                [(math.sqrt(at), error) for at, error in column.figures.convergence.error],
                column.series,
                is_marked=True,
            )
            for column in columns
            if column.figures.convergence.players
        ],
    )
    return draw(spec, WIDE), draw(spec, NARROW)


def _by_root(error: Sequence[tuple[int, float]]) -> list[Point]:
    return [(math.sqrt(games), away) for games, away in error]


def _by_band(columns: Sequence[Column]) -> Charts:
    """Log loss by rating band."""
    starts = sorted({group.value for column in columns for group in column.figures.bands})
    places = {start: float(number) for number, start in enumerate(starts)}
    lines = [
        Line(
            [(places[group.value], group.figures.log_loss) for group in column.figures.bands],
            column.series,
            is_marked=True,
        )
        for column in columns
    ]
    values = [value for line in lines for _x, value in line.points]
    spec = Spec(
        x=(-0.5, len(starts) - 0.5),
        y=span_of(values, least=0.1),
        names=[(place, str(start)) for start, place in places.items()],
        lines=lines,
        told=lambda value: f"{value:.2f}",
    )
    return draw(spec, WIDE), draw(spec, NARROW)


def _groups(
    columns: Sequence[Column], part: Callable[[ModelFigures], Sequence[Group]], named: Callable[[int], str]
) -> tuple[GroupRow, ...]:
    found = [{group.value: group.figures for group in part(column.figures)} for column in columns]
    return tuple(_group_row(named(value), [one.get(value) for one in found]) for value in sorted(set().union(*found)))


def _group_row(name: str, figures: Sequence[Figures | None]) -> GroupRow:
    """The models may put a match into different bands, so the most matches of any stand beside the name."""
    return GroupRow(
        name=name,
        matches=max(one.matches for one in figures if one is not None),
        losses=tuple(one.log_loss if one is not None else None for one in figures),
    )


def _bins(columns: Sequence[Column]) -> tuple[tuple[str, tuple[tuple[int, float, float] | None, ...]], ...]:
    found = [{round(one.start * BINS): one for one in column.figures.calibration} for column in columns]
    rows = []
    for number in sorted(set().union(*found)):
        bins = [one.get(number) for one in found]
        cells = tuple(None if one is None else (one.count, one.predicted, one.observed) for one in bins)
        rows.append((_percent(number / BINS), cells))
    return tuple(rows)


def _errors(columns: Sequence[Column]) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
    found = [dict(column.figures.convergence.error) for column in columns]
    return tuple((games, tuple(one.get(games) for one in found)) for games in sorted(set().union(*found)))


def _parameters(columns: Sequence[Column]) -> tuple[ParameterRow, ...]:
    """Every parameter that any of the engines has, in the order of the first that has it."""
    names = dict.fromkeys(name for column in columns for name in schema_of(column.figures.name))
    rows = []
    for name in names:
        values = [column.figures.parameters.get(name) for column in columns]
        told = tuple("–" if value is None else parameter_value(value) for value in values)
        rows.append(ParameterRow(parameter_name(name), told, len({*told} - {"–"}) > 1))
    return tuple(rows)


def _standings(columns: Sequence[Column]) -> tuple[StandingRow, ...]:
    longest = max((len(column.figures.standings) for column in columns), default=0)
    rows = []
    for index in range(longest):
        tables = [column.figures.standings for column in columns]
        players = tuple((table[index].player, table[index].rating) if index < len(table) else None for table in tables)
        rows.append(StandingRow(index + 1, players))
    return tuple(rows)
