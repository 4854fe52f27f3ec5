"""From formation and result to the ledger: side, parties, margin, shares, figures and leavers arrive there."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from ladder.models import Match, MatchParticipant, SeasonRules
from ladder.selectors.matches import lineups
from ladder.selectors.ratable import locked_ratable
from ladder.services import backlog, matches, rating, results
from ladder.services.matches import Seat
from ratings.core.match_facts import MatchFacts, Reduction
from ratings.core.periods import rate_games
from ratings.core.rank_rules import RankRules
from ratings.core.registry import get_engine
from ratings.core.types import Belief, PeriodGame, PlayerFacts, Signals
from ratings.errors import DomainError
from ratings.models import ForecastEntry, RatingEvent, RatingModel
from ratings.services.verify import verify_ledger
from tests.ladder.periods import close_after, rate_by
from tests.ladder.world import World, drain_outbox, play, rating_of

pytestmark = pytest.mark.service


@pytest.fixture
def counting(world: World) -> World:
    """The world, its model counting sides and margins."""
    model = RatingModel.objects.get(queue=world.queue)
    wish = {**model.parameters, "side_advantage": 60.0, "margin_weight": 0.5}
    model.parameters = get_engine(model.algorithm, wish).parameters.as_dict()
    model.save()
    return world


def test_a_side_and_parties_known_at_formation_are_kept_and_predicted_with(counting: World) -> None:
    world = counting
    match = matches.create(
        queue=world.queue,
        season=world.season,
        seats=[[Seat(world.alice.pk)], [Seat(world.bob.pk, party=3)]],
        quality=None,
        now=world.later(seconds=1),
        side=1,
    )

    assert (match.side, match.participants.get(player=world.bob).party) == (1, 3)
    expected = {entry.player_id: entry.expected for entry in match.forecast.entries.all()}
    model = RatingModel.objects.get(queue=world.queue)
    newcomer = Belief(1500.0, 350.0, 0.06)
    chances = get_engine(model.algorithm, model.parameters).expected([[newcomer], [newcomer]], 1)
    assert (expected[world.alice.pk], expected[world.bob.pk]) == chances
    assert chances[1] > 0.54


def test_a_side_that_is_none_is_refused(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        matches.create(
            queue=world.queue,
            season=world.season,
            seats=[[Seat(world.alice.pk)], [Seat(world.bob.pk)]],
            quality=None,
            now=world.later(seconds=1),
            side=2,
        )

    assert refusal.value.code == "wrong_seats"
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("scores", "margin"), [(None, None), ((11, 4), 7.0), ((3, 0), 3.0)], ids=["unknown", "seven", "three"]
)
def test_scores_of_two_sides_say_how_clearly_it_was_decided(
    world: World, scores: tuple[int, int] | None, margin: float | None
) -> None:
    match = world.match(world.alice, world.bob)
    said: dict[str, Any] = {"match_id": match.pk, "scores": scores}
    results.report(actor=world.alice, revision=0, winner=0, now=world.later(seconds=1), **said)
    results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(seconds=1))

    match.refresh_from_db()

    assert match.margin == margin


@pytest.mark.parametrize("way", ["one by one", "batch"])
def test_everything_that_is_known_reaches_the_engine(counting: World, way: str) -> None:
    world = counting
    match = play(world, world.alice, world.bob)
    Match.objects.filter(pk=match.pk).update(side=0, margin=6.0)
    _about(match, world.bob.pk, share_played=0.5, performance=2.5, left_early=True, party=1)
    forecast = {entry.player_id: entry for entry in match.forecast.entries.all()}

    if way == "one by one":
        assert rating.rate_match(match_id=match.pk, now=world.later(seconds=1))
    else:
        assert backlog.relieve(now=world.later(seconds=60), least=1) == 1

    facts = lineups([match.pk])[match.pk].facts
    assert facts == MatchFacts(
        margin=6.0,
        side=0,
        weights=((1.0,), (0.5,)),
        parties=((None,), (1,)),
        quits=((False,), (True,)),
        performance=((None,), (2.5,)),
    )
    told = RatingEvent.objects.get(player_rating__player=world.bob, kind="match").explanation
    assert told["known"]["moved"] == ["side", "margin", "share"]
    model = RatingModel.objects.get(queue=world.queue)
    engine = get_engine(model.algorithm, model.parameters)
    beliefs = [[engine.initial(_belief(forecast[player.pk]))] for player in (world.alice, world.bob)]
    after = engine.update(beliefs, [1, 2], facts.weights, Signals(margin=6.0), 0)
    for player, (belief,) in zip((world.alice, world.bob), after, strict=True):
        event = RatingEvent.objects.get(player_rating__player=player, kind="match")
        assert (event.rating_after, event.deviation_after) == (belief.rating, belief.deviation)
    assert verify_ledger() == []


def test_the_busiest_read_and_the_batch_s_tell_the_same_facts(world: World) -> None:
    match = play(world, world.alice, world.bob)
    plain = locked_ratable(match.pk)
    assert plain is not None
    assert plain.lineup == lineups([match.pk])[match.pk]
    assert plain.lineup.facts == MatchFacts()

    Match.objects.filter(pk=match.pk).update(side=1, margin=0.5)
    _about(match, world.alice.pk, performance=-3.0)
    known = locked_ratable(match.pk)

    assert known is not None
    assert known.lineup == lineups([match.pk])[match.pk]
    assert known.lineup.facts == MatchFacts(margin=0.5, side=1, performance=((-3.0,), (None,)))


def test_who_did_not_play_is_told_so_on_the_page_of_the_match_and_keeps_the_rank(world: World) -> None:
    world.queue.team_size = 2
    world.queue.save()
    match = matches.create(
        queue=world.queue,
        season=world.season,
        seats=[[Seat(world.alice.pk), Seat(world.bob.pk)], [Seat(world.carol.pk), Seat(world.dave.pk)]],
        quality=None,
        now=world.later(seconds=1),
        state=Match.State.ASSIGNED,
    )
    said: dict[str, Any] = {"match_id": match.pk, "now": world.later(seconds=1)}
    results.report(actor=world.alice, revision=0, winner=0, scores=None, **said)
    _about(match, world.bob.pk, share_played=0.0)
    results.confirm(actor=world.carol, revision=1, **said)

    drain_outbox(world.later(seconds=5))

    events = {event.player_rating.player_id: event for event in RatingEvent.objects.filter(kind="match")}
    assert len(events) == 4
    assert events[world.bob.pk].rating_after == events[world.bob.pk].rating_before
    assert events[world.alice.pk].rating_after > events[world.alice.pk].rating_before
    assert events[world.bob.pk].state_after["games"] == 0
    match.refresh_from_db()
    assert match.rated_at is not None
    assert verify_ledger() == []


@pytest.mark.parametrize("algorithm", ["elo", "elo_fide", "glicko", "glicko2"])
def test_a_rating_period_counts_sides_margins_shares_and_the_matches_before_it(world: World, algorithm: str) -> None:
    counts = {"side_advantage": 60.0, "margin_weight": 0.5}
    wish = {**counts, "provisional_games": 2, "provisional_k": 50.0} if algorithm == "elo" else counts
    rate_by(world, "week", algorithm, wish)
    first, second = play(world, world.alice, world.bob), play(world, world.carol, world.alice)
    Match.objects.filter(pk=first.pk).update(side=1, margin=4.0)
    Match.objects.filter(pk=second.pk).update(side=1)
    _about(second, world.alice.pk, share_played=0.5)
    before = {
        (entry.forecast.match_id, entry.player_id): _belief(entry)
        for entry in ForecastEntry.objects.select_related("forecast")
    }
    drain_outbox(world.now)

    assert close_after(world, first) == 2

    games = [
        PeriodGame(before[first.pk, world.bob.pk], 1.0, side=-1, margin=4.0),
        PeriodGame(before[second.pk, world.carol.pk], 0.0, side=1, played=(0.5, 1.0)),
    ]
    done = rate_games(get_engine(algorithm, wish), before[first.pk, world.alice.pk], games, PlayerFacts(games=0))
    assert _belief(rating_of(world, world.alice)) == done.belief
    (told,) = RatingEvent.objects.filter(player_rating__player=world.alice, match=second)
    assert told.explanation["known"]["moved"] == ["side", "share"]
    assert verify_ledger() == []


def _about(match: Match, player: Any, **facts: Any) -> None:
    assert MatchParticipant.objects.filter(match=match, player_id=player).update(**facts) == 1


def _belief(entry: Any) -> Belief:
    return Belief(entry.rating, entry.deviation, entry.volatility)


def test_reduced_points_that_a_match_was_formed_with_reach_the_rank_of_whom_they_are_for(world: World) -> None:
    SeasonRules.objects.update(rank_rules=RankRules(placement_matches=0, placement_returning=0).to_json())
    for _ in range(10):
        play(world, world.alice, world.bob)
    drain_outbox(world.now)
    match = matches.create(
        queue=world.queue,
        season=world.season,
        seats=[[Seat(world.alice.pk)], [Seat(world.bob.pk, reduction=Reduction(50, "wide_party"))]],
        quality=None,
        now=world.later(seconds=1),
        state=Match.State.ASSIGNED,
    )
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.later(seconds=1))
    results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(seconds=1))
    read, batch = locked_ratable(match.pk), lineups([match.pk])[match.pk]

    drain_outbox(world.now)

    assert read is not None
    assert read.lineup.facts == batch.facts
    told = {
        event.player_rating.player_id: event.explanation["rank"].get("reduced")
        for event in match.rating_events.select_related("player_rating")
    }
    assert told == {world.alice.pk: None, world.bob.pk: {"percent": 50, "reason": "wide_party"}}


def test_reduced_points_without_a_reason_are_refused_by_the_database(world: World) -> None:
    match = world.match(world.alice, world.bob)

    with pytest.raises(IntegrityError), transaction.atomic():
        match.participants.update(points_percent=50)
