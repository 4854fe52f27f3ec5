"""Handles and display names: look-alikes, invisible characters, reserved words."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ladder.models import Player
from ladder.names import LONGEST, clean_display_name, clean_handle, comparison_key, handle_from, is_mixed_script
from ladder.selectors.members import handle_is_free
from ratings.errors import DomainError


@pytest.mark.parametrize(
    "look_alike", ["A\u200bnn", "\u0410nn", "ANN", "\uff21nn", "Ann\u2060", "An\u034fn", "Ann\ufe0f", "\u13aann"]
)
def test_B121_names_that_look_alike_have_one_key(look_alike: str) -> None:
    assert comparison_key(look_alike) == comparison_key("Ann")


@pytest.mark.parametrize("other", ["Anna", "Änn", "Ben", "A.nn"])
def test_names_that_look_different_have_different_keys(other: str) -> None:
    assert comparison_key(other) != comparison_key("Ann")


@pytest.mark.service
def test_B121_a_handle_is_taken_for_everything_that_looks_like_it(db: None) -> None:
    Player.objects.create_user("Ann")

    assert not handle_is_free("ann")
    assert not handle_is_free("\u0410nn")
    assert handle_is_free("Anne")


@pytest.mark.parametrize("good", ["ann", "Ann-2", "a.b_c-d", "Михаил", "Jürgen", "日本", "x1"])
def test_a_good_handle_stays_as_it_is(good: str) -> None:
    assert clean_handle(f" {good} ") == good


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("a", "handle_length"),
        ("a" * 31, "handle_length"),
        ("an n", "handle_characters"),
        ("-ann", "handle_characters"),
        ("ann__b", "handle_characters"),
        ("ann@home", "handle_characters"),
        ("<b>ann</b>", "handle_characters"),
        ("an\u200bn", "invisible_characters"),
        ("an\u202en", "invisible_characters"),
        ("an\x00n", "invisible_characters"),
        ("an\u3164n", "invisible_characters"),
        ("p\u0430ul", "handle_mixed_scripts"),
        ("Admin", "handle_reserved"),
        ("m0derator", "handle_reserved"),
    ],
)
def test_a_bad_handle_is_refused_in_words(bad: str, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        clean_handle(bad)

    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")


def test_B119_a_display_name_may_be_hostile_but_not_invisible() -> None:
    assert clean_display_name("<img src=x onerror=alert(1)>") == "<img src=x onerror=alert(1)>"
    for bad in ("", "   ", "a\u202eb", "x" * 61, "p\u0430ul"):
        with pytest.raises(DomainError):
            clean_display_name(bad)


def test_a_name_in_two_alphabets_word_by_word_is_fine() -> None:
    assert clean_display_name("FC Спартак") == "FC Спартак"


@given(st.text(max_size=80))
@example("\uac00")
def test_a_made_handle_is_always_well_formed_but_for_mixed_or_reserved(name: str) -> None:
    handle = handle_from(name)

    assert len(handle) <= LONGEST
    assert is_mixed_script(handle) or reason_against(handle) in ("", "handle_reserved")


def reason_against(handle: str) -> str:
    """The code of the refusal, empty for a handle that stays as it is."""
    try:
        return "" if clean_handle(handle) == handle else "changed"
    except DomainError as refusal:
        return refusal.code


@given(st.text(max_size=40))
def test_the_key_is_a_fixed_point(name: str) -> None:
    once = comparison_key(name)

    assert comparison_key(once) == once
