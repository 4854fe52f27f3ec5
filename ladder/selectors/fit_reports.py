"""What a search of parameters found: the moved ones, and whether it holds on matches that the search never saw."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ladder.core.row_charts import NARROW_WIDTH, WIDE_WIDTH, Item, RowChart, row_chart
from ladder.selectors.rating_words import engine_name, parameter_name, parameter_value
from ratings.selectors.report_figures import FitFigures

RowCharts = tuple[RowChart, RowChart]
CHANCE = 0.3  # where nothing better is known: two standard errors of a difference, times the root of the matches


@dataclass(frozen=True, slots=True)
class FitRow:
    """A parameter that a search moved."""

    name: str
    start: str
    fitted: str


@dataclass(frozen=True, slots=True)
class FitShown:
    """What a search found: the moved parameters, and the log loss on each part of the history."""

    figures: FitFigures
    engine: str
    changed: tuple[FitRow, ...]
    verdict: str
    losses: RowCharts


def chance(matches: int) -> float:
    """What chance makes of a difference in log loss over so many matches, where the losses themselves are not kept.

    Differences of single matches scatter by 0.05 to 0.2 between the models of docs/ratings.md; 0.15 is taken here.
    """
    return CHANCE / math.sqrt(max(matches, 1))


def loss_rows(items: Sequence[Item]) -> RowCharts:
    """Log losses on one axis, for wide and for narrow screens."""

    def told(value: float) -> str:
        return f"{value:.4f}"

    wide, narrow = (
        row_chart(items, width=width, least=0.004, told=told, tick_told=lambda value: f"{value:.3f}")
        for width in (WIDE_WIDTH, NARROW_WIDTH)
    )
    return wide, narrow


def fit_shown(found: FitFigures) -> FitShown:
    """What a finished search found, in words, rows and a plot."""
    names = {"train": _("searched on"), "held_out": _("held out"), "all": _("all that was measured")}
    items = []
    for span in found.spans:
        part = names[span.name]
        items.append(Item(_("%(part)s, before") % {"part": part}, span.start, 1))
        items.append(Item(_("%(part)s, found") % {"part": part}, span.fitted, 0))
    return FitShown(
        figures=found,
        engine=engine_name(found.name),
        changed=tuple(
            FitRow(parameter_name(one.name), parameter_value(one.start), parameter_value(one.fitted))
            for one in found.changed
        ),
        verdict=_fit_verdict(found),
        losses=loss_rows(items),
    )


def _fit_verdict(found: FitFigures) -> str:
    """Whether what was found also holds on the part that the search never saw."""
    held_out = next(span for span in found.spans if span.name == "held_out")
    gain, least = held_out.start - held_out.fitted, chance(held_out.matches)
    told = {"gain": f"{abs(gain):.4f}", "chance": f"{least:.4f}"}
    if not found.changed:
        return _("No step from the parameters you began with predicted better: they stay.")
    if gain >= least:
        return _("It holds: on matches that the search never saw, log loss falls by %(gain)s.") % told
    if gain > 0.0:
        return (
            _(
                "It may hold: on matches that the search never saw, log loss falls by %(gain)s, and over so few of "
                "them less than about %(chance)s is chance."
            )
            % told
        )
    return _("It does not hold: on matches that the search never saw, log loss rises by %(gain)s.") % told
