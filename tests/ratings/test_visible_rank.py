"""The visible rank: its rules one by one, and what holds whatever happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.visible_rank import (
    DEFAULT_RULES,
    Note,
    RankRules,
    RankState,
    RankStep,
    Result,
    apply_result,
    half_divisions,
    label,
    new_state,
    place,
    target_position,
)

GOLD_3 = 600  # the foot of the tier that begins at a rating of 1400
positions = st.integers(0, 2500)
ratings = st.floats(-2000.0, 5000.0)
results = st.sampled_from(list(Result))
states = st.builds(
    RankState,
    position=positions,
    placement_left=st.just(0),
    shield=st.integers(0, 3),
    losses_at_zero=st.integers(0, 1),
)


def step(position: int, result: Result, rating: float, *, shield: int = 0, losses_at_zero: int = 0) -> RankStep:
    state = RankState(position=position, shield=shield, losses_at_zero=losses_at_zero)
    return apply_result(DEFAULT_RULES, state, result, club_rating=rating, deviation=60.0, played=30)


@given(states, results, ratings)
def test_a_win_never_costs_a_loss_never_pays_and_steps_are_bounded(
    state: RankState, result: Result, rating: float
) -> None:
    done = apply_result(DEFAULT_RULES, state, result, club_rating=rating, deviation=60.0, played=30)

    assert state.position is not None
    assert done.delta is not None
    assert done.state.position == state.position + done.delta >= 0
    assert abs(done.delta) <= DEFAULT_RULES.high
    assert done.delta >= DEFAULT_RULES.low if result is Result.WIN else True
    assert done.delta <= 0 if result is Result.LOSS else True


@given(states, results, ratings)
def test_the_same_inputs_give_the_same_step(state: RankState, result: Result, rating: float) -> None:
    once, again = (
        apply_result(DEFAULT_RULES, state, result, club_rating=rating, deviation=60.0, played=30) for _ in range(2)
    )

    assert once == again


@given(positions, ratings)
def test_a_draw_never_passes_the_target_nor_leads_away_from_it(position: int, rating: float) -> None:
    done = step(position, Result.DRAW, rating)

    before, after = done.target - position, done.target - (done.state.position or 0)
    assert abs(after) <= abs(before)
    assert before * after >= 0
    assert Note.DEMOTED not in done.notes


@given(positions, ratings, st.lists(st.sampled_from([Result.LOSS, Result.DRAW]), min_size=3, max_size=3))
def test_no_promotion_is_undone_within_the_shield_near_the_target(
    position: int, rating: float, following: list[Result]
) -> None:
    done = step(position, Result.WIN, rating)
    division = label(DEFAULT_RULES, done.state.position or 0).name

    for result in following:
        if Note.PROMOTED not in done.notes or (done.state.position or 0) - done.target > 200:
            return
        after = apply_result(DEFAULT_RULES, done.state, result, club_rating=rating, deviation=60.0, played=30)
        assert label(DEFAULT_RULES, after.state.position or 0).name == division
        done = RankStep(after.state, after.delta, after.target, after.steps, done.notes)


@given(ratings, ratings)
def test_a_higher_rating_never_has_a_lower_target(one: float, other: float) -> None:
    low, high = sorted((one, other))

    assert 0 <= target_position(DEFAULT_RULES, low) <= target_position(DEFAULT_RULES, high)


@given(ratings)
def test_the_first_rank_tells_the_rating_no_closer_than_half_a_division(rating: float) -> None:
    first = place(DEFAULT_RULES, rating)

    assert first % 50 == 0
    assert first <= DEFAULT_RULES.placement_cap
    assert target_position(DEFAULT_RULES, rating) - first >= 0


@pytest.mark.parametrize(
    ("rating", "position", "name"),
    [
        (-500.0, 0, "Bronze 3"),
        (850.0, 49, "Bronze 3"),
        (899.9, 99, "Bronze 3"),
        (900.0, 100, "Bronze 2"),
        (1100.0, 300, "Silver 3"),
        (1450.0, 650, "Gold 3"),
        (2299.9, 1499, "Diamond 1"),
        (2300.0, 1500, "Master"),
        (2650.0, 1850, "Master"),
    ],
)
def test_ratings_map_to_the_table_of_tiers(rating: float, position: int, name: str) -> None:
    assert target_position(DEFAULT_RULES, rating) == position
    assert label(DEFAULT_RULES, position).name == name


def test_a_label_says_what_is_missing_to_the_next_division() -> None:
    gold, diamond, master = (label(DEFAULT_RULES, position) for position in (764, 1499, 1730))

    assert (gold.name, gold.division, gold.points, gold.to_next, gold.next_name) == ("Gold 2", 2, 64, 36, "Gold 1")
    assert (diamond.to_next, diamond.next_name) == (1, "Master")
    assert (master.name, master.points, master.division, master.to_next) == ("Master", 230, 0, None)


@pytest.mark.parametrize(
    ("gap", "win", "loss", "draw"),
    [
        (0, 20, -20, 0),
        (24, 20, -20, 0),
        (25, 27, -13, 2),
        (100, 34, -10, 4),
        (400, 40, -10, 8),
        (-60, 13, -27, -2),
        (-400, 10, -40, -8),
    ],
)
def test_the_gap_scales_what_wins_pay_and_losses_cost(gap: int, win: int, loss: int, draw: int) -> None:
    position = 750
    rating = 800.0 + position + gap

    assert step(position, Result.WIN, rating).delta == win
    assert step(position, Result.LOSS, rating).delta == loss
    assert step(position, Result.DRAW, rating).delta == draw


def test_promotion_carries_the_rest_over_and_raises_the_shield() -> None:
    done = step(690, Result.WIN, 1490.0)

    assert done.state == RankState(position=710, shield=3)
    assert Note.PROMOTED in done.notes


def test_a_loss_stops_at_zero_and_only_a_loss_there_moves_down() -> None:
    stopped = step(710, Result.LOSS, 1510.0)
    demoted = step(700, Result.LOSS, 1500.0)

    assert (stopped.state.position, stopped.delta, stopped.notes) == (700, -10, (Note.STOPPED_AT_ZERO,))
    assert (demoted.state.position, demoted.notes) == (680, (Note.DEMOTED,))


def test_the_shield_holds_at_zero_and_wears_off_match_by_match() -> None:
    held = step(700, Result.LOSS, 1500.0, shield=1)
    then = apply_result(DEFAULT_RULES, held.state, Result.LOSS, club_rating=1500.0, deviation=60.0, played=30)

    assert (held.delta, held.notes, held.state.shield) == (0, (Note.SHIELDED,), 0)
    assert then.notes == (Note.DEMOTED,)


def test_leaving_a_tier_takes_one_loss_at_zero_more() -> None:
    first = step(GOLD_3, Result.LOSS, 1400.0)
    second = apply_result(DEFAULT_RULES, first.state, Result.LOSS, club_rating=1400.0, deviation=60.0, played=30)

    assert (first.delta, first.notes) == (0, (Note.GUARDED,))
    assert (label(DEFAULT_RULES, second.state.position or 0).name, second.notes) == ("Silver 1", (Note.DEMOTED,))


def test_a_win_between_two_losses_at_zero_restores_the_guard() -> None:
    state = step(GOLD_3, Result.LOSS, 1400.0).state
    for result in (Result.WIN, Result.LOSS):
        state = apply_result(DEFAULT_RULES, state, result, club_rating=1400.0, deviation=60.0, played=30).state
    again = apply_result(DEFAULT_RULES, state, Result.LOSS, club_rating=1400.0, deviation=60.0, played=30)

    assert again.notes == (Note.GUARDED,)


def test_protections_rest_far_above_the_target() -> None:
    done = step(GOLD_3 + 10, Result.LOSS, 1000.0, shield=3)

    assert done.state.position == GOLD_3 - 30
    assert done.notes == (Note.UNPROTECTED, Note.DEMOTED)


def test_nobody_falls_below_the_bottom() -> None:
    done = step(5, Result.LOSS, 700.0)

    assert (done.state.position, done.delta, done.notes) == (0, -5, (Note.AT_THE_BOTTOM,))


def test_the_top_has_no_end() -> None:
    done = step(1990, Result.WIN, 2900.0)

    assert (done.state.position, done.notes) == (2024, ())


def test_placement_ends_after_five_matches_when_the_rating_is_known_well_enough() -> None:
    state = new_state(DEFAULT_RULES)
    for played in range(1, 5):
        done = apply_result(DEFAULT_RULES, state, Result.WIN, club_rating=1500.0, deviation=200.0, played=played)
        assert (done.delta, done.state.position) == (None, None)
        state = done.state

    last = apply_result(DEFAULT_RULES, state, Result.LOSS, club_rating=1545.0, deviation=200.0, played=5)

    assert (last.state.position, last.delta) == (600, None)
    assert last.notes == (Note.PLACEMENT, Note.PLACED)


def test_an_unsure_rating_prolongs_placement_to_its_most() -> None:
    state = new_state(DEFAULT_RULES)
    for played in range(1, 10):
        done = apply_result(DEFAULT_RULES, state, Result.WIN, club_rating=1500.0, deviation=300.0, played=played)
        assert done.state.position is None
        state = done.state

    last = apply_result(DEFAULT_RULES, state, Result.WIN, club_rating=1500.0, deviation=300.0, played=10)

    assert last.state.position == 600


def test_the_first_rank_has_a_cap() -> None:
    assert place(DEFAULT_RULES, 2900.0) == 1200
    assert label(DEFAULT_RULES, 1200).name == "Diamond 3"


def test_who_brings_a_rating_needs_fewer_placement_matches() -> None:
    assert new_state(DEFAULT_RULES, returning=True).placement_left < new_state(DEFAULT_RULES).placement_left


@given(st.integers(-3000, 3000))
def test_a_gap_is_seen_in_half_divisions_only(gap: int) -> None:
    seen = half_divisions(gap) * 50

    assert abs(seen - gap) <= 25
    assert half_divisions(-gap) == -half_divisions(gap)


def test_the_standard_rules_are_five_tiers_of_three_and_master() -> None:
    assert [tier.name for tier in RankRules().tiers] == ["Bronze", "Silver", "Gold", "Platinum", "Diamond", "Master"]
    assert len(RankRules().begins) == 16
