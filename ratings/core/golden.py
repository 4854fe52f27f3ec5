"""Runs reference values against the formulas: cases of {id, system, op, input, expect, tol}.

A tolerance is absolute below magnitude 1 and relative above it; a number applies to every field.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.core import elo, elo_fide, glicko
from ratings.core.kernels.glicko import next_volatility
from ratings.core.trueskill import trueskill_rate
from ratings.core.types import PlayerFacts
from ratings.core.weng_lin import weng_lin_rate

Fields = Mapping[str, Any]
_NO_TOLERANCE = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case; `problem` is empty when it passed."""

    case: str
    problem: str

    @property
    def passed(self) -> bool:
        """No problem was found."""
        return not self.problem


def run_cases(cases: Sequence[Fields]) -> Iterator[Verdict]:
    """One verdict per case, in order. A case that cannot be read or computed has failed, and says why."""
    for number, case in enumerate(cases, start=1):
        name = str(case.get("id", f"case {number}")) if isinstance(case, Mapping) else f"case {number}"
        try:
            problems = _problems(case)
        except (ArithmeticError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            problems = [f"{type(error).__name__}: {error}"]
        yield Verdict(name, "; ".join(problems))


def _problems(case: Fields) -> list[str]:
    key = (case["system"], case["op"])
    if key not in _OPERATIONS:
        return [f"unknown operation {key[0]} {key[1]}"]
    got = _OPERATIONS[key](case["input"])
    tolerance = case.get("tol", _NO_TOLERANCE)
    found = [] if case["expect"] else ["expects nothing"]
    for field, expected in case["expect"].items():
        if field not in got:
            found.append(f"{field}: expected {expected}, got nothing of that name")
        elif not agrees(expected, got[field], tolerance[field] if isinstance(tolerance, Mapping) else tolerance):
            found.append(f"{field}: expected {expected}, got {got[field]}")
    return found


def agrees(expected: Any, got: Any, tolerance: float) -> bool:
    """Whether two values of the same shape lie within the tolerance everywhere; NaN agrees with nothing."""
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        same_shape = isinstance(got, Sequence) and len(got) == len(expected)
        return same_shape and all(agrees(*pair, tolerance) for pair in zip(expected, got, strict=True))
    if not math.isfinite(got):
        return False
    return abs(float(expected) - float(got)) <= float(tolerance) * max(1.0, abs(float(expected)))


def _elo_expected(given: Fields) -> Fields:
    return {"expected": elo.elo_expected(given["rating"], given["opponent"])}


def _elo_update(given: Fields) -> Fields:
    a, b = elo.elo_update(
        given["rating_a"], given["rating_b"], k_a=given["k_a"], k_b=given["k_b"], score_a=given["score_a"]
    )
    return {"new_a": a, "new_b": b}


def _fide_table(given: Fields) -> Fields:
    return {"pd": elo_fide.expected_hundredths(given["difference"]) / 100}


def _fide_k(given: Fields) -> Fields:
    facts = PlayerFacts(given["games_before"], given["under_18_until_year_end"], given["has_reached_2400"])
    return {"k": elo_fide.k_factor(given["rating"], facts)}


def _fide_initial(given: Fields) -> Fields:
    return {"rating": elo_fide.initial_rating(given["opponents"], given["score"])}


def _fide_period(given: Fields) -> Fields:
    done = elo_fide.period(
        given["rating"],
        given["k"],
        [(game["opponent"], game["score"]) for game in given["games"]],
        full_difference_from_2650=given.get("full_difference_from_2650", True),
    )
    return {
        "k_used": done.k_used,
        "sum_delta": float(done.sum_delta),
        "change": done.change,
        "new_rating": given["rating"] + done.change,
    }


def _glicko_period(given: Fields) -> Fields:
    rating, rd = glicko.glicko_period(
        given["rating"],
        given["rd"],
        given["games"],
        c=given.get("c", 0.0),
        periods=given.get("periods_idle", 0),
        rd_max=given.get("rd_max", 350.0),
    )
    return {"rating": rating, "rd": rd}


def _glicko2_period(given: Fields) -> Fields:
    rating, rd, volatility = glicko.glicko2_period(
        given["rating"], given["rd"], given["volatility"], given["games"], tau=given["tau"]
    )
    return {"rating": rating, "rd": rd, "volatility": volatility}


def _glicko2_volatility(given: Fields) -> Fields:
    found = next_volatility(given["phi"], given["delta"], given["v"], given["volatility"], given["tau"])
    return {"volatility": found}


def _trueskill(given: Fields) -> Fields:
    teams = trueskill_rate(
        given["teams"],
        given["ranks"],
        beta=given["beta"],
        tau=given["tau"],
        draw_probability=given["draw_probability"],
        weights=given.get("weights"),
    )
    return {"teams": teams}


def _weng_lin(given: Fields) -> Fields:
    teams = weng_lin_rate(
        given["teams"],
        given["ranks"],
        model=given["model"],
        beta=given["beta"],
        tau=given["tau"],
        kappa=given.get("kappa", 0.0001),
        epsilon=given.get("epsilon", 0.1),
        weights=given.get("weights"),
    )
    return {"teams": teams}


_OPERATIONS: dict[tuple[str, str], Callable[[Fields], Fields]] = {
    ("elo", "expected_score"): _elo_expected,
    ("elo", "update"): _elo_update,
    ("elo_fide", "table"): _fide_table,
    ("elo_fide", "k_factor"): _fide_k,
    ("elo_fide", "initial_rating"): _fide_initial,
    ("elo_fide", "period"): _fide_period,
    ("glicko", "period"): _glicko_period,
    ("glicko2", "period"): _glicko2_period,
    ("glicko2", "volatility"): _glicko2_volatility,
    ("trueskill", "rate"): _trueskill,
    ("weng_lin", "rate"): _weng_lin,
}
