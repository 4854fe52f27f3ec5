"""Handles: what may be one, and when two of them look the same."""

import unicodedata

from confusable_homoglyphs import confusables


def comparison_key(handle: str) -> str:
    """The handle folded so that look-alikes are equal.

    Compatibility forms, letter case, invisible characters and letters of other scripts that look like Latin ones
    (Unicode's confusables) are folded away: "Ann", "A\\u200bnn" and "\\u0410nn" give one key.
    """
    visible = "".join(
        character for character in unicodedata.normalize("NFKC", handle) if unicodedata.category(character)[0] != "C"
    )
    return "".join(_latin_twin(character) for character in visible.casefold())


def _latin_twin(character: str) -> str:
    if character.isascii():
        return character
    for found in confusables.is_confusable(character, greedy=True, preferred_aliases=[]) or []:
        for twin in found["homoglyphs"]:
            if twin["c"].isascii():
                return str(twin["c"]).casefold()
    return character
