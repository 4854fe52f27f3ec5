"""Beliefs and matches for property tests, drawn on the club scale and carried to each engine's own."""

from hypothesis import strategies as st

from ratings.core.registry import get_engine
from ratings.core.types import Belief, Engine
from ratings.core.weng_lin import MODELS

NAMES = ["elo", "elo_fide", "glicko", "glicko2", "trueskill", "trueskill2"]
ENGINES: list[Engine] = [
    *(get_engine(name) for name in NAMES),
    *(get_engine("weng_lin", {"model": model}) for model in MODELS),
]
ENGINE_IDS = [*NAMES, *MODELS]

CLUB_BELIEFS = st.builds(
    Belief,
    rating=st.floats(0, 3500),
    deviation=st.floats(1, 400),
    volatility=st.floats(0.001, 0.1),
)


def line_ups(max_teams: int = 5, max_size: int = 4) -> st.SearchStrategy[list[list[Belief]]]:
    """Two and more teams of club beliefs."""
    return st.lists(st.lists(CLUB_BELIEFS, min_size=1, max_size=max_size), min_size=2, max_size=max_teams)


def on_own_scale(engine: Engine, teams: list[list[Belief]]) -> list[list[Belief]]:
    """The same line-up as the engine holds it."""
    return [[engine.from_club(one) for one in team] for team in teams]
