"""Identifiers that sort by time."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.ids import uuid7

MOMENTS = st.integers(0, (1 << 48) - 1)
RANDOM = st.binary(min_size=10, max_size=16)


@given(MOMENTS, RANDOM)
def test_it_is_a_version_7_uuid_that_holds_its_moment(moment: int, random_bytes: bytes) -> None:
    made = uuid7(moment, random_bytes)

    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == moment


@given(MOMENTS, MOMENTS, RANDOM, RANDOM)
def test_it_sorts_by_time(first: int, second: int, one: bytes, other: bytes) -> None:
    if first < second:
        assert uuid7(first, one) < uuid7(second, other)


def test_it_matches_the_example_of_rfc_9562() -> None:
    random_bytes = (0xCC3).to_bytes(2, "big") + (0x18C4DC0C0C07398F).to_bytes(8, "big")

    assert uuid7(0x017F22E279B0, random_bytes) == uuid.UUID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")


@pytest.mark.parametrize(("moment", "size"), [(-1, 10), (1 << 48, 10), (0, 9)])
def test_it_refuses_what_does_not_fit(moment: int, size: int) -> None:
    with pytest.raises(ValueError, match=r"must be between|random bytes"):
        uuid7(moment, bytes(size))
