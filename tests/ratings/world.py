"""A small club to rate in: one queue, two seasons, and as many matches as a test plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from ladder.models import Club, Game, Match, Player, Queue, Season, SeasonRules
from ratings.core.registry import get_engine
from ratings.core.visible_rank import DEFAULT_RULES, RankRules
from ratings.models import Forecast, PlayerRating, RatingEvent, RatingModel
from ratings.services import forecasts
from ratings.services.ledger import LedgerResult, MatchOutcome, apply_match
from ratings.services.models import ensure_first_model
from ratings.services.placement import Newcomer

START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CAST = ("alice", "bob", "carol", "dave")
QUICK = RankRules(placement_matches=0, placement_returning=0, placement_most=0)  # a rank from the first match on


@dataclass
class World:
    """Who and what there is. The clock moves a minute with every match."""

    queue: Queue
    season: Season
    next_season: Season
    players: dict[str, Player]
    rules: RankRules = DEFAULT_RULES
    now: datetime = START
    answers: dict[str, str] = field(default_factory=dict)

    def id(self, name: str) -> UUID:
        """A player's key."""
        return self.players[name].pk

    def form(self, *teams: Sequence[str], season: Season | None = None) -> Forecast:
        """A match between these sides, formed now."""
        self.now += timedelta(minutes=1)
        season = season or self.season
        match = Match.objects.create(
            queue=self.queue,
            season=season,
            source="queue",
            state="completed",
            formed_at=self.now,
            completed_at=self.now,
        )
        return forecasts.record(
            match_id=match.pk,
            queue_id=self.queue.pk,
            season_id=season.pk,
            teams=[[self.id(name) for name in team] for team in teams],
            quality=None,
            rules=self.rules,
            newcomers=[Newcomer(self.id(name), self.answers.get(name, "")) for team in teams for name in team],
            now=self.now,
        )

    def outcome(self, forecast: Forecast, ranks: Sequence[int] = (1, 2)) -> MatchOutcome:
        """How the match ended, at the world's present moment."""
        teams: dict[int, list[UUID]] = {}
        for entry in forecast.entries.order_by("id"):
            teams.setdefault(entry.team, []).append(entry.player_id)
        return MatchOutcome(
            match_id=forecast.match_id,
            queue_id=self.queue.pk,
            season_id=forecast.match.season_id,
            teams=tuple(tuple(teams[index]) for index in sorted(teams)),
            ranks=tuple(ranks),
            completed_at=self.now,
            rules=self.rules,
        )

    def play(self, winner: str, loser: str, *, draw: bool = False, season: Season | None = None) -> LedgerResult:
        """One match from formation to rating."""
        formed = self.form([winner], [loser], season=season)
        return apply_match(outcome=self.outcome(formed, (1, 1) if draw else (1, 2)), now=self.now)

    def rating(self, name: str, season: Season | None = None) -> PlayerRating:
        """A player's row, read afresh."""
        return PlayerRating.objects.get(player=self.players[name], season=season or self.season)

    def last_event(self, name: str) -> RatingEvent:
        """The newest thing that happened to a player."""
        return RatingEvent.objects.filter(player_rating=self.rating(name)).latest("seq")


def put_in_force(world: World, algorithm: str, parameters: dict[str, float | str] | None = None) -> RatingModel:
    """Another model for the world's queue from now on; stored ratings are left where they stand."""
    world.now += timedelta(minutes=1)
    present = RatingModel.objects.get(queue=world.queue, state="in_force")
    assert present.valid_during is not None
    present.valid_during = DateTimeTZRange(present.valid_during.lower, world.now, "[)")
    present.state = RatingModel.State.SUPERSEDED
    present.save()
    return RatingModel.objects.create(
        queue=world.queue,
        version=present.version + 1,
        algorithm=algorithm,
        parameters=get_engine(algorithm, parameters).parameters.as_dict(),
        state=RatingModel.State.IN_FORCE,
        valid_during=DateTimeTZRange(world.now, None, "[)"),
        preset="test",
        report=present.report,
        created_at=world.now,
    )


def make_world(rules: RankRules = DEFAULT_RULES) -> World:
    """The club of these tests."""
    club = Club.objects.create(slug="harbour", name="Harbour", created_at=START)
    game = Game.objects.create(club=club, name="Chess")
    queue = Queue.objects.create(club=club, game=game, slug="singles", name="Singles", created_at=START)
    seasons = []
    for number, state in ((1, "open"), (2, "scheduled")):
        season = Season.objects.create(
            club=club, slug=f"s{number}", name=f"Season {number}", state=state, created_at=START
        )
        during = DateTimeTZRange(START + timedelta(days=100 * (number - 2)), START + timedelta(days=100 * (number - 1)))
        SeasonRules.objects.create(season=season, queue=queue, during=during, rank_rules=rules.to_json())
        seasons.append(season)
    players = {name: Player.objects.create_user(name) for name in CAST}
    ensure_first_model(queue_id=queue.pk, now=START)
    return World(queue, seasons[0], seasons[1], players, rules)
