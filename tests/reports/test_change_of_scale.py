"""Another engine takes over a queue: everybody's rating moves to what its replay comes to, and every rank stays."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from ladder.models import AuditEntry, Season
from ladder.services import matches, rating, rating_models, results, seasons
from ladder.services.matches import Seat
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.models import engine_of
from ratings.services import model_drafts
from ratings.services.ledger import apply_correction
from ratings.services.model_drafts import InForce
from ratings.services.verify import verify_ledger
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ladder.world import World, play, rating_of
from tests.reports.steps import in_force, some_history
from tests.reports.test_drafts import approved, replayed
from tests.web_record.stage import play_rated

pytestmark = pytest.mark.service


def other_engine(world: World, algorithm: str = "weng_lin", **parameters: Any) -> RatingModel:
    """An approved model of another engine."""
    draft = rating_models.create_draft(
        queue=world.queue, actor=world.olga, algorithm=algorithm, parameters=parameters, now=world.later(seconds=1)
    )
    return approved(world, replayed(world, draft))


def take_over(world: World, model: RatingModel) -> InForce:
    return rating_models.put_in_force(
        model=model, actor=world.olga, revision=model.revision, now=world.later(seconds=1)
    )


def ranks(world: World) -> dict[str, tuple[Any, ...]]:
    rows = PlayerRating.objects.filter(queue=world.queue).select_related("player")
    return {
        row.player.handle: (row.position, row.tier, row.division, row.points, row.games, row.placement_left)
        for row in rows
    }


@pytest.mark.django_db
def test_everybody_moves_to_where_the_report_said_they_would_stand(world: World) -> None:
    some_history(world)
    before = ranks(world)
    model = other_engine(world)
    assert model.report is not None
    told = model.report.parts.get(key="weng_lin v2").result["standings"]

    change = take_over(world, model)

    engine = engine_of(model)
    for player, club_rating, club_deviation, _games in told:
        row = PlayerRating.objects.select_related("rating_model").get(player=player, queue=world.queue)
        belief = engine.to_club(engine.initial(belief_of(row)))
        assert belief.rating == pytest.approx(club_rating)
        assert belief.deviation == pytest.approx(club_deviation)
        assert row.rating_model == model
    assert (change.moved, ranks(world)) == (4, before)
    assert verify_ledger(limit=5) == []


def belief_of(row: PlayerRating) -> Any:
    from ratings.core.types import Belief

    return Belief(row.rating, row.deviation, row.volatility)


@pytest.mark.django_db
def test_each_rating_says_by_an_event_what_it_moved_from_and_who_did_it(world: World) -> None:
    some_history(world)
    take_over(world, other_engine(world))

    event = rating_of(world, world.alice).events.latest("seq")
    act = AuditEntry.objects.get(action="model.in_force")

    assert (event.kind, event.actor_id, event.points_delta) == ("model_change", world.olga.pk, 0)
    assert event.explanation["source"] == "replay"
    assert event.rating_model == in_force(world)
    assert act.detail["ratings_moved"] == 4


@pytest.mark.django_db
@pytest.mark.parametrize("algorithm", ["elo", "elo_fide", "glicko", "trueskill", "trueskill2", "weng_lin"])
def test_every_engine_can_take_over(world: World, algorithm: str) -> None:
    some_history(world)
    before = ranks(world)

    assert take_over(world, other_engine(world, algorithm)).moved == 4

    play_rated(world, world.dave, world.alice)
    assert ranks(world)["bob"] == before["bob"]
    assert verify_ledger(limit=5) == []


@pytest.mark.django_db
def test_a_model_of_the_same_scale_moves_nobody(world: World) -> None:
    some_history(world)
    take_over(world, other_engine(world, "glicko2", tau=0.3))

    assert not RatingEvent.objects.filter(kind="model_change").exists()


@pytest.mark.django_db
def test_matches_go_on_being_rated_and_proved_after_the_change(world: World) -> None:
    some_history(world)
    under_way = play(world, world.alice, world.bob)
    take_over(world, other_engine(world))
    moved = rating_of(world, world.alice).rating

    rating.rate_match(match_id=under_way.pk, now=world.later(seconds=1))
    after_the_old_match = rating_of(world, world.alice)
    play_rated(world, world.alice, world.bob)
    after_the_new_match = rating_of(world, world.alice)

    assert moved < after_the_old_match.rating < after_the_new_match.rating
    assert after_the_new_match.rating_model == in_force(world)
    assert verify_ledger(limit=5) == []


@pytest.mark.django_db
def test_a_correction_is_kept_where_it_was_given(world: World) -> None:
    some_history(world)
    apply_correction(
        player_id=world.dave.pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=200.0,
        reason="plays elsewhere",
        actor=world.otto.pk,
        now=timezone.now(),
    )
    without = next(row for row in other_engine_standings(world, until_correction=True) if row[0] == str(world.dave.pk))

    model = other_engine(world)
    take_over(world, model)

    club = engine_of(model).to_club(belief_of(rating_of(world, world.dave)))
    assert club.rating == pytest.approx(without[1] + 200.0)


def other_engine_standings(world: World, *, until_correction: bool) -> list[Any]:
    """A replay that stops before the correction."""
    from ratings.core.replay import Replay
    from ratings.core.replay_steps import prepare
    from ratings.core.report import everybody
    from ratings.selectors.replay_history import QueueHistory

    engine = engine_of(RatingModel(algorithm="weng_lin", parameters={}))
    replay = Replay(engine, accelerate=False, ageing=True)
    history = QueueHistory(world.queue.pk, timezone.now())
    for step in history.steps():
        if until_correction and step.shifts:
            break
        prepare(replay, step)
        replay.run(step.chunk)
    return everybody(replay, [str(player) for player in history.players])


@pytest.mark.django_db
def test_who_was_placed_and_never_played_is_carried_over(world: World) -> None:
    some_history(world)
    world.match(world.alice, world.otto)  # formed and never played: otto has a rating and no match
    before = rating_of(world, world.otto)
    club_before = engine_of(in_force(world)).to_club(belief_of(before))

    model = other_engine(world)
    take_over(world, model)

    row = rating_of(world, world.otto)
    club = engine_of(model).to_club(belief_of(row))
    assert club.rating == pytest.approx(club_before.rating)
    assert row.events.latest("seq").explanation["source"] == "scale"


@pytest.mark.django_db
def test_a_closed_season_stays_as_it_was_and_the_next_one_follows(world: World) -> None:
    play_rated(world, world.alice, world.bob, times=6)
    seasons.close_season(season=world.season, actor=world.otto, now=world.later(days=1))
    seasons.finish_closing(now=world.later(minutes=1))
    final = list(PlayerRating.objects.filter(season=world.season).order_by("id").values())
    next_season(world)
    world.match(world.alice, world.bob)  # placed in the new season, not yet played

    model = other_engine(world)
    change = take_over(world, model)

    assert change.moved == 2
    closed = Season.objects.get(slug="spring")
    assert list(PlayerRating.objects.filter(season=closed).order_by("id").values()) == final
    club = engine_of(model).to_club(belief_of(rating_of(world, world.alice)))
    assert club.rating > 1500.0


def next_season(world: World) -> None:
    summer = seasons.create_season(
        club=world.club,
        actor=world.otto,
        name="Summer",
        slug="summer",
        queues=[world.queue],
        starts_at=world.later(days=1),
        ends_at=None,
        now=world.now,
    )
    world.season = seasons.open_season(season=summer, actor=world.otto, now=world.now)


@pytest.mark.django_db
def test_a_new_season_that_nobody_played_yet_is_as_wide_as_its_placements(world: World) -> None:
    play_rated(world, world.alice, world.bob, times=6)
    seasons.close_season(season=world.season, actor=world.otto, now=world.later(days=1))
    seasons.finish_closing(now=world.later(minutes=1))
    next_season(world)
    world.match(world.alice, world.bob)
    placed = rating_of(world, world.alice)

    # The same engine under another name of its scale: what a replay comes to is what the placement came to.
    model = other_engine(world, "glicko2", draw_probability=0.2)
    ready = model_drafts.replay_under(RatingModel.objects.get(version=1))
    values = model_drafts.values_for(RatingModel.objects.get(version=1), [world.season.pk], ready)

    assert model.version == 2
    assert values[placed.pk].rating == pytest.approx(placed.rating, abs=1e-3)
    assert values[placed.pk].deviation == pytest.approx(placed.deviation, abs=1e-3)


@pytest.mark.django_db
def test_what_was_rated_since_the_replay_is_in_it_all_the_same(world: World) -> None:
    some_history(world)
    model = other_engine(world)
    stale = model_drafts.before_force(model_id=model.pk, now=world.now)
    play_rated(world, world.dave, world.alice, times=3)

    change = model_drafts.put_in_force(
        model_id=model.pk,
        revision=model.revision,
        four_eyes=False,
        actor=world.olga.pk,
        season_ids=[world.season.pk],
        ready=stale,
        now=world.later(seconds=1),
    )

    fresh = model_drafts.values_for(model, [world.season.pk], model_drafts.replay_under(model))
    assert change.moved == 4
    for row in PlayerRating.objects.filter(season=world.season):
        assert row.rating == pytest.approx(fresh[row.pk].rating)


@pytest.mark.django_db
@pytest.mark.parametrize("matches_played", [20, 120])
def test_a_change_asks_the_same_few_questions_whatever_the_history(world: World, matches_played: int) -> None:
    some_history(world, matches=matches_played)
    model = other_engine(world)
    ready = model_drafts.before_force(model_id=model.pk, now=world.now)

    with assert_queries(18, "locks, models, report, mark, carries, ratings twice, COPY, one update, savepoints"):
        model_drafts.put_in_force(
            model_id=model.pk,
            revision=model.revision,
            four_eyes=False,
            actor=world.olga.pk,
            season_ids=[world.season.pk],
            ready=ready,
            now=world.later(seconds=1),
        )


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_results_that_are_rated_while_everybody_moves_are_neither_lost_nor_doubled(
    shared_world: World, turn: int
) -> None:
    world = shared_world
    play_rated(world, world.alice, world.bob, times=4)
    play_rated(world, world.carol, world.dave, times=3)
    model = other_engine(world)
    waiting = [play(world, world.alice, world.carol), play(world, world.bob, world.dave)]
    now = world.later(seconds=1)

    outcomes = run_together(
        lambda: rating_models.put_in_force(model=model, actor=world.olga, revision=model.revision, now=now),
        *(lambda key=match.pk: rating.rate_match(match_id=key, now=now) for match in waiting),
    )

    assert isinstance(outcomes[0], InForce), outcomes
    assert [bool(one) for one in outcomes[1:]] == [True, True]
    assert RatingEvent.objects.filter(kind="match").count() == 2 * (7 + 2)
    assert RatingEvent.objects.filter(kind="model_change").count() == 4
    assert set(PlayerRating.objects.values_list("rating_model", flat=True)) == {model.pk}
    assert verify_ledger(limit=5) == []


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_a_match_formed_while_everybody_moves_can_be_played_and_rated(shared_world: World, turn: int) -> None:
    world = shared_world
    play_rated(world, world.alice, world.bob, times=4)
    model = other_engine(world)
    now = world.later(seconds=1)

    outcomes = run_together(
        lambda: rating_models.put_in_force(model=model, actor=world.olga, revision=model.revision, now=now),
        lambda: matches.create(
            queue=world.queue,
            season=world.season,
            seats=[[Seat(world.alice.pk)], [Seat(world.bob.pk)]],
            quality=0.9,
            now=now,
            state=matches.Match.State.ASSIGNED,
        ),
    )
    match = outcomes[1]
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.later(seconds=1))
    results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(seconds=1))
    before = engine_of(model).to_club(belief_of(rating_of(world, world.alice)))

    assert rating.rate_match(match_id=match.pk, now=world.later(seconds=1))

    after = engine_of(model).to_club(belief_of(rating_of(world, world.alice)))
    assert before.rating < after.rating < before.rating + 400.0
    assert verify_ledger(limit=5) == []
