"""Matches of every kind under every engine, for the tests of what a match says besides its ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from ladder.models import Match, Player
from ratings.core.match_facts import MatchFacts
from ratings.core.registry import get_engine
from ratings.core.types import Belief, Engine, PlayerFacts, Signals
from ratings.core.weng_lin import MODELS
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent
from ratings.services import forecasts
from ratings.services.ledger import MatchOutcome
from ratings.services.placement import Newcomer
from tests.ratings.world import World, put_in_force

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


def use(world: World, name: str) -> Engine:
    """Put one of the models in force; its engine."""
    algorithm, parameters = MODELS_TO_RATE[name]
    put_in_force(world, algorithm, parameters)
    return get_engine(algorithm, parameters)


def teams_for(world: World, case: Case) -> tuple[tuple[UUID, ...], ...]:
    """Players for the case, who judged themselves differently."""
    wanted = sum(case.sizes)
    people = Player.objects.bulk_create(
        Player(handle=f"f{number}", handle_key=f"f{number}", date_joined=world.now) for number in range(wanted)
    )
    keys = iter(person.pk for person in people)
    return tuple(tuple(next(keys) for _seat in range(size)) for size in case.sizes)


def newcomers_of(teams: tuple[tuple[UUID, ...], ...]) -> dict[UUID, Newcomer]:
    """Their answers, each another one."""
    players = sorted(player for team in teams for player in team)
    return {player: Newcomer(player, ANSWERS[number % len(ANSWERS)]) for number, player in enumerate(players)}


def new_match(world: World) -> Match:
    """A completed match without players, seven hours after the last."""
    world.now += timedelta(hours=7)
    return Match.objects.create(
        queue=world.queue,
        season=world.season,
        source="queue",
        state="completed",
        formed_at=world.now,
        completed_at=world.now,
    )


def form(world: World, teams: tuple[tuple[UUID, ...], ...], facts: MatchFacts) -> Forecast:
    """A match of these teams, formed now."""
    return record(world, new_match(world).pk, teams, facts, world.now)


def record(world: World, match_id: UUID, teams: Any, facts: MatchFacts, now: Any) -> Forecast:
    """Its forecast alone."""
    return forecasts.record(
        match_id=match_id,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        teams=teams,
        quality=None,
        rules=world.rules,
        newcomers=newcomers_of(teams),
        facts=facts,
        now=now,
    )


def outcome_of(world: World, forecast: Forecast, teams: tuple[tuple[UUID, ...], ...], case: Case) -> MatchOutcome:
    """How a formed match ended."""
    return told_by(world, forecast.match, teams, case)


def told_by(world: World, match: Match, teams: tuple[tuple[UUID, ...], ...], case: Case) -> MatchOutcome:
    """How a match ended."""
    return MatchOutcome(
        match.pk, world.queue.pk, world.season.pk, teams, case.ranks, world.now, world.rules, facts=case.facts
    )


def signals_of(
    teams: tuple[tuple[UUID, ...], ...], facts: MatchFacts, games: dict[UUID, int], top: dict[UUID, float]
) -> Signals:
    """What the engine is to be told, written out by hand."""
    return Signals(
        margin=facts.margin,
        games=[[games[player] for player in team] for team in teams],
        parties=facts.parties,
        quits=facts.quits,
        performance=facts.performance,
        players=teams,
        facts=[[PlayerFacts(games[player], False, top[player] >= 2400.0) for player in team] for team in teams],
    )


def has_rating(world: World, player: UUID) -> bool:
    """Whether the player stands in the season."""
    return PlayerRating.objects.filter(player_id=player, season=world.season).exists()


def row_of(world: World, player: UUID) -> PlayerRating:
    """The player's row, read afresh."""
    return PlayerRating.objects.get(player_id=player, season=world.season)


def belief_of(row: Any) -> Belief:
    """What a row or an entry holds."""
    return Belief(row.rating, row.deviation, row.volatility)


def values_of(row: PlayerRating) -> dict[str, Any]:
    """Every column of a row."""
    return {field.attname: getattr(row, field.attname) for field in PlayerRating._meta.concrete_fields}


def numbers() -> dict[str, list[dict[str, Any]]]:
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
