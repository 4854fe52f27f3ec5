"""Reduced points: a factor with a name, which a match carries for some of its players."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.match_facts import MatchFacts, SeatFacts
from ratings.core.visible_rank import DEFAULT_RULES, Note, RankState, Result, apply_result
from ratings.models import RatingEvent
from ratings.selectors import explanation
from ratings.services.ledger import apply_match
from ratings.services.verify import verify_ledger
from tests.ratings.world import World

HALF = SeatFacts(points_percent=50, points_reason="wide_party")


@given(
    st.integers(0, 2400),
    st.sampled_from(list(Result)),
    st.floats(-500.0, 4000.0),
    st.integers(0, 99),
    st.integers(0, 3),
)
def test_reduced_points_never_turn_the_sign_and_never_move_further(
    position: int, result: Result, rating: float, percent: int, shield: int
) -> None:
    state = RankState(position=position, shield=shield)
    full, reduced = (
        apply_result(DEFAULT_RULES, state, result, club_rating=rating, deviation=60.0, played=9, percent=share)
        for share in (100, percent)
    )

    assert full.delta is not None
    assert reduced.delta is not None
    assert abs(reduced.delta) <= abs(full.delta)
    assert reduced.delta * full.delta >= 0
    assert Note.REDUCED in reduced.notes
    assert Note.REDUCED not in full.notes
    if percent > 0 and result is Result.WIN:
        assert reduced.delta >= 1


@pytest.mark.parametrize(
    ("percent", "win", "loss"), [(100, 20, -20), (50, 10, -10), (33, 7, -7), (1, 1, -1), (0, 0, 0)]
)
def test_reduced_points_are_a_share_of_the_whole(percent: int, win: int, loss: int) -> None:
    state = RankState(position=750)

    def moved(result: Result) -> int | None:
        step = apply_result(DEFAULT_RULES, state, result, club_rating=1550.0, deviation=60.0, played=9, percent=percent)
        return step.delta

    assert (moved(Result.WIN), moved(Result.LOSS)) == (win, loss)


@pytest.mark.django_db
@pytest.mark.service
def test_the_one_who_came_with_reduced_points_gets_them_and_the_rating_does_not_know(quick_world: World) -> None:
    world = quick_world
    for _ in range(6):
        world.play("alice", "bob")
        world.play("carol", "dave")
    formed = world.form(["alice"], ["carol"])
    plain = world.outcome(formed)
    facts = MatchFacts.of(None, None, [[HALF], [SeatFacts()]])
    before = {name: world.rating(name).position for name in ("alice", "carol")}

    apply_match(outcome=replace(plain, facts=facts), now=world.now)

    event, other = (RatingEvent.objects.get(match=formed.match, player_rating=world.rating(name)) for name in before)
    assert event.points_delta is not None
    assert 0 < event.points_delta <= DEFAULT_RULES.high // 2
    assert event.explanation["rank"]["reduced"] == {"percent": 50, "reason": "wide_party"}
    assert "You came as a full party of very different ranks" in str(explanation(event))
    assert "50% of its points" in str(explanation(event))
    assert "Reduced to 50% of the points: wide_party." in str(explanation(event, "staff"))
    assert "reduced" not in other.explanation["rank"]
    assert verify_ledger() == []


@pytest.mark.django_db
@pytest.mark.service
def test_the_engine_hears_nothing_of_reduced_points(quick_world: World) -> None:
    world = quick_world
    beliefs = []
    for facts in (MatchFacts(), MatchFacts.of(None, None, [[HALF], [HALF]])):
        names = ("alice", "bob") if not beliefs else ("carol", "dave")
        formed = world.form([names[0]], [names[1]])
        plain = world.outcome(formed)
        apply_match(outcome=replace(plain, facts=facts), now=world.now)
        beliefs.append((world.rating(names[0]).rating, world.rating(names[0]).deviation))

    assert beliefs[0] == beliefs[1]


def test_an_unknown_reason_is_told_in_general_words(quick_world: World) -> None:
    formed = quick_world.form(["alice"], ["bob"])
    apply_match(outcome=quick_world.outcome(formed), now=quick_world.now)
    quick_world.play("alice", "bob")
    event = quick_world.last_event("alice")
    event.explanation["rank"]["reduced"] = {"percent": 25, "reason": "by_the_moon"}

    assert "reduced points: it pays and costs 25% of what it would" in str(explanation(event))
