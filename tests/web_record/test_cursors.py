"""Cursors come back as they went out, and anything else is refused quietly."""

from hypothesis import given
from hypothesis import strategies as st

from ladder.core.cursors import LONGEST, pack, unpack
from ladder.selectors.board_cursor import read_cursor


@given(st.text(max_size=40), st.integers(-(2**31) + 1, 2**31 - 1))
def test_a_cursor_survives_the_round_trip(word: str, number: int) -> None:
    packed = pack((word, number, None))

    assert unpack(packed, (str, int, int)) == (word, number, None) or len(packed) > LONGEST


@given(st.text(max_size=600))
def test_nonsense_is_no_cursor(word: str) -> None:
    assert unpack(word, (str, int)) is None
    assert read_cursor(word) is None


def test_a_forged_time_is_no_cursor() -> None:
    key = "018f0000-0000-7000-8000-000000000000"
    early = "0001-01-01T00:00:00+14:00"

    assert read_cursor(pack((early, key, "", 5, 1, early, key, 1, 1, 1))) is None
