"""What a replay reads of a queue: matches in order, where everybody began, what happened besides matches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.utils import timezone

from ladder.models import Match, Season
from ladder.services import rating, results, seasons
from ratings.core.replay import Replay
from ratings.core.replay_steps import prepare
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors.models import engine_of
from ratings.selectors.replay_history import QueueHistory, day_of, history_size
from ratings.services.ledger import apply_correction
from tests.harness.queries import assert_queries
from tests.ladder.periods import close_after, played, rate_by
from tests.ladder.world import World
from tests.reports.steps import in_force, some_history
from tests.web_record.stage import play_rated

pytestmark = [pytest.mark.django_db, pytest.mark.service]


def replay_of(world: World, size: int = 1000) -> tuple[QueueHistory, Replay]:
    """The model in force, run over the whole history."""
    history = QueueHistory(world.queue.pk, timezone.now() + timedelta(days=1000))
    replay = Replay(engine_of(in_force(world)), accelerate=False, ageing=True)
    for step in history.steps(size):
        prepare(replay, step)
        if len(step.chunk):
            replay.run(step.chunk)
    return history, replay


def ends_where_the_ledger_stands(world: World, season: Season) -> bool:
    """Up to the seconds that a match lasts: a replay counts idle time from result to result."""
    history, replay = replay_of(world)
    rows = list(PlayerRating.objects.filter(queue=world.queue, season=season, games__gt=0))
    for row in rows:
        belief = replay.belief(history.players[row.player_id])
        assert belief.rating == pytest.approx(row.rating, abs=1e-4), row.player
        assert belief.deviation == pytest.approx(row.deviation, abs=1e-4), row.player
        assert belief.volatility == pytest.approx(row.volatility, abs=1e-9), row.player
    return bool(rows)


def correct(world: World, handle: str, points: float) -> RatingEvent:
    return apply_correction(
        player_id=getattr(world, handle).pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=points,
        reason="was misjudged",
        actor=world.otto.pk,
        now=world.later(minutes=1),
    )


def test_newcomers_start_where_the_ledger_placed_them(world: World) -> None:
    world.club.memberships.filter(player=world.alice).update(self_assessment="expert")
    world.club.memberships.filter(player=world.bob).update(self_assessment="")
    play_rated(world, world.alice, world.bob)

    history = QueueHistory(world.queue.pk, timezone.now() + timedelta(days=1))
    (step,) = history.steps()

    started = {player: step.starts.get(number) for player, number in history.players.items()}
    expert = started[world.alice.pk]
    assert expert is not None
    assert (expert.rating, expert.deviation) == (1800.0, 350.0)
    assert started[world.bob.pk] is None
    assert ends_where_the_ledger_stands(world, world.season)


def test_a_correction_by_hand_counts_from_its_moment_on(world: World) -> None:
    play_rated(world, world.alice, world.bob, times=3)
    correct(world, "bob", 150.0)
    play_rated(world, world.bob, world.alice, times=2)
    correct(world, "alice", -40.0)

    history = QueueHistory(world.queue.pk, timezone.now() + timedelta(days=1))
    steps = list(history.steps())

    assert [len(step.chunk) for step in steps] == [3, 2, 0]
    assert steps[1].shifts == {history.players[world.bob.pk]: 150.0}
    assert steps[2].shifts == {history.players[world.alice.pk]: -40.0}
    assert ends_where_the_ledger_stands(world, world.season)


def test_a_correction_that_was_taken_back_does_not_count_and_one_that_was_reinstated_does(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    correction = correct(world, "bob", 150.0)
    reversal = undo(correction)
    without = [step.shifts for step in QueueHistory(world.queue.pk, timezone.now()).steps()]
    undo(reversal)
    with_it = [step.shifts for step in QueueHistory(world.queue.pk, timezone.now()).steps()]

    assert without == [{}]
    assert list(with_it[-1].values()) == [150.0]


def test_a_match_whose_rating_was_taken_back_is_left_out(world: World) -> None:
    play_rated(world, world.alice, world.bob, times=3)
    events = RatingEvent.objects.filter(kind=RatingEvent.Kind.MATCH).order_by("created_at", "id")
    for event in events.filter(match=events[0].match):
        undo(event)

    assert history_size(queue_id=world.queue.pk, until=timezone.now()) == 2
    assert sum(len(step.chunk) for step in QueueHistory(world.queue.pk, timezone.now()).steps()) == 2


def undo(event: RatingEvent) -> RatingEvent:
    """An event that takes back another one, as reversals are written."""
    rating = event.player_rating
    last = rating.events.latest("seq")
    return RatingEvent.objects.create(
        player_rating=rating,
        seq=last.seq + 1,
        kind=RatingEvent.Kind.REVERSAL,
        undoes=event,
        rating_before=rating.rating,
        rating_after=rating.rating,
        canonical="{}",
        hash=f"{last.seq:064}",
        created_at=timezone.now(),
        effective_at=timezone.now(),
    )


def test_a_new_season_widens_what_is_known_as_the_ledger_does(world: World) -> None:
    play_rated(world, world.alice, world.bob, times=6)
    play_rated(world, world.carol, world.bob, times=2)
    seasons.close_season(season=world.season, actor=world.otto, now=world.later(days=3))
    seasons.finish_closing(now=world.later(minutes=1))
    summer = seasons.create_season(
        club=world.club,
        actor=world.otto,
        name="Summer",
        slug="summer",
        queues=[world.queue],
        starts_at=world.later(days=4),
        ends_at=None,
        now=world.now,
    )
    seasons.open_season(season=summer, actor=world.otto, now=world.now)
    world.season = summer
    play_rated(world, world.bob, world.alice, times=2)
    play_rated(world, world.dave, world.bob)

    steps = list(QueueHistory(world.queue.pk, timezone.now() + timedelta(days=1)).steps())

    assert [(len(step.chunk), step.widening > 0) for step in steps] == [(8, False), (3, True)]
    assert ends_where_the_ledger_stands(world, summer)


def test_pieces_of_any_size_hold_the_same_history(world: World) -> None:
    some_history(world, matches=30)
    correct(world, "alice", 25.0)

    whole, in_one = replay_of(world, size=1000)
    pieces, in_many = replay_of(world, size=7)

    assert whole.digest == pieces.digest != ""
    assert whole.players == pieces.players
    assert in_one.club_ratings() == pytest.approx(in_many.club_ratings())


@pytest.mark.parametrize("matches", [10, 120])
def test_a_walk_asks_a_fixed_number_of_questions(world: World, matches: int) -> None:
    some_history(world, matches=matches)
    history = QueueHistory(world.queue.pk, timezone.now())

    with assert_queries(5, "what was taken back, first placements, corrections, the seasons' rules, the matches"):
        seen = sum(len(step.chunk) for step in history.steps(5))

    assert seen == matches


def test_days_are_counted_by_the_clocks_of_the_club() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)

    assert day_of(late, UTC) == datetime(2026, 3, 1).toordinal() + 23.5 / 24
    assert day_of(late, berlin) == datetime(2026, 3, 2).toordinal() + 0.5 / 24


def test_what_a_match_says_besides_its_ranks_is_read_with_it(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    match = Match.objects.get()
    Match.objects.update(margin=3.0, side=1)
    match.participants.filter(player=world.alice).update(share_played=0.5, performance=12.0, party=2)
    match.participants.filter(player=world.bob).update(left_early=True)

    history = QueueHistory(world.queue.pk, timezone.now())
    ((chunk,),) = [[step.chunk] for step in history.steps()]

    seat = [history.players[player.pk] for player in (world.alice, world.bob)]
    assert (chunk.margin.tolist(), chunk.side.tolist()) == ([3.0], [1])
    assert chunk.weight[seat].tolist() == [0.5, 1.0]
    assert chunk.party[seat].tolist() == [2, -1]
    assert chunk.quit[seat].tolist() == [0.0, 1.0]
    assert chunk.performance[seat][0] == 12.0


def test_a_match_without_them_is_read_as_whole_and_on_neutral_ground(world: World) -> None:
    play_rated(world, world.alice, world.bob)

    (step,) = QueueHistory(world.queue.pk, timezone.now()).steps()

    assert step.chunk.duels()
    assert step.chunk.side.tolist() == [-1]
    assert bool(np.isnan(step.chunk.performance).all())


def test_a_replay_by_weeks_ends_where_a_ledger_by_weeks_stands(world: World) -> None:
    rate_by(world, "week")
    for _week in range(3):
        matches = played(world, (world.alice, world.bob), (world.carol, world.alice), (world.alice, world.bob))
        close_after(world, matches[0])

    history = QueueHistory(world.queue.pk, timezone.now() + timedelta(days=100), ZoneInfo("Europe/Berlin"))
    replay = Replay(engine_of(in_force(world)), accelerate=False, ageing=True, period="week")
    for step in history.steps():
        prepare(replay, step)
        replay.run(step.chunk)
    replay.close()

    for row in PlayerRating.objects.filter(queue=world.queue, games__gt=0):
        belief = replay.belief(history.players[row.player_id])
        assert belief.rating == pytest.approx(row.rating, abs=1e-3), row.player
        assert belief.deviation == pytest.approx(row.deviation, abs=1e-3), row.player


@pytest.mark.parametrize("algorithm", ["elo", "glicko2", "weng_lin", "trueskill2"])
def test_margins_and_provisional_matches_count_in_a_replay_as_in_the_ledger(world: World, algorithm: str) -> None:
    wish = {"margin_weight": 0.5, **({"provisional_games": 2} if algorithm == "elo" else {})}
    rate_by(world, "match", algorithm, wish)
    for scores in ([3, 0], [2, 1], [5, 1], [1, 0]):
        match = world.match(world.alice, world.bob)
        results.report(
            match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=scores, now=world.later(seconds=1)
        )
        results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(seconds=1))
        rating.rate_match(match_id=match.pk, now=world.later(seconds=1))

    history, replay = replay_of(world)

    assert Match.objects.filter(margin__isnull=False).count() == 4
    for row in PlayerRating.objects.filter(queue=world.queue):
        belief = replay.belief(history.players[row.player_id])
        assert belief.rating == pytest.approx(row.rating, abs=1e-4), row.player
        if row.deviation is not None:
            assert belief.deviation == pytest.approx(row.deviation, abs=1e-4), row.player
