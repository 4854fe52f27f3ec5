"""A queue that changes between rating periods and single matches: every match goes by the model it was formed under."""

from __future__ import annotations

import pytest

from ladder.models import OutboxEvent, Season
from ladder.selectors.unrated import unrated_matches
from ladder.services import outbox, periods, rating, rating_models, results, seasons
from ladder.services.rating import Outcome
from ratings.models import RatingModel
from ratings.services.verify import verify_ledger
from tests.ladder.periods import MATCH_EVENTS, close_after, end_of, played, rate_by
from tests.ladder.world import World, drain_outbox, play, rating_of
from tests.reports.steps import work

pytestmark = [pytest.mark.django_db, pytest.mark.service]


def take(world: World, period: str, algorithm: str = "glicko2") -> RatingModel:
    """Draft, replay, approve and put in force a model of this kind."""
    draft = rating_models.create_draft(
        queue=world.queue, actor=world.olga, algorithm=algorithm, parameters={}, period=period, now=world.now
    )
    work(rating_models.replay_model(model=draft, actor=world.olga, now=world.later(seconds=1)), world.now)
    draft.refresh_from_db()
    rating_models.approve(model=draft, actor=world.otto, revision=draft.revision, now=world.later(seconds=1))
    draft.refresh_from_db()
    return rating_models.put_in_force(
        model=draft, actor=world.olga, revision=draft.revision, now=world.later(seconds=1)
    ).model


@pytest.fixture
def weekly(world: World) -> World:
    """A queue rated by weeks of which the first is closed."""
    rate_by(world, "week")
    matches = played(world, (world.alice, world.bob), (world.carol, world.dave), (world.alice, world.carol))
    assert close_after(world, matches[0]) == 3
    return world


def chain(world: World, player: object) -> list[object]:
    """The matches of a player's chain, in its order."""
    events = MATCH_EVENTS.filter(player_rating__player=player, player_rating__season=world.season)
    return list(events.order_by("seq").values_list("match_id", flat=True))


def test_another_model_cuts_the_period_short_and_later_matches_wait_for_it(weekly: World) -> None:
    [waiting] = played(weekly, (weekly.alice, weekly.bob))
    take(weekly, "match")
    later = play(weekly, weekly.bob, weekly.alice)

    assert rating.rate_match(match_id=later.pk, now=weekly.now) is Outcome.WAITS_LONG
    [row] = unrated_matches(now=weekly.now)
    assert (row.match.pk, row.code, row.waits_for) == (later.pk, "waits_for_earlier", waiting.pk)

    assert periods.close_due(now=weekly.later(seconds=1)) == 0
    cut_at = end_of(waiting)
    assert cut_at == weekly.now
    assert periods.close_due(now=weekly.later(minutes=1)) == 1
    drain_outbox(weekly.now)

    assert chain(weekly, weekly.alice)[-2:] == [waiting.pk, later.pk]
    assert verify_ledger() == []


def test_what_was_formed_before_the_change_and_ends_after_it_is_rated_as_it_comes(weekly: World) -> None:
    under_way = weekly.match(weekly.alice, weekly.bob)
    take(weekly, "match")
    results.report(match_id=under_way.pk, actor=weekly.alice, revision=0, winner=0, scores=None, now=weekly.now)
    results.confirm(match_id=under_way.pk, actor=weekly.bob, revision=1, now=weekly.later(minutes=1))
    drain_outbox(weekly.now)

    assert periods.close_due(now=weekly.later(seconds=1)) == 0
    assert periods.close_due(now=weekly.later(minutes=1)) == 1

    event = MATCH_EVENTS.get(match=under_way, player_rating=rating_of(weekly, weekly.alice))
    assert event.rating_model is not None
    assert (event.rating_model.period, event.explanation["period"]["of"]) == ("week", 1)
    assert event.rating_after > event.rating_before
    assert verify_ledger() == []


