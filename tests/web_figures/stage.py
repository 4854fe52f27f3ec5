"""What the pages of figures are tested on: two months of a club in which skill differs and results follow it."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from ladder.models import Match, Player
from ladder.services import clubs, matches, queues, rating, rating_models, results
from ladder.services.imports import import_matches
from ladder.services.imports.reports import Source
from ladder.services.matches import Seat
from ratings.core.requests import ModelChoice
from ratings.models import RatingModel, ReplayReport
from tests.ladder.world import World
from tests.reports.steps import work
from tests.web_record.stage import past_world


def two_months(world: World, *, players: int = 16, matches: int = 400, seed: int = 5) -> list[Player]:
    """So many matches of so many players, who win as their skills say, with scores, over the last fifty days."""
    rng = random.Random(seed)
    people = []
    for number in range(players):
        player = Player.objects.create_user(f"member{number:02}", f"member{number:02}@example.org", "pw")
        clubs.join_club(club=world.club, player=player, self_assessment="club", now=world.now)
        people.append(player)
    skill = {player.handle: rng.gauss(1500.0, 250.0) for player in people}
    lines = ["date,team_a,team_b,score_a,score_b,result,round"]
    for number in range(matches):
        first, second = rng.sample(sorted(skill), 2)
        chance = 1.0 / (1.0 + 10.0 ** ((skill[second] - skill[first]) / 400.0))
        won = rng.random() < chance
        lost_by = rng.choice((1, 1, 2, 3, 5, 8))
        score = (11, 11 - lost_by) if won else (11 - lost_by, 11)
        day = (world.now + timedelta(days=number * 50 // matches)).date()
        lines.append(f"{day},{first},{second},{score[0]},{score[1]},{int(won)},{number}")
    source = Source("months.csv", "\n".join(lines).encode())
    report = import_matches(queue=world.queue, actor=world.otto, sources=[source], now=world.now + timedelta(days=59))
    assert report.imported == matches, report.bad
    world.now += timedelta(days=59)
    return people


def queue_match(
    world: World,
    winner: Player,
    loser: Player,
    *,
    waited: float = 20.0,
    quality: float = 0.9,
    scores: tuple[int, int] | None = None,
) -> Match:
    """A match as the queue forms it: both waited so many seconds, accepted, played, and the result was rated."""
    now = world.later(minutes=1)
    seats = [[Seat(player.pk, now - timedelta(seconds=waited), 100)] for player in (winner, loser)]
    match = matches.create(queue=world.queue, season=world.season, seats=seats, quality=quality, now=now)
    matches.assign(match_id=match.pk, now=world.later(seconds=5))
    said = {"match_id": match.pk, "scores": scores}
    results.report(actor=winner, revision=0, winner=0, now=world.later(seconds=1), **said)
    results.confirm(match_id=match.pk, actor=loser, revision=1, now=world.later(seconds=1))
    rating.rate_match(match_id=match.pk, now=world.later(seconds=1))
    match.refresh_from_db()
    return match


def busy_club() -> World:
    """A club with everything that the pages of figures show: two months of play, an evening's matches, two queues."""
    world = past_world()
    people = two_months(world)
    queues.create_queue(club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now)
    queues.set_stomp_margin(queue=world.queue, actor=world.olga, margin=5, now=world.now)
    rng = random.Random(3)
    for _number in range(40):
        first, second = rng.sample(people, 2)
        world.later(minutes=rng.randrange(5, 60))
        waited, quality = rng.expovariate(1 / 40.0), rng.uniform(0.5, 1.0)
        queue_match(world, first, second, waited=waited, quality=quality, scores=(11, rng.randrange(11)))
    return world


def finished(report: ReplayReport, now: datetime) -> ReplayReport:
    """The report once it is over, whoever computed its parts: this process, or a worker that runs beside it."""
    for _turn in range(600):
        found = work(report, now)
        if not found.is_open:
            return found
        time.sleep(0.1)
    raise AssertionError(f"the report never ends: {found.state}, {found.message}")


@dataclass(frozen=True)
class OnTheirWay:
    """Models and reports of a queue, each as far as its name says."""

    draft: RatingModel
    approved: RatingModel
    replay: ReplayReport
    other: ReplayReport
    fit: ReplayReport
    failed: ReplayReport
    shipped: UUID | None


def models_on_their_way(world: World) -> OnTheirWay:
    """A draft, an approved model, finished replays and a search of the busy club's queue, all by olga and otto."""
    drafting = {"queue": world.queue, "actor": world.olga, "now": world.now}
    approved = rating_models.create_draft(
        algorithm="trueskill", parameters={"draw_probability": 0.0}, note="Teams may come next year.", **drafting
    )
    replay = finished(rating_models.replay_model(model=approved, actor=world.olga, now=world.now), world.now)
    approved.refresh_from_db()
    rating_models.approve(model=approved, actor=world.otto, revision=approved.revision, now=world.now)
    chosen = [ModelChoice("elo", "elo"), ModelChoice("glicko2, two years of tuning", "glicko2", {"tau": 0.3})]
    other = finished(rating_models.replay(models=chosen, title="Elo once more", **drafting), world.now)
    start = ModelChoice("elo", "elo", {"k": 60.0})
    fit = finished(rating_models.fit(start=start, only=["k", "side_advantage"], rounds=6, **drafting), world.now)
    failed = rating_models.replay(models=chosen, title="Lost", **drafting)
    ReplayReport.objects.filter(pk=failed.pk).update(
        state="failed", finished_at=world.now, error="A worker was lost three times while it computed this."
    )
    failed.parts.update(state="failed")
    return OnTheirWay(
        draft=rating_models.create_draft(algorithm="glicko2", parameters={"tau": 0.8}, **drafting),
        approved=approved,
        replay=replay,
        other=other,
        fit=fit,
        failed=failed,
        shipped=RatingModel.objects.get(queue=world.queue, version=1).report_id,
    )
