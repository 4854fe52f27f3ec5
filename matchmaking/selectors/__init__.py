"""Reads of matchmaking, as rows ready to show."""

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

__all__ = ["MatchCard", "Notice", "PlayState", "QueueFigures", "QueueLink", "ReadyCard", "SearchCard", "UsualWait"]
