"""What a match says besides its ranks reaches the engine, whatever the engine and whatever the teams."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from ladder.models import Match, Player
from ratings.core.match_facts import MatchFacts
from ratings.core.registry import get_engine
from ratings.core.types import Belief, Engine, PlayerFacts, Signals
from ratings.core.weng_lin import MODELS
from ratings.errors import DomainError
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent
from ratings.selectors import explanation
from ratings.services import forecasts
from ratings.services.ledger import MatchOutcome, apply_history, apply_match
from ratings.services.placement import Newcomer
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.ratings.world import World, put_in_force

pytestmark = pytest.mark.service
COUNTS = {"side_advantage": 40.0, "party_offset": 25.0, "margin_weight": 0.6}
SIGNALS = {"experience_offset": 60.0, "quit_penalty": 30.0, "performance_weight": 0.4}
MODELS_TO_RATE: dict[str, tuple[str, dict[str, Any]]] = {
    "elo": ("elo", COUNTS),
    "elo_provisional": ("elo", {**COUNTS, "provisional_games": 2}),
    "elo_fide": ("elo_fide", COUNTS),
    "glicko": ("glicko", COUNTS),
    "glicko2": ("glicko2", COUNTS),
    "trueskill": ("trueskill", COUNTS),
    "trueskill2": ("trueskill2", {**COUNTS, **SIGNALS}),
    **{model: ("weng_lin", {**COUNTS, "model": model}) for model in MODELS},
}
ANSWERS = ("", "novice", "casual", "club", "expert")


@dataclass(frozen=True)
class Case:
    """A match: sizes of its teams, ranks, and what is known besides."""

    sizes: tuple[int, ...]
    ranks: tuple[int, ...]
    facts: MatchFacts = field(default_factory=MatchFacts)


CASES = {
    "one_against_one": Case((1, 1), (1, 2)),
    "two_against_two": Case((2, 2), (2, 1)),
    "five_against_five": Case((5, 5), (1, 2)),
    "three_teams_of_two": Case((2, 2, 2), (2, 1, 3)),
    "free_for_all_of_eight": Case((1,) * 8, (3, 1, 2, 5, 4, 8, 6, 7)),
    "draw": Case((2, 2), (1, 1)),
    "tie_for_second_of_three": Case((1, 1, 1), (2, 1, 2)),
    "side": Case((1, 1), (2, 1), MatchFacts(side=1)),
    "margin": Case((1, 1), (1, 2), MatchFacts(margin=7.0)),
    "party": Case((2, 2), (1, 2), MatchFacts(parties=((0, 0), (None, None)))),
    "partial_play": Case((2, 2), (1, 2), MatchFacts(weights=((1.0, 0.5), (0.25, 1.0)))),
    "figures_and_a_leaver": Case(
        (2, 2),
        (1, 2),
        MatchFacts(performance=((3.0, None), (1.0, 7.5)), quits=((False, False), (True, False))),
    ),
    "everything": Case(
        (2, 2),
        (2, 1),
        MatchFacts(
            margin=3.0,
            side=0,
            weights=((1.0, 0.5), (1.0, 1.0)),
            parties=((None, None), (4, 4)),
            quits=((False, True), (False, False)),
            performance=((1.0, 2.0), (3.0, None)),
        ),
    ),
}
each_model = pytest.mark.parametrize("model", MODELS_TO_RATE)
each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
SEVERAL = ("two_against_two", "three_teams_of_two", "free_for_all_of_eight", "draw", "everything")
several_cases = pytest.mark.parametrize("case", [CASES[name] for name in SEVERAL], ids=SEVERAL)


@each_case
@each_model
def test_the_stored_numbers_are_those_of_the_engine_called_by_hand(world: World, model: str, case: Case) -> None:
    engine = _use(world, model)
    teams = _teams(world, case)
    beliefs = {player: None for team in teams for player in team}

    for _again in range(3):
        before = {player: _row(world, player) for player in beliefs if _has_rating(world, player)}
        forecast = _form(world, teams, case.facts)
        now = {entry.player_id: _belief(entry) for entry in forecast.entries.all()}
        games = {player: before[player].games if player in before else 0 for player in beliefs}
        top = {player: before[player].top_rating if player in before else now[player].rating for player in beliefs}
        apply_match(outcome=_outcome(world, forecast, teams, case), now=world.now)

        line = [[now[player] for player in team] for team in teams]
        signals = _signals(teams, case.facts, games, top)
        predicted = engine.expected(line, case.facts.side, Signals(games=signals.games, parties=signals.parties))
        after = engine.update(line, case.ranks, case.facts.weights, signals, case.facts.side)
        for index, team in enumerate(teams):
            for member, player in enumerate(team):
                assert _belief(_row(world, player)) == after[index][member]
                assert forecast.entries.get(player_id=player).expected == predicted[index]
    assert verify_ledger() == []


@several_cases
@each_model
def test_a_history_gives_bit_for_bit_what_single_matches_give(world: World, model: str, case: Case) -> None:
    _use(world, model)
    teams = _teams(world, case)
    outcomes = []
    for number in range(4):
        match = _match(world)
        line_up = teams if number % 2 else tuple(reversed(teams))
        facts = case.facts if number % 2 else MatchFacts()
        outcomes.append(_told(world, match, line_up, replace(case, facts=facts)))
    undo = transaction.savepoint()
    for outcome in outcomes:
        _record(world, outcome.match_id, outcome.teams, outcome.facts, outcome.completed_at)
        apply_match(outcome=outcome, now=outcome.completed_at)
    single = _numbers()
    transaction.savepoint_rollback(undo)

    apply_history(outcomes=outcomes, newcomers=_newcomers(teams), now=world.now)

    assert _numbers() == single
    assert verify_ledger() == []


@pytest.mark.parametrize("case", [CASES[name] for name in ("one_against_one", "five_against_five", "everything")])
def test_rating_and_forming_take_as_many_queries_whatever_the_teams_and_whatever_is_known(
    world: World, case: Case
) -> None:
    _use(world, "trueskill2")
    teams = _teams(world, case)
    _form(world, teams, case.facts)
    match = _match(world)

    with assert_queries(6, "model, ratings with their models, forecast, entries, savepoint and release"):
        forecast = _record(world, match.pk, teams, case.facts, world.now)
    outcome = _outcome(world, forecast, teams, case)
    with assert_queries(5, "savepoint, lock and forecast, earlier events, write, release: three of our own"):
        apply_match(outcome=outcome, now=world.now)


@each_model
def test_who_did_not_play_keeps_every_number_and_is_told_so(world: World, model: str) -> None:
    _use(world, model)
    case = Case((2, 2), (1, 2), MatchFacts(weights=((1.0, 0.0), (1.0, 1.0))))
    teams = _teams(world, case)
    for _warm in range(2):
        apply_match(outcome=_outcome(world, _form(world, teams, MatchFacts()), teams, case), now=world.now)
    absent, mate = teams[0][1], teams[0][0]
    before, others = _row(world, absent), _row(world, mate)
    world.now += timedelta(days=40)

    result = apply_match(outcome=_outcome(world, _form(world, teams, case.facts), teams, case), now=world.now)

    after = _row(world, absent)
    changed = {name for name, value in _values(after).items() if value != _values(before)[name]}
    assert changed == {"last_seq", "last_hash"}
    assert _row(world, mate).games == others.games + 1
    event = RatingEvent.objects.filter(player_rating=after).latest("seq")
    assert (event.kind, event.rating_before, event.rating_after) == ("match", before.rating, before.rating)
    assert [effect.points_delta for effect in result.effects if effect.player_id == absent] == [event.points_delta]
    assert str(explanation(event)) == "You did not play in this match, so it changes nothing for you."
    assert "Did not play" in str(explanation(event, "staff"))
    assert verify_ledger() == []


def test_who_did_not_play_gets_no_point_of_the_rank(quick_world: World) -> None:
    world = quick_world
    case = Case((2, 2), (1, 2), MatchFacts(weights=((1.0, 0.0), (1.0, 1.0))))
    teams = _teams(world, case)
    played = Case((2, 2), (1, 2))
    apply_match(outcome=_outcome(world, _form(world, teams, MatchFacts()), teams, played), now=world.now)
    position = _row(world, teams[0][1]).position

    result = apply_match(outcome=_outcome(world, _form(world, teams, case.facts), teams, case), now=world.now)

    assert position is not None
    assert _row(world, teams[0][1]).position == position
    assert {effect.player_id: effect.points_delta for effect in result.effects}[teams[0][1]] == 0


def test_a_match_of_which_one_side_did_not_play_is_refused_and_changes_nothing(world: World) -> None:
    case = Case((1, 1), (1, 2), MatchFacts(weights=((1.0,), (0.0,))))
    teams = _teams(world, case)
    forecast = _form(world, teams, case.facts)
    before = _numbers()

    with pytest.raises(DomainError) as refusal:
        apply_match(outcome=_outcome(world, forecast, teams, case), now=world.now)

    assert refusal.value.code == "nobody_played"
    assert _numbers() == before


def test_a_tied_team_s_numbers_do_not_depend_on_the_order_of_the_teams(world: World) -> None:
    _use(world, "trueskill")
    case = Case((1, 1, 1), (1, 2, 2))
    teams = _teams(world, case)
    found = []
    for order in ((0, 1, 2), (0, 2, 1)):
        undo = transaction.savepoint()
        line_up = tuple(teams[index] for index in order)
        forecast = _form(world, line_up, MatchFacts())
        apply_match(outcome=_outcome(world, forecast, line_up, case), now=world.now)
        found.append({player: _belief(_row(world, player)) for team in teams for player in team})
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
    _use(world, "trueskill2")
    case = CASES["everything"]
    teams = _teams(world, case)
    for _again in range(2):
        apply_match(outcome=_outcome(world, _form(world, teams, case.facts), teams, case), now=world.now)
    half, whole = (
        RatingEvent.objects.filter(player_rating=_row(world, player)).latest("seq")
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
    teams = _teams(world, case)
    for _again in range(2):
        apply_match(
            outcome=_outcome(world, _form(world, teams, facts), teams, replace(case, facts=facts)), now=world.now
        )
    event = RatingEvent.objects.filter(player_rating=_row(world, teams[0][1])).latest("seq")

    told = str(explanation(event))
    assert "taken into account" not in told
    assert "counts more" not in told
    assert "left before" not in told
    staff = str(explanation(event, "staff"))
    assert "side advantage: own, margin 3 (counts times 1.000)" in staff
    assert "The model counts: \N{EN DASH}." in staff


def _use(world: World, name: str) -> Engine:
    algorithm, parameters = MODELS_TO_RATE[name]
    put_in_force(world, algorithm, parameters)
    return get_engine(algorithm, parameters)


def _teams(world: World, case: Case) -> tuple[tuple[UUID, ...], ...]:
    """Players for the case, who judged themselves differently."""
    wanted = sum(case.sizes)
    people = Player.objects.bulk_create(
        Player(handle=f"f{number}", handle_key=f"f{number}", date_joined=world.now) for number in range(wanted)
    )
    keys = iter(person.pk for person in people)
    return tuple(tuple(next(keys) for _seat in range(size)) for size in case.sizes)


def _newcomers(teams: tuple[tuple[UUID, ...], ...]) -> dict[UUID, Newcomer]:
    players = sorted(player for team in teams for player in team)
    return {player: Newcomer(player, ANSWERS[number % len(ANSWERS)]) for number, player in enumerate(players)}


def _match(world: World) -> Match:
    world.now += timedelta(hours=7)
    return Match.objects.create(
        queue=world.queue,
        season=world.season,
        source="queue",
        state="completed",
        formed_at=world.now,
        completed_at=world.now,
    )


def _form(world: World, teams: tuple[tuple[UUID, ...], ...], facts: MatchFacts) -> Forecast:
    return _record(world, _match(world).pk, teams, facts, world.now)


def _record(world: World, match_id: UUID, teams: Any, facts: MatchFacts, now: Any) -> Forecast:
    return forecasts.record(
        match_id=match_id,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        teams=teams,
        quality=None,
        rules=world.rules,
        newcomers=_newcomers(teams),
        facts=facts,
        now=now,
    )


def _outcome(world: World, forecast: Forecast, teams: tuple[tuple[UUID, ...], ...], case: Case) -> MatchOutcome:
    return _told(world, forecast.match, teams, case)


def _told(world: World, match: Match, teams: tuple[tuple[UUID, ...], ...], case: Case) -> MatchOutcome:
    return MatchOutcome(
        match.pk, world.queue.pk, world.season.pk, teams, case.ranks, world.now, world.rules, facts=case.facts
    )


def _signals(
    teams: tuple[tuple[UUID, ...], ...], facts: MatchFacts, games: dict[UUID, int], top: dict[UUID, float]
) -> Signals:
    return Signals(
        margin=facts.margin,
        games=[[games[player] for player in team] for team in teams],
        parties=facts.parties,
        quits=facts.quits,
        performance=facts.performance,
        players=teams,
        facts=[[PlayerFacts(games[player], False, top[player] >= 2400.0) for player in team] for team in teams],
    )


def _has_rating(world: World, player: UUID) -> bool:
    return PlayerRating.objects.filter(player_id=player, season=world.season).exists()


def _row(world: World, player: UUID) -> PlayerRating:
    return PlayerRating.objects.get(player_id=player, season=world.season)


def _belief(row: Any) -> Belief:
    return Belief(row.rating, row.deviation, row.volatility)


def _values(row: PlayerRating) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in PlayerRating._meta.concrete_fields}


def _numbers() -> dict[str, list[dict[str, Any]]]:
    """Everything but keys, hashes and the time of writing."""
    keys = {"id", "created_at", "last_hash", "player_rating_id", "canonical", "previous_hash", "hash", "forecast_id"}
    queries = {
        "ratings": PlayerRating.objects.order_by("player").values(),
        "events": RatingEvent.objects.order_by("player_rating__player", "seq").values(),
        "entries": ForecastEntry.objects.order_by("forecast__match", "player").values(),
    }
    return {
        name: [{name: value for name, value in row.items() if name not in keys} for row in rows]
        for name, rows in queries.items()
    }
