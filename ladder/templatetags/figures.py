"""Template filters of figures: points, shares, losses and waits, each with the decimals that mean something."""

from collections.abc import Callable

from django import template

from ladder.core.charts import shape_of

register = template.Library()

NOTHING = "–"


def _written(write: Callable[[float], str]) -> Callable[[object], str]:
    """The filter that writes numbers so, with a true minus, and a dash for what is not there."""

    def filtered(value: object) -> str:
        return write(float(value)).replace("-", "−") if isinstance(value, int | float) else NOTHING

    return filtered


def _points(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.1f}"


def _points_signed(value: float) -> str:
    text = _points(abs(value))
    if float(text) == 0.0:
        return "±0"
    return f"+{text}" if value > 0 else f"-{text}"


def _share(value: float) -> str:
    percent = 100.0 * value
    return f"{percent:.0f}%" if abs(percent) >= 9.95 or percent == 0.0 else f"{percent:.1f}%"


def _seconds(value: float) -> str:
    whole = round(value)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02}"


# points: 1512, 3.4. points_signed: +3.4, −12, ±0. points_only: without a sign, for sentences that tell the direction.
register.filter("points", _written(_points))
register.filter("points_signed", _written(_points_signed))
register.filter("points_only", _written(lambda value: _points(abs(value))))
# share: 48%, 7.3%, of a share of one. loss: log loss, Brier score. seconds: a wait, 42 s, 3:20.
register.filter("share", _written(_share))
register.filter("loss", _written(lambda value: f"{value:.4f}"))
register.filter("seconds", _written(_seconds))


@register.filter
def mark(series: int) -> str:
    """The shape by which a series is known besides its colour, for the key beside a chart."""
    return shape_of(series)
