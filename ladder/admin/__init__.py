"""The admin site of people and play: everything is registered, each room in its own file."""

from ladder.admin import clubs, play, record

__all__ = ["clubs", "play", "record"]
