"""Template filters of figures: points, shares, losses and waits, each with the decimals that mean something."""

from django import template

register = template.Library()

NOTHING = "–"


@register.filter
def points(value: float | None) -> str:
    """Rating points, whole ones from ten on: 1512, 3.4; a dash for None."""
    if value is None:
        return NOTHING
    return _minus(f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.1f}")


@register.filter
def points_signed(value: float | None) -> str:
    """The same with a sign: +3.4, −12, ±0."""
    if value is None:
        return NOTHING
    text = points(abs(value))
    if float(text) == 0.0:
        return "±0"
    return f"+{text}" if value > 0 else f"−{text}"


@register.filter
def points_only(value: float | None) -> str:
    """The same without a sign, for sentences that tell the direction in words."""
    return NOTHING if value is None else points(abs(value))


@register.filter
def share(value: float | None) -> str:
    """A share of one in per cent: 48%, 7.3%."""
    if value is None:
        return NOTHING
    percent = 100.0 * value
    return _minus(f"{percent:.0f}%" if abs(percent) >= 9.95 or percent == 0.0 else f"{percent:.1f}%")


@register.filter
def loss(value: float | None) -> str:
    """Log loss, Brier score and calibration error: four decimals."""
    return NOTHING if value is None else _minus(f"{value:.4f}")


@register.filter
def seconds(value: float | None) -> str:
    """A wait: 42 s, 3:20."""
    if value is None:
        return NOTHING
    whole = round(value)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02}"


def _minus(text: str) -> str:
    return text.replace("-", "−")
