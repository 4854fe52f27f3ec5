"""Histories that are played into the ledger, with or without some of their matches, and what stands afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from ladder.models import Match, MatchParticipant, MatchTeam
from ratings.core.types import Belief
from ratings.models import Forecast, PlayerRating, RatingEvent
from ratings.services.ledger import apply_correction, apply_match
from ratings.services.model_change import change_model
from ratings.services.placement import Newcomer, ensure_ratings
from ratings.services.reversal import Mode, Reversal, reinstate, reverse
from tests.ratings.world import CAST, World, put_in_force

KEPT = (
    "rating",
    "deviation",
    "volatility",
    "top_rating",
    "games",
    "earlier_games",
    "wins",
    "draws",
    "losses",
    "position",
    "tier",
    "division",
    "points",
    "peak_position",
    "position_reached_at",
    "placement_left",
    "shield",
    "losses_at_zero",
    "last_match_at",
)
ALGORITHMS = ("glicko2", "trueskill", "weng_lin", "elo")


@dataclass(frozen=True)
class Game:
    """A match of two sides. ranks: of each. meanwhile: a match that is formed and rated while this one is played."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    ranks: tuple[int, int] = (1, 2)
    meanwhile: Game | None = None


@dataclass(frozen=True)
class Pause:
    """Days without a match."""

    days: int


@dataclass(frozen=True)
class Correction:
    """The staff move a hidden rating."""

    name: str
    points: float


@dataclass(frozen=True)
class NewModel:
    """The queue goes on with another algorithm."""

    algorithm: str


@dataclass(frozen=True)
class NextSeason:
    """What follows counts for the next season."""


Step = Game | Pause | Correction | NewModel | NextSeason


@dataclass
class Play:
    """A script under way. left_out: numbers of games (in the order of their formation) that are never played.

    matches: by number the match's key. Whoever would have played a game that is left out is known all the same.
    """

    world: World
    left_out: Collection[int] = ()
    matches: dict[int, UUID] = field(default_factory=dict)
    number: int = 0
    in_next: bool = False

    def run(self, steps: Sequence[Step]) -> Play:
        """Play these steps."""
        for step in steps:
            self.world.now += timedelta(minutes=5)
            if isinstance(step, Game):
                self.game(step)
            elif isinstance(step, Pause):
                self.world.now += timedelta(days=step.days)
            elif isinstance(step, NextSeason):
                self.in_next = True
            elif isinstance(step, Correction):
                self.correct(step)
            else:
                self.change_model(step)
        return self

    @property
    def season(self) -> Any:
        """The season that is played now."""
        return self.world.next_season if self.in_next else self.world.season

    def game(self, game: Game) -> None:
        """From formation to rating."""
        world, number = self.world, self.number
        self.number += 1
        formed = None
        world.now += timedelta(minutes=1)
        if number in self.left_out:
            people = [Newcomer(world.id(name), world.answers.get(name, "")) for side in game.sides for name in side]
            ensure_ratings(
                queue_id=world.queue.pk, season_id=self.season.pk, newcomers=people, rules=world.rules, now=world.now
            )
        else:
            world.now -= timedelta(minutes=1)
            formed = world.form(*game.sides, season=self.season)
            self.matches[number] = formed.match_id
        if game.meanwhile:
            self.game(game.meanwhile)
        world.now += timedelta(minutes=3)
        if formed is not None:
            self.rate(formed, game.ranks)

    def rate(self, formed: Forecast, ranks: tuple[int, int]) -> None:
        """Write down how it ended, and rate it."""
        world = self.world
        outcome = world.outcome(formed, ranks)
        Match.objects.filter(pk=formed.match_id).update(completed_at=world.now, rated_at=world.now)
        for index, (players, rank) in enumerate(zip(outcome.teams, ranks, strict=True)):
            team = MatchTeam.objects.create(match_id=formed.match_id, index=index, rank=rank)
            for player in players:
                MatchParticipant.objects.create(match_id=formed.match_id, team=team, player_id=player)
        apply_match(outcome=outcome, now=world.now)

    def correct(self, step: Correction) -> None:
        """Only whoever has a rating can be corrected."""
        player, season = self.world.id(step.name), self.season.pk
        if PlayerRating.objects.filter(player=player, season=season).exists():
            apply_correction(
                player_id=player,
                queue_id=self.world.queue.pk,
                season_id=season,
                rating_delta=step.points,
                reason="seen",
                actor=self.world.id("dave"),
                now=self.world.now,
            )

    def change_model(self, step: NewModel, values: Mapping[UUID, Belief] | None = None) -> None:
        """Every rating takes its value of these, else it is carried over by way of the club scale."""
        model = put_in_force(self.world, step.algorithm)
        change_model(
            queue_id=self.world.queue.pk,
            season_ids=[self.world.season.pk, self.world.next_season.pk],
            new_model=model,
            values=values or {},
            actor=None,
            reason="predicts better",
            now=self.world.now,
        )

    def reverse(self, numbers: Collection[int], mode: Mode = "recompute") -> Reversal:
        """Take games back."""
        self.world.now += timedelta(minutes=1)
        return reverse(
            queue_id=self.world.queue.pk,
            match_ids=[self.matches[number] for number in numbers],
            mode=mode,
            reason="cheating",
            actor=self.world.id("dave"),
            now=self.world.now,
        )

    def reinstate(self, numbers: Collection[int]) -> Reversal:
        """Let games count again."""
        self.world.now += timedelta(minutes=1)
        return reinstate(
            queue_id=self.world.queue.pk,
            match_ids=[self.matches[number] for number in numbers],
            reason="a mistake",
            actor=self.world.id("dave"),
            now=self.world.now,
        )

    def moved(self, number: int, handle: str, season: str) -> tuple[float, int | None, str] | None:
        """What a game did to a player: to the rating, to the points, and by which algorithm; None if nothing."""
        event = (
            RatingEvent.objects.filter(kind="match", match=self.matches[number], player_rating__player__handle=handle)
            .filter(player_rating__season__slug=season)
            .select_related("rating_model")
            .first()
        )
        if event is None or event.rating_model is None:
            return None
        return event.rating_after - event.rating_before, event.points_delta, event.rating_model.algorithm


def standings() -> dict[tuple[str, str], dict[str, Any]]:
    """By player and season everything that a rating keeps."""
    rows = PlayerRating.objects.select_related("player", "season", "rating_model").order_by("id")
    return {
        (row.player.handle, row.season.slug): {name: getattr(row, name) for name in KEPT}
        | {"model": row.rating_model.algorithm}
        for row in rows
    }


def events() -> int:
    """How many events there are."""
    return RatingEvent.objects.count()


class _Undo(Exception):
    pass


@contextmanager
def another_world(world: World) -> Iterator[None]:
    """Whatever is written inside is gone afterwards, and the clock is put back."""
    now = world.now
    try:
        with transaction.atomic():
            yield
            raise _Undo
    except _Undo:
        world.now = now


def without(world: World, steps: Sequence[Step], left_out: Collection[int]) -> dict[tuple[str, str], dict[str, Any]]:
    """What stands in a ledger that never had these games."""
    with another_world(world):
        Play(world, left_out).run(steps)
        return standings()


def circle(games: int) -> list[Step]:
    """So many games, everybody against everybody in turn, the outcomes mixed."""
    pairs = [(one, other) for one in CAST for other in CAST if one != other]
    ranks = ((1, 2), (2, 1), (1, 2), (1, 1))
    return [
        Game(((pairs[number * 5 % 12][0],), (pairs[number * 5 % 12][1],)), ranks[number % 4]) for number in range(games)
    ]