def test_what_waits_for_its_week_is_carried_to_the_scale_of_another_engine(weekly: World) -> None:
    [waiting] = played(weekly, (weekly.alice, weekly.bob))
    elo = take(weekly, "match", "elo")
    before = rating_of(weekly, weekly.alice)
    assert (before.rating_model_id, before.deviation) == (elo.pk, None)

    periods.close_due(now=weekly.later(seconds=1))
    assert periods.close_due(now=weekly.later(minutes=1)) == 1

    after = rating_of(weekly, weekly.alice)
    event = MATCH_EVENTS.get(match=waiting, player_rating=after)
    assert after.rating > before.rating
    assert (after.rating_model_id, event.explanation["formed_model"]["name"]) == (elo.pk, "glicko2 v1")
    assert verify_ledger() == []


def test_a_match_that_waits_for_a_period_is_asked_about_once_a_minute(weekly: World) -> None:
    played(weekly, (weekly.alice, weekly.bob))
    take(weekly, "match")
    later = play(weekly, weekly.bob, weekly.alice)
    event = OutboxEvent.objects.get(key=str(later.pk))

    assert not outbox.consume(event_id=event.pk, now=weekly.now)

    event.refresh_from_db()
    assert (event.next_attempt_at - weekly.now).total_seconds() == 60
    assert event.last_error == ""


def test_periods_begin_with_the_first_match_that_is_formed_under_them(weekly: World) -> None:
    take(weekly, "match")
    single = play(weekly, weekly.carol, weekly.alice)
    drain_outbox(weekly.now)
    assert MATCH_EVENTS.filter(match=single).count() == 2

    take(weekly, "month")
    [monthly] = played(weekly, (weekly.alice, weekly.dave))

    assert end_of(monthly) > weekly.now
    assert close_after(weekly, monthly) == 1
    assert chain(weekly, weekly.alice)[-2:] == [single.pk, monthly.pk]
    assert verify_ledger() == []


def test_matches_of_two_models_that_ended_in_turns_are_rated_in_the_order_in_which_they_ended(weekly: World) -> None:
    """Nobody waits for ever: who waits for the new model's week is rated after it."""
    early, tardy = weekly.match(weekly.alice, weekly.bob), weekly.match(weekly.carol, weekly.dave)
    take(weekly, "month")
    results.report(match_id=early.pk, actor=weekly.alice, revision=0, winner=0, scores=None, now=weekly.now)
    results.confirm(match_id=early.pk, actor=weekly.bob, revision=1, now=weekly.later(minutes=1))
    results.report(match_id=tardy.pk, actor=weekly.carol, revision=0, winner=0, scores=None, now=weekly.now)
    [between] = played(weekly, (weekly.alice, weekly.carol))
    results.confirm(match_id=tardy.pk, actor=weekly.dave, revision=1, now=weekly.later(minutes=1))
    drain_outbox(weekly.now)

    periods.close_due(now=weekly.later(seconds=1))
    assert periods.close_due(now=weekly.later(minutes=1)) == 1, "of the old model, what nothing stands before"
    assert not MATCH_EVENTS.filter(match=tardy).exists()

    assert close_after(weekly, between) == 1
    assert periods.close_due(now=weekly.later(minutes=1)) == 1
    assert chain(weekly, weekly.carol)[-2:] == [between.pk, tardy.pk]
    assert chain(weekly, weekly.alice)[-2:] == [early.pk, between.pk]
    assert verify_ledger() == []


def test_a_season_with_matches_of_two_models_closes_too(weekly: World) -> None:
    played(weekly, (weekly.alice, weekly.bob))
    take(weekly, "month")
    played(weekly, (weekly.bob, weekly.alice))
    season = seasons.close_season(season=weekly.season, actor=weekly.olga, now=weekly.later(minutes=1))
    assert season.state == Season.State.CLOSING

    periods.close_due(now=weekly.later(minutes=1))
    periods.close_due(now=weekly.later(minutes=1))

    assert seasons.finish_closing(now=weekly.now) == 1
    assert verify_ledger() == []
