"""What a match says besides its ranks reaches the engine, whatever the engine and whatever the teams."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction

from ratings.core.match_facts import MatchFacts
from ratings.core.types import Signals
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors import explanation
from ratings.services.ledger import apply_history, apply_match
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.ratings.kinds_of_matches import (
    CASES,
    MODELS_TO_RATE,
    Case,
    belief_of,
    form,
    has_rating,
    new_match,
    newcomers_of,
    numbers,
    outcome_of,
    record,
    row_of,
    signals_of,
    teams_for,
    told_by,
    use,
    values_of,
)
from tests.ratings.world import World, put_in_force

pytestmark = pytest.mark.service
each_model = pytest.mark.parametrize("model", MODELS_TO_RATE)
each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
SEVERAL = ("two_against_two", "three_teams_of_two", "free_for_all_of_eight", "draw", "everything")
several_cases = pytest.mark.parametrize("case", [CASES[name] for name in SEVERAL], ids=SEVERAL)


@each_case
@each_model
def test_the_stored_numbers_are_those_of_the_engine_called_by_hand(world: World, model: str, case: Case) -> None:
    engine = use(world, model)
    teams = teams_for(world, case)
    beliefs = {player: None for team in teams for player in team}

    for _again in range(3):
        before = {player: row_of(world, player) for player in beliefs if has_rating(world, player)}
        forecast = form(world, teams, case.facts)
        now = {entry.player_id: belief_of(entry) for entry in forecast.entries.all()}
        games = {player: before[player].games if player in before else 0 for player in beliefs}
        top = {player: before[player].top_rating if player in before else now[player].rating for player in beliefs}
        apply_match(outcome=outcome_of(world, forecast, teams, case), now=world.now)

        line = [[now[player] for player in team] for team in teams]
        signals = signals_of(teams, case.facts, games, top)
        predicted = engine.expected(line, case.facts.side, Signals(games=signals.games, parties=signals.parties))
        after = engine.update(line, case.ranks, case.facts.weights, signals, case.facts.side)
        for index, team in enumerate(teams):
            for member, player in enumerate(team):
                assert belief_of(row_of(world, player)) == after[index][member]
                assert forecast.entries.get(player_id=player).expected == predicted[index]
    assert verify_ledger() == []


@several_cases
@each_model
def test_a_history_gives_bit_for_bit_what_single_matches_give(world: World, model: str, case: Case) -> None:
    use(world, model)
    teams = teams_for(world, case)
    outcomes = []
    for number in range(4):
        match = new_match(world)
        line_up = teams if number % 2 else tuple(reversed(teams))
        facts = case.facts if number % 2 else MatchFacts()
        outcomes.append(told_by(world, match, line_up, replace(case, facts=facts)))
    undo = transaction.savepoint()
    for outcome in outcomes:
        record(world, outcome.match_id, outcome.teams, outcome.facts, outcome.completed_at)
        apply_match(outcome=outcome, now=outcome.completed_at)
    single = numbers()
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers=newcomers_of(teams), now=world.now)

    assert numbers() == single
    assert verify_ledger() == []


@pytest.mark.parametrize("case", [CASES[name] for name in ("one_against_one", "five_against_five", "everything")])
def test_rating_and_forming_take_as_many_queries_whatever_the_teams_and_whatever_is_known(
    world: World, case: Case
) -> None:
    use(world, "trueskill2")
    teams = teams_for(world, case)
    form(world, teams, case.facts)
    match = new_match(world)

    with assert_queries(6, "model, ratings with their models, forecast, entries, savepoint and release"):
        forecast = record(world, match.pk, teams, case.facts, world.now)
    outcome = outcome_of(world, forecast, teams, case)
    with assert_queries(5, "savepoint, lock and forecast, earlier events, write, release: three of our own"):
        apply_match(outcome=outcome, now=world.now)


@each_model
def test_who_did_not_play_keeps_every_number_and_is_told_so(world: World, model: str) -> None:
    use(world, model)
    case = Case((2, 2), (1, 2), MatchFacts(weights=((1.0, 0.0), (1.0, 1.0))))
    teams = teams_for(world, case)
    for _warm in range(2):
        apply_match(outcome=outcome_of(world, form(world, teams, MatchFacts()), teams, case), now=world.now)
    absent, mate = teams[0][1], teams[0][0]
    before, others = row_of(world, absent), row_of(world, mate)
    world.now += timedelta(days=40)

    result = apply_match(outcome=outcome_of(world, form(world, teams, case.facts), teams, case), now=world.now)

    after = row_of(world, absent)
    changed = {name for name, value in values_of(after).items() if value != values_of(before)[name]}
    assert changed == {"last_seq", "last_hash"}
    assert row_of(world, mate).games == others.games + 1
    event = RatingEvent.objects.filter(player_rating=after).latest("seq")
    assert (event.kind, event.rating_before, event.rating_after) == ("match", before.rating, before.rating)
    assert [effect.points_delta for effect in result.effects if effect.player_id == absent] == [event.points_delta]
    assert str(explanation(event)) == "You did not play in this match, so it changes nothing for you."
    assert "Did not play" in str(explanation(event, "staff"))
    assert verify_ledger() == []


def test_who_did_not_play_gets_no_point_of_the_rank(quick_world: World) -> None:
    world = quick_world
    case = Case((2, 2), (1, 2), MatchFacts(weights=((1.0, 0.0), (1.0, 1.0))))
    teams = teams_for(world, case)
    played = Case((2, 2), (1, 2))
    apply_match(outcome=outcome_of(world, form(world, teams, MatchFacts()), teams, played), now=world.now)
    position = row_of(world, teams[0][1]).position

    result = apply_match(outcome=outcome_of(world, form(world, teams, case.facts), teams, case), now=world.now)

    assert position is not None
    assert row_of(world, teams[0][1]).position == position
    assert {effect.player_id: effect.points_delta for effect in result.effects}[teams[0][1]] == 0


def test_a_match_of_which_one_side_did_not_play_is_refused_and_changes_nothing(world: World) -> None:
    case = Case((1, 1), (1, 2), MatchFacts(weights=((1.0,), (0.0,))))
    teams = teams_for(world, case)
    forecast = form(world, teams, case.facts)
    before = numbers()

    with pytest.raises(DomainError) as refusal:
        apply_match(outcome=outcome_of(world, forecast, teams, case), now=world.now)

    assert refusal.value.code == "nobody_played"
    assert numbers() == before


def test_a_tied_team_s_numbers_do_not_depend_on_the_order_of_the_teams(world: World) -> None:
    use(world, "trueskill")
    case = Case((1, 1, 1), (1, 2, 2))
    teams = teams_for(world, case)
    found = []
    for order in ((0, 1, 2), (0, 2, 1)):
        undo = transaction.savepoint()
        line_up = tuple(teams[index] for index in order)
        forecast = form(world, line_up, MatchFacts())
        apply_match(outcome=outcome_of(world, forecast, line_up, case), now=world.now)
        found.append({player: belief_of(row_of(world, player)) for team in teams for player in team})
        transaction.savepoint_rollback(undo)

    assert found[0] == found[1]


def test_matches_of_earlier_seasons_count_for_a_provisional_k(world: World) -> None:
    put_in_force(world, "elo", {"provisional_games": 3, "provisional_k": 64.0, "k": 16.0})
    for _match_number in range(3):
        world.play("alice", "bob")
    world.play("alice", "carol", season=world.next_season)

    event = RatingEvent.objects.filter(player_rating=world.rating("alice", world.next_season)).latest("seq")
    told = event.explanation
    gained = told["evidence"]["rating"] - told["formed"]["rating"]
    assert gained == pytest.approx(16.0 * (1.0 - told["expected"]))
    assert world.rating("alice", world.next_season).earlier_games == 3
    assert verify_ledger() == []


def test_fide_s_k_follows_the_games_the_highest_rating_and_the_juniors(world: World) -> None:
    put_in_force(world, "elo_fide")
    world.play("alice", "bob")
    row, other = world.rating("alice"), world.rating("bob")
    changes = {}
    for name, games, top, rating, juniors in (
        ("new", 29, 1500.0, 1500.0, False),
        ("settled", 30, 1500.0, 1500.0, False),
        ("junior", 30, 1500.0, 1500.0, True),
        ("master", 30, 2400.0, 1500.0, False),
    ):
        undo = transaction.savepoint()
        PlayerRating.objects.filter(pk=row.pk).update(earlier_games=games - 1, top_rating=top, rating=rating)
        PlayerRating.objects.filter(pk=other.pk).update(rating=1500.0)
        forecast = world.form(["alice"], ["bob"])
        facts = MatchFacts(juniors=frozenset([world.id("alice")] if juniors else []))
        apply_match(outcome=replace(world.outcome(forecast), facts=facts), now=world.now)
        changes[name] = world.rating("alice").rating - rating
        transaction.savepoint_rollback(undo)

    assert changes == {"new": 20.0, "settled": 10.0, "junior": 20.0, "master": 5.0}


def test_the_player_reads_in_words_what_moved_the_result_and_the_staff_every_number(quick_world: World) -> None:
    world = quick_world
    use(world, "trueskill2")
    case = CASES["everything"]
    teams = teams_for(world, case)
    for _again in range(2):
        apply_match(outcome=outcome_of(world, form(world, teams, case.facts), teams, case), now=world.now)
    half, whole = (
        RatingEvent.objects.filter(player_rating=row_of(world, player)).latest("seq")
        for player in (teams[0][1], teams[1][0])
    )

    told = str(explanation(half))
    for words in (
        "You played half of the match, so it says half as much about your skill.",
        "That your side had the advantage was taken into account.",
        "It was decided clearly, so it counts more.",
        "Who came together as a party was taken into account.",
        "How you did yourself counted as well.",
        "You left before the end, which costs more than the result alone.",
    ):
        assert words in told
    assert "That another side had the advantage was taken into account." in str(explanation(whole))
    staff = str(explanation(half, "staff"))
    for words in ("side advantage: own", "margin 3 (counts times", "played 50%", "individual figure 2", "left before"):
        assert words in staff
    assert "came as a party of 2" in str(explanation(whole, "staff"))


def test_what_the_model_does_not_count_is_not_told_to_the_player(quick_world: World) -> None:
    world = quick_world
    case = CASES["everything"]
    facts = replace(case.facts, weights=None)
    teams = teams_for(world, case)
    for _again in range(2):
        apply_match(
            outcome=outcome_of(world, form(world, teams, facts), teams, replace(case, facts=facts)), now=world.now
        )
    event = RatingEvent.objects.filter(player_rating=row_of(world, teams[0][1])).latest("seq")

    told = str(explanation(event))
    assert "taken into account" not in told
    assert "counts more" not in told
    assert "left before" not in told
    staff = str(explanation(event, "staff"))
    assert "side advantage: own, margin 3 (counts times 1.000)" in staff
    assert "The model counts: \N{EN DASH}." in staff
