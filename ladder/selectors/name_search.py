"""Finding people by part of their name."""

import unicodedata

from django.db import connection
from django.db.models import Q

SHORT = 3


def named(text: str, path: str = "player__") -> Q:
    """Whose handle or display name holds the text; one or two characters must begin the handle or a word of the name.

    The indexes know names by threes of characters, in which a word's beginning counts as two. path: to the player.
    """
    wanted = unicodedata.normalize("NFC", text)
    handle, name = f"{path}handle", f"{path}display_name"
    if len(wanted) >= SHORT:
        return Q(**{f"{handle}__icontains": wanted}) | Q(**{f"{name}__icontains": wanted})
    begins = Q(**{f"{handle}__istartswith": wanted}) | Q(**{f"{name}__istartswith": wanted})
    return begins | Q(**{f"{name}__icontains": f" {wanted}"})


def patterns(text: str) -> tuple[str, str, str]:
    """The same as patterns for LIKE: of the handle, of the name, and of a further word of the name."""
    wanted = unicodedata.normalize("NFC", text)
    plain = connection.ops.prep_for_like_query(wanted)
    if len(wanted) >= SHORT:
        return f"%{plain}%", f"%{plain}%", f"%{plain}%"
    return f"{plain}%", f"{plain}%", f"% {plain}%"
