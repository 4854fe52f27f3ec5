"""A new season's soft reset: ranks move towards the middle, and the next first rank stays near."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.models import SeasonRules
from ratings.core.explain import player_facts
from ratings.core.rank_reset import after_reset, carried_into, compressed, middle_of, rating_at
from ratings.core.rank_rules import DEFAULT_RULES, RankRules, Tier
from ratings.core.visible_rank import Note, RankState, Result, apply_result, label, new_state, place, target_position
from ratings.models import RatingEvent
from ratings.selectors import explanation
from ratings.selectors.sentences import sentence
from ratings.services.verify import verify_ledger
from tests.ratings.world import QUICK, make_world

COARSE = RankRules(
    tiers=(Tier("Low", (None, 1000.0)), Tier("High", (1200.0, 1500.0)), Tier("Sky", (2000.0,))),
)
positions = st.integers(0, 2400)
ratings = st.floats(-500.0, 4000.0)
kept = st.integers(0, 100)


@given(positions, positions, kept, kept)
def test_a_reset_moves_everybody_towards_the_middle_and_nobody_past_another(
    one: int, other: int, share: int, middle: int
) -> None:
    rules = RankRules(reset_kept=share, reset_middle=middle)
    low, high = sorted((one, other))

    assert compressed(rules, low) <= compressed(rules, high)
    assert abs(compressed(rules, one) - middle_of(rules)) <= abs(one - middle_of(rules)) + 50
    assert compressed(rules, one) % 50 == 0


def test_the_standard_reset_keeps_half_of_the_way_from_the_middle() -> None:
    names = {label(DEFAULT_RULES, position).name: position for position in range(0, 1700, 100)}

    assert label(DEFAULT_RULES, middle_of(DEFAULT_RULES)).name == "Gold 2"
    assert compressed(DEFAULT_RULES, names["Bronze 3"]) == 350
    assert label(DEFAULT_RULES, compressed(DEFAULT_RULES, names["Master"])).name == "Platinum 1"


@given(positions)
def test_with_the_same_boundaries_a_rank_is_carried_over_as_it_is(position: int) -> None:
    assert carried_into(DEFAULT_RULES, RankRules(base=25, shield=0), position) == position


@given(positions)
def test_a_rating_at_a_position_has_that_position_as_its_target(position: int) -> None:
    for rules in (DEFAULT_RULES, COARSE):
        assert abs(target_position(rules, rating_at(rules, position)) - position) <= 1


@given(positions, positions)
def test_between_tables_a_higher_rank_stays_the_higher_one(one: int, other: int) -> None:
    low, high = sorted((one, other))

    assert carried_into(DEFAULT_RULES, COARSE, low) <= carried_into(DEFAULT_RULES, COARSE, high)


def test_a_rank_is_carried_into_another_table_by_the_rating_at_which_it_stood() -> None:
    gold_3 = 600  # begins at 1400 there; two thirds of the way from 1200 to 1500 here

    assert label(COARSE, carried_into(DEFAULT_RULES, COARSE, gold_3)).name == "High 2"
    assert carried_into(DEFAULT_RULES, COARSE, gold_3) in (266, 267)


@given(positions, ratings, st.integers(0, 5))
def test_the_first_rank_stays_within_the_stated_divisions_of_the_reset(start: int, rating: float, leave: int) -> None:
    rules = RankRules(reset_leave=leave)
    begin = compressed(rules, start)

    first = place(rules, rating, begin)

    assert abs(first - begin) <= 100 * leave
    assert first % 50 == 0
    free = place(rules, rating)
    assert first == free or abs(first - begin) == 100 * leave


def test_placement_after_a_reset_ends_near_it_and_says_so() -> None:
    state = new_state(DEFAULT_RULES, returning=True, start=500)
    for played in (1, 2, 3):
        done = apply_result(DEFAULT_RULES, state, Result.WIN, club_rating=2200.0, deviation=60.0, played=played)
        state = done.state

    assert state == RankState(position=800)
    assert done.notes == (Note.PLACEMENT, Note.PLACED, Note.HELD_BY_RESET)


def test_who_had_no_rank_starts_from_none() -> None:
    assert after_reset(DEFAULT_RULES, DEFAULT_RULES, None) is None


@pytest.mark.django_db
@pytest.mark.service
def test_B91_a_new_season_shows_no_rank_of_the_old_one_and_placement_starts_from_the_reset() -> None:
    world = make_world(QUICK)
    for _ in range(12):
        world.play("alice", "bob")
    before = world.rating("alice").position
    SeasonRules.objects.filter(season=world.next_season).update(rank_rules=DEFAULT_RULES.to_json())
    world.rules = DEFAULT_RULES
    world.now += timedelta(days=100)

    world.play("alice", "carol", season=world.next_season)

    row = world.rating("alice", world.next_season)
    assert before is not None
    assert (row.position, row.placement_left) == (None, 2)
    assert row.start_position == compressed(DEFAULT_RULES, before)
    assert world.rating("carol", world.next_season).start_position is None
    for _ in range(2):
        world.play("alice", "dave", season=world.next_season)
    placed = world.rating("alice", world.next_season)
    assert placed.position is not None
    assert abs(placed.position - row.start_position) <= 300
    assert placed.start_position is None
    assert verify_ledger() == []


@pytest.mark.django_db
@pytest.mark.service
def test_the_reset_is_explained_to_the_player_without_a_number_of_the_rating_and_to_the_staff_with_all() -> None:
    world = make_world(QUICK)
    for _ in range(12):
        world.play("alice", "bob")
    world.play("alice", "carol", season=world.next_season)
    event = RatingEvent.objects.filter(player_rating=world.rating("alice", world.next_season)).earliest("seq")

    told = str(explanation(event))
    staff = str(explanation(event, "staff"))

    assert "the new season lets you start from" in told
    assert "your first rank lies within 3 divisions of it" in told
    assert not any(str(round(value)) in told for value in (event.rating_after, event.deviation_after or 0.0))
    assert "50% of its distance from Gold 2 is kept" in staff


def test_a_season_reset_is_told_in_the_same_words() -> None:
    reset = {"before": {"name": "Gold 1"}, "start": {"name": "Gold 2"}, "leave": 1}
    told = {"source": "earlier_season", "matches": 3, "reset": reset}

    words = " ".join(sentence(fact) for fact in player_facts("season_reset", told))

    assert words.startswith("What we know of you from an earlier season is kept; 3 placement matches find")
    assert words.endswith(
        "Your rank was Gold 1; the new season lets you start from Gold 2, and your first rank lies "
        "within 1 division of it."
    )
