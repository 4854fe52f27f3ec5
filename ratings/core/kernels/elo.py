"""Elo's few formulas."""

_LOGITS_A_POINT = 0.005756462732485115  # ln(10) / 400


def logit(gap: float) -> float:
    """A gap in points as a logit."""
    return gap * _LOGITS_A_POINT


def with_minimum(surprise: float, score: float, least: float) -> float:
    """The surprise of a decided game held away from 0 by `least`; draws are left alone."""
    if score > 0.5:
        return max(surprise, least)
    if score < 0.5:
        return min(surprise, -least)
    return surprise
