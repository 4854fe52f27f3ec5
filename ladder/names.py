"""Names: what may be a handle or a display name, and when two of them look the same."""

import re
import unicodedata

from confusable_homoglyphs import confusables
from django.utils.translation import gettext as _

from ratings.errors import DomainError

SHORTEST, LONGEST = 2, 30
LONGEST_DISPLAY_NAME = 60
LONGEST_ADDRESS = 50
_BLANK_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
# Letters and marks that are drawn as nothing or as a blank although Unicode does not class them as control characters.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for first, last in _BLANK_RANGES for code in range(first, last + 1)
}
# Digits that stand for letters in most typefaces; confusables lists only pairs across scripts.
_LETTER_FOR_DIGIT = {"0": "o", "1": "l"}
_WELL_FORMED = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")
_ADDRESS = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_ADDRESS}}}")
_RESERVED = frozenset(
    {
        *("admin", "administrator", "moderator", "mod", "owner", "organizer", "staff", "support", "system", "root"),
        *("me", "api", "accounts", "login", "logout", "signup", "static", "live", "healthz", "readyz", "settings"),
        *("everyone", "here", "nobody", "anonymous", "deleted", "none", "null", "undefined"),
    }
)


def comparison_key(name: str) -> str:
    """The name folded so that look-alikes are equal.

    Compatibility forms, letter case, invisible characters, letters of other scripts that look like Latin ones
    (Unicode's confusables) and the digits 0 and 1 are folded away: "Ann", "A\\u200bnn" and "\\u0410nn" give one key.
    """
    visible = "".join(character for character in unicodedata.normalize("NFKC", name) if not _is_invisible(character))
    return "".join(_latin_twin(character) for character in visible.casefold())


def clean_handle(handle: str) -> str:
    """The handle as it is stored; raises DomainError with a sentence that says what is wrong with it.

    Letters (of one script), digits and single . _ - between them. Whether somebody has it already, or one that looks
    like it, is a question for ladder.selectors.members.handle_is_free.
    """
    cleaned = clean_text(handle)
    if not SHORTEST <= len(cleaned) <= LONGEST:
        raise DomainError("handle_length", _("A handle has %(a)d to %(b)d characters.") % {"a": SHORTEST, "b": LONGEST})
    if not _WELL_FORMED.fullmatch(cleaned):
        raise DomainError("handle_characters", _("A handle has letters, digits and single . _ - between them."))
    if is_mixed_script(cleaned):
        raise DomainError("handle_mixed_scripts", _("A handle cannot mix letters of different alphabets."))
    if comparison_key(cleaned) in _RESERVED_KEYS:
        raise DomainError("handle_reserved", _("This handle is reserved. Please choose another one."))
    return cleaned


def clean_display_name(name: str) -> str:
    """A display name as it is stored: anything that can be seen, in one alphabet; pages escape it.

    Raises DomainError.
    """
    cleaned = clean_text(name)
    if not cleaned:
        raise DomainError("name_empty", _("A name needs at least one character."))
    if len(cleaned) > LONGEST_DISPLAY_NAME:
        raise DomainError("name_length", _("A name has at most %(n)d characters.") % {"n": LONGEST_DISPLAY_NAME})
    if any(is_mixed_script(word) for word in cleaned.split()):
        raise DomainError("name_mixed_scripts", _("A word of a name cannot mix letters of different alphabets."))
    return cleaned


def clean_title(name: str, longest: int) -> str:
    """The name of a club, queue, game or season as it is stored; raises DomainError with a sentence."""
    cleaned = clean_text(name)
    if not cleaned:
        raise DomainError("name_empty", _("A name needs at least one character."))
    if len(cleaned) > longest:
        raise DomainError("name_length", _("A name has at most %(n)d characters.") % {"n": longest})
    return cleaned


def clean_address(slug: str) -> str:
    """What stands in an address for a club, queue or season: pages are found by it, so anything else is refused.

    Raises DomainError.
    """
    if not _ADDRESS.fullmatch(slug):
        sentence = _("An address has 1 to %(n)d Latin letters, digits, hyphens and underscores; “%(slug)s” is none.")
        raise DomainError("bad_address", sentence % {"n": LONGEST_ADDRESS, "slug": slug})
    return slug


def clean_text(text: str) -> str:
    """Composed (NFC), trimmed; raises DomainError for characters that cannot be seen or that reorder others."""
    cleaned = unicodedata.normalize("NFC", text).strip()
    if any(_is_invisible(character) for character in cleaned):
        raise DomainError("invisible_characters", _("A name cannot have invisible or control characters."))
    return cleaned


def is_mixed_script(text: str) -> bool:
    """Whether letters of two alphabets stand in it and some of them could be taken for each other's."""
    return bool(confusables.is_dangerous(text)) and any(character.isalpha() for character in text)


def handle_from(name: str) -> str:
    """A handle made from a name, for accounts that an import creates; may be taken or reserved, never malformed."""
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character)
    )
    whole = unicodedata.normalize("NFC", plain)  # what is one letter again, such as a Korean syllable, counts as one
    words = "".join(character if character.isalnum() else " " for character in whole).split()
    kept = "-".join(words).lower()[:LONGEST].strip("-")
    return kept if len(kept) >= SHORTEST else f"player-{kept}".strip("-")


def _is_invisible(character: str) -> bool:
    """Control, format, surrogate, private and unassigned characters, line separators, and blanks in disguise."""
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp") or character in _BLANKS


def _latin_twin(character: str) -> str:
    if character.isascii():
        return _LETTER_FOR_DIGIT.get(character, character)
    for found in confusables.is_confusable(character, greedy=True, preferred_aliases=[]) or []:
        for twin in found["homoglyphs"]:
            if twin["c"].isascii():
                return str(twin["c"]).casefold()
    return character


_RESERVED_KEYS = frozenset(comparison_key(word) for word in _RESERVED)
