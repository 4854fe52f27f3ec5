"""The proof of the ledger knows what a day of idleness may do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ratings.core.decay import Calendar
from ratings.core.rating_match import Account
from ratings.models import PlayerRating, RatingEvent
from ratings.services.books import CHANGING_COLUMNS, Book, account_of
from ratings.services.bulk import copy_rows, update_rows
from ratings.services.decay import catch_up
from ratings.services.verify import verify_ledger
from tests.ratings.idle import BERLIN, FADING, FIRST, ONE, fade, settle, win
from tests.ratings.world import START, World, make_world

pytestmark = pytest.mark.service


@pytest.fixture
def fading(db: None) -> World:
    """A club in Berlin whose every tier fades after three days."""
    return fade(make_world(FADING))


Forge = Callable[[Account, dict[str, Any]], tuple[Account, dict[str, Any]]]


def _moves_the_rating(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    return replace(after, belief=replace(after.belief, rating=after.belief.rating - 1.0)), told


def _takes_more(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    return after, {**told, "rule": {"points": 14, "every": 1}}


def _tells_another_sum(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    return after, {**told, "points": 14}


def _goes_below_the_foot(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    foot = {**told["rank"]["foot"], "position": told["rank"]["before"]["position"]}
    return after, {**told, "rank": {**told["rank"], "foot": foot}}


def _leaves_the_tier(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    foot = {**told["rank"]["foot"], "tier": told["rank"]["foot"]["tier"] - 1}
    return after, {**told, "rank": {**told["rank"], "foot": foot}}


def _names_another_day(after: Account, told: dict[str, Any]) -> tuple[Account, dict[str, Any]]:
    return after, {**told, "day": "2026-03-01"}


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (_moves_the_rating, "idleness moved the rating"),
        (_takes_more, "break the rule of its season"),
        (_tells_another_sum, "not those that it names"),
        (_goes_below_the_foot, "break the rule of its season"),
        (_leaves_the_tier, "took it out of its tier"),
        (_names_another_day, "its day is not the one that it names"),
    ],
)
def test_the_proof_of_the_ledger_notices_a_decay_that_breaks_its_rule(fading: World, forge: Forge, words: str) -> None:
    """Written with hashes that hold, as a mistaken program would."""
    win(fading)
    settle(fading, FIRST + 6 * ONE)
    settled = fading.rating("alice")
    (true,) = catch_up(Book.of(settled), FADING, Calendar(BERLIN), FIRST + 7 * ONE, now=START + 8 * ONE)
    book = Book.of(settled)
    step = account_of(settled)
    step = replace(step, rank=replace(step.rank, position=true["position_after"]), decayed_to=true["decay_date"])
    after, told = forge(step, json.loads(true["explanation"]))

    row = book.append("decay", after, told, now=START + 8 * ONE, rules=FADING, decay_date=true["decay_date"])
    copy_rows(RatingEvent, [row])
    update_rows(PlayerRating, CHANGING_COLUMNS, [book.changing_values()])

    assert any(words in problem.what for problem in verify_ledger())
