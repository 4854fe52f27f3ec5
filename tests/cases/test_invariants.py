"""Invariants 3, 4 and 9 of architecture.md, where the database or every way to an end is the proof."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from ladder.models import Match, MatchParticipant, Season, SeasonRules
from ladder.services import matches, rating, results
from ladder.services.rating import Outcome
from matchmaking.models import MatchmakingPolicy
from ratings.models import PlayerRating, RatingEvent, RatingModel
from tests.ladder.world import World, drain_outbox, play
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


def declined(hall: Hall) -> Match:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.alice)
    hall.decline(hall.world.bob)
    return hall.check(hall.world.alice).match


def missed(hall: Hall) -> Match:
    hall.join(hall.world.alice, hall.world.bob)
    hall.tick()
    hall.accept(hall.world.alice)
    hall.expire(30)
    return hall.check(hall.world.alice).match


def called_off_by_both(hall: Hall) -> Match:
    match = hall.world.match(hall.world.alice, hall.world.bob)
    results.ask_to_cancel(match_id=match.pk, actor=hall.world.alice, revision=0, now=hall.now)
    return results.agree_to_cancel(match_id=match.pk, actor=hall.world.bob, revision=1, now=hall.now)


def called_off_by_silence(hall: Hall) -> Match:
    match = hall.world.match(hall.world.alice, hall.world.bob)
    results.ask_to_cancel(match_id=match.pk, actor=hall.world.alice, revision=0, now=hall.now)
    assert results.settle_silence(now=hall.later(3 * 86_400)) == 1
    return match


def called_off_by_staff(hall: Hall) -> Match:
    match = hall.world.match(hall.world.alice, hall.world.bob)
    return matches.cancel(match_id=match.pk, reason="by_staff", now=hall.now, actor=hall.world.maud)


def voided_after_a_dispute(hall: Hall) -> Match:
    match = hall.world.match(hall.world.alice, hall.world.bob)
    results.report(match_id=match.pk, actor=hall.world.alice, revision=0, winner=0, scores=None, now=hall.now)
    results.dispute(match_id=match.pk, actor=hall.world.bob, revision=1, note="no", now=hall.now)
    return results.decide(match_id=match.pk, actor=hall.world.maud, revision=2, void=True, note="", now=hall.now)


ENDS = (declined, missed, called_off_by_both, called_off_by_silence, called_off_by_staff, voided_after_a_dispute)


@pytest.mark.parametrize("end", ENDS)
def test_invariant_3_no_way_to_call_a_match_off_changes_anybody(hall: Hall, end: Callable[[Hall], Match]) -> None:
    earlier = play(hall.world, hall.world.alice, hall.world.bob)
    rating.rate_match(match_id=earlier.pk, now=hall.now)
    before: list[dict[str, Any]] = list(PlayerRating.objects.order_by("pk").values())

    match = end(hall)
    drain_outbox(hall.later(60))

    match.refresh_from_db()
    assert match.state == Match.State.CANCELLED
    assert rating.rate_match(match_id=match.pk, now=hall.now) is Outcome.NOT_RATED
    assert list(PlayerRating.objects.order_by("pk").values()) == before
    assert not RatingEvent.objects.filter(match=match).exists()
    assert not MatchParticipant.objects.filter(match=match, is_live=True).exists()


def test_invariant_4_the_database_itself_keeps_a_player_out_of_a_second_live_match(world: World) -> None:
    world.match(world.alice, world.bob)
    other = world.match(world.carol, world.dave)

    with pytest.raises(IntegrityError, match="live"), transaction.atomic():
        MatchParticipant.objects.create(
            match=other, team=other.teams.first(), player=world.alice, matched_at=world.now, is_live=True
        )


def test_invariant_9_the_database_keeps_two_seasons_of_a_queue_apart(world: World) -> None:
    other = Season.objects.create(club=world.club, slug="other", name="Other", created_at=world.now)
    during = DateTimeTZRange(world.now + timedelta(days=9), world.now + timedelta(days=10))

    with pytest.raises(IntegrityError, match="seasons_of_a_queue_never_overlap"), transaction.atomic():
        SeasonRules.objects.create(season=other, queue=world.queue, during=during)


def test_invariant_9_the_database_keeps_two_rating_models_of_a_queue_apart(world: World) -> None:
    with pytest.raises(IntegrityError, match="rating_models_never_overlap"), transaction.atomic():
        RatingModel.objects.create(
            queue=world.queue,
            version=2,
            algorithm="elo",
            state=RatingModel.State.SUPERSEDED,
            valid_during=DateTimeTZRange(world.now, world.now + timedelta(days=1)),
            created_at=world.now,
        )


def test_invariant_9_the_database_keeps_two_policies_of_a_queue_apart(hall: Hall) -> None:
    with pytest.raises(IntegrityError, match="policies_never_overlap"), transaction.atomic():
        MatchmakingPolicy.objects.create(
            queue=hall.world.queue, version=99, during=DateTimeTZRange(hall.now, None), created_at=hall.now
        )


def test_invariant_9_ranges_that_touch_do_not_overlap(hall: Hall) -> None:
    hall.preset("strict")
    hall.later(1)
    hall.preset("fair")

    ranges = list(hall.world.queue.policies.order_by("version").values_list("during", flat=True))

    assert all(earlier.upper == later.lower for earlier, later in pairwise(ranges))
    assert ranges[-1].upper is None
