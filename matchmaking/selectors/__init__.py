"""Reads of matchmaking, as rows ready to show."""

from matchmaking.selectors.figures import figures_of, queue_figures
from matchmaking.selectors.play import play_state
from matchmaking.selectors.rows import (
    MatchCard,
    Notice,
    PlayState,
    QueueFigures,
    QueueLink,
    ReadyCard,
    SearchCard,
    UsualWait,
)

__all__ = [
    "MatchCard",
    "Notice",
    "PlayState",
    "QueueFigures",
    "QueueLink",
    "ReadyCard",
    "SearchCard",
    "UsualWait",
    "figures_of",
    "play_state",
    "queue_figures",
]
