"""product-faults.md, found by reading source: a new season forgets nothing, and a job run twice does nothing more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db.models import Model
from django.urls import reverse

from ladder.models import AuditEntry, Match, MatchParticipant, Offence, OutboxEvent, Season, SeasonRules
from ladder.services import backlog, outbox, queues, rating, results, seasons
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket, TicketEvent, TicketMember
from matchmaking.services import ready
from matchmaking.services.recovery import reconcile
from matchmaking.services.tick import run_pool
from ratings.core.visible_rank import DEFAULT_RULES, RankRules
from ratings.models import PlayerRating, RatingEvent
from tests.ladder.world import World, drain_outbox, play, rating_of
from tests.matchmaking.hall import Hall
from tests.web_record.stage import signed_in

OWN_RULES = replace(DEFAULT_RULES, placement_matches=8, placement_returning=4, placement_most=12)


def season_of(world: World, slug: str, starts_at: datetime, rank_rules: RankRules | None = None) -> Season:
    return seasons.create_season(
        club=world.club,
        actor=world.olga,
        name=slug.title(),
        slug=slug,
        queues=[world.queue],
        starts_at=starts_at,
        ends_at=None,
        now=world.now,
        rank_rules=rank_rules,
    )


def close_and_follow(world: World, slug: str, rank_rules: RankRules | None = None) -> Season:
    """The present season ends in the middle of a month, and the next one opens ten days after."""
    seasons.close_season(season=world.season, actor=world.olga, now=world.later(days=14))
    following = season_of(world, slug, world.now, rank_rules)
    return seasons.open_season(season=following, actor=world.olga, now=world.later(days=10))


@pytest.mark.service
def test_R03_the_next_season_keeps_the_rules_of_the_last_one_and_the_returner_s_placement_count(world: World) -> None:
    world.season = close_and_follow(world, "summer", OWN_RULES)
    rating.rate_match(match_id=play(world, world.alice, world.bob).pk, now=world.now)

    world.season = close_and_follow(world, "autumn")
    world.match(world.alice, world.carol)

    assert RankRules.from_json(world.season.rules.get().rank_rules) == OWN_RULES
    assert rating_of(world, world.alice).placement_left == OWN_RULES.placement_returning
    assert rating_of(world, world.carol).placement_left == OWN_RULES.placement_matches


@pytest.mark.service
def test_R03_a_queue_without_a_past_starts_by_the_standard_rules(world: World) -> None:
    world.season = close_and_follow(world, "summer", OWN_RULES)
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now
    )
    made = season_of(replace(world, queue=rapid), "first", world.now)

    assert RankRules.from_json(made.rules.get().rank_rules) == DEFAULT_RULES


@pytest.mark.service
def test_R03_seasons_follow_each_other_without_overlap_whatever_the_day_of_their_end(world: World) -> None:
    following = close_and_follow(world, "summer")

    spring, summer = SeasonRules.objects.order_by("during")

    assert summer.season == following
    assert spring.during.upper == summer.during.lower, "a season begins where the last one ended, not on a first"


@contextmanager
def unchanged(*models: type[Model]) -> Iterator[None]:
    """Not a single value of these tables changes inside."""

    def rows() -> dict[str, list[dict[str, Any]]]:
        return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}

    before = rows()
    yield
    after = rows()
    for name in before:
        assert after[name] == before[name]


def every_job(hall: Hall) -> None:
    """Whatever beat would start at this moment, and what that leads to."""
    now = hall.now
    ready.expire_due(now=now)
    reconcile(now=now)
    run_pool(queue_id=hall.world.queue.pk, now=now, rng=random.Random(1))
    results.settle_silence(now=now)
    rating.requeue_unrated(now=now)
    backlog.relieve(now=now)
    outbox.deliver_due(now=now)
    drain_outbox(now)
    seasons.finish_closing(now=now)
    outbox.forget_delivered(now=now)


@pytest.mark.service
def test_R05_every_job_run_twice_does_what_it_does_once(hall: Hall) -> None:
    world = hall.world
    silent = world.match(world.carol, world.dave)
    results.report(match_id=silent.pk, actor=world.carol, revision=0, winner=0, scores=None, now=hall.later(1))
    lost = play(world, world.olga, world.maud)
    OutboxEvent.objects.all().delete()
    hall.later(30 * 24 * 3600)
    hall.join(world.alice, world.bob)
    hall.tick()
    hall.see(world.bob)
    hall.accept(world.alice)
    hall.later(40)
    every_job(hall)
    assert Match.objects.filter(pk__in=[silent.pk, lost.pk], rated_at__isnull=False).count() == 2
    assert Offence.objects.count() == 1

    play_and_record = (Match, MatchParticipant, PlayerRating, RatingEvent, OutboxEvent, AuditEntry, Offence)
    with unchanged(*play_and_record, Ticket, TicketMember, TicketEvent, ReadyCheck, ReadyCheckAnswer):
        hall.later(0.7)
        every_job(hall)


def test_R13_a_season_in_which_nothing_was_played_has_an_empty_table(past: World) -> None:
    seasons.close_season(season=past.season, actor=past.olga, now=past.later(days=1))
    fresh = season_of(past, "fresh", past.now)
    seasons.open_season(season=fresh, actor=past.olga, now=past.later(seconds=1))
    client = signed_in(past.alice)

    pages = [client.get(reverse("season", args=["chess", "fresh"])), client.get("/c/chess/ladder/blitz/?season=fresh")]
    pages.append(client.get("/c/chess/ladder/blitz/?season=spring"))

    assert [page.status_code for page in pages] == [200, 200, 200]
    assert not any('<td class="place">' in page.content.decode() for page in pages)
