"""Seasons: opened and closed by hand; what is closed stays as it is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ladder.models import AuditEntry, Match, Queue, Season
from ladder.selectors.seasons import current
from ladder.services import queues, rating, results, seasons
from ratings.errors import DomainError, NotAllowed
from ratings.models import PlayerRating
from tests.ladder.world import World, play

pytestmark = pytest.mark.service


def draft(world: World, slug: str, *, starts_in: timedelta = timedelta(0), queue: Queue | None = None) -> Season:
    """A season of the queue without an announced end."""
    return seasons.create_season(
        club=world.club,
        actor=world.olga,
        name=slug.title(),
        slug=slug,
        queues=[queue or world.queue],
        starts_at=world.now + starts_in,
        ends_at=None,
        now=world.now,
    )


def close(world: World) -> Season:
    """Organizer olga closes the season."""
    return seasons.close_season(season=world.season, actor=world.olga, now=world.later(hours=1))


def test_the_open_season_is_the_queues_current_one(world: World) -> None:
    rules = current(world.queue)

    assert rules is not None
    assert rules.season == world.season


def test_a_season_with_nothing_under_way_closes_at_once(world: World) -> None:
    season = close(world)

    assert (season.state, season.closed_at) == (Season.State.CLOSED, world.now)
    assert season.rules.get().during.upper == world.now
    assert current(world.queue) is None


def test_closing_and_opening_twice_change_nothing(world: World) -> None:
    again = seasons.open_season(season=world.season, actor=world.olga, now=world.later(days=1))
    assert again.opened_at == world.season.opened_at

    first, second = close(world), close(world)

    assert first.closed_at == second.closed_at
    assert AuditEntry.objects.filter(action="season.closed").count() == 1


def test_a_match_under_way_keeps_the_season_closing_until_it_is_rated(world: World) -> None:
    match = world.match(world.alice, world.bob)

    assert close(world).state == Season.State.CLOSING
    with pytest.raises(DomainError) as refusal:
        world.match(world.carol, world.dave)
    assert refusal.value.code == "no_season"

    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.now)
    assert seasons.finish_closing(now=world.now) == 0
    rating.rate_match(match_id=match.pk, now=world.now)
    assert seasons.finish_closing(now=world.later(seconds=1)) == 1
    assert seasons.finish_closing(now=world.later(seconds=1)) == 0

    world.season.refresh_from_db()
    assert world.season.state == Season.State.CLOSED
    assert PlayerRating.objects.get(player=world.alice).season == world.season


def test_nothing_is_played_in_a_closed_season(world: World) -> None:
    close(world)

    with pytest.raises(DomainError, match="No season is open for Blitz"):
        world.match(world.alice, world.bob)
    with pytest.raises(DomainError, match="Spring is over"):
        seasons.open_season(season=world.season, actor=world.olga, now=world.now)

    assert not Match.objects.exists()


def test_the_next_season_starts_where_the_last_one_ended_and_keeps_the_rating(world: World) -> None:
    rating.rate_match(match_id=play(world, world.alice, world.bob).pk, now=world.now)
    close(world)
    summer = draft(world, "summer")
    world.season = seasons.open_season(season=summer, actor=world.olga, now=world.later(seconds=1))

    world.match(world.alice, world.bob)

    spring, later = PlayerRating.objects.filter(player=world.alice).order_by("created_at")
    assert later.season == summer
    assert later.rating == pytest.approx(spring.rating)
    assert later.deviation > spring.deviation
    assert later.games == 0


def test_one_queue_plays_one_season_at_a_time(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        draft(world, "summer")
    assert refusal.value.code == "season_overlap"

    world.season.rules.update(during=(world.now - timedelta(days=1), world.now + timedelta(days=30)))
    summer = draft(world, "summer", starts_in=timedelta(days=30))
    with pytest.raises(DomainError) as refusal:
        seasons.open_season(season=summer, actor=world.olga, now=world.now)
    assert refusal.value.code == "season_open"

    assert Season.objects.filter(state=Season.State.OPEN).count() == 1


def test_a_season_opened_early_starts_then(world: World) -> None:
    close(world)
    summer = draft(world, "summer", starts_in=timedelta(days=10))

    seasons.open_season(season=summer, actor=world.olga, now=world.later(days=1))

    assert summer.rules.get().during.lower == world.now


def test_a_further_queue_joins_the_season(world: World) -> None:
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now
    )
    assert current(rapid) is None

    seasons.add_queue(season=world.season, queue=rapid, actor=world.olga, now=world.now)

    assert current(rapid).season == world.season
    with pytest.raises(DomainError):
        seasons.add_queue(season=world.season, queue=rapid, actor=world.olga, now=world.now)


def test_seasons_and_queues_are_the_organizers_business(world: World) -> None:
    for somebody in (world.maud, world.alice):
        with pytest.raises(NotAllowed):
            seasons.close_season(season=world.season, actor=somebody, now=world.now)
        with pytest.raises(NotAllowed):
            queues.set_state(queue=world.queue, actor=somebody, state=Queue.State.CLOSED, now=world.now)

    world.season.refresh_from_db()
    assert world.season.state == Season.State.OPEN


def test_a_queue_has_its_first_rating_model_and_a_free_address(world: World) -> None:
    assert world.queue.rating_models.get().algorithm == "glicko2"
    with pytest.raises(DomainError) as refusal:
        queues.create_queue(club=world.club, actor=world.olga, name="B", slug="blitz", game_name="Chess", now=world.now)
    assert refusal.value.code == "slug_taken"


def test_closing_a_queue_is_written_down_once(world: World) -> None:
    for _click in range(2):
        queues.set_state(queue=world.queue, actor=world.olga, state=Queue.State.CLOSED, now=world.now)

    world.queue.refresh_from_db()
    assert world.queue.state == Queue.State.CLOSED
    assert AuditEntry.objects.filter(action="queue.state").count() == 1
