"""Offences: a warning first, then growing blocks that time forgives; told before and after."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from ladder.core.penalties import DEFAULT_RULES, next_penalty
from ladder.models import Match, Offence, Player
from ladder.selectors import conduct as read
from ladder.services import conduct
from tests.ladder.world import START, World

HOUR = timedelta(hours=1)


def minutes_after(*hours: float, now: float) -> float:
    """The block, in minutes, that one more offence would bring after offences at these hours."""
    moments = [START + hour * HOUR for hour in hours]
    return next_penalty(moments, now=START + now * HOUR).block / timedelta(minutes=1)


def test_it_escalates_from_a_warning_and_stops_at_the_last_step() -> None:
    assert [minutes_after(*range(count), now=count) for count in range(7)] == [0, 1, 5, 30, 120, 120, 120]


def test_a_day_without_an_offence_takes_one_level_back() -> None:
    assert minutes_after(0, 1, 2, now=3) == 30
    assert minutes_after(0, 1, 2, now=27) == 5
    assert minutes_after(0, 1, 2, now=51) == 1
    assert minutes_after(0, 1, 2, now=24 * 9) == 0


def test_forgiveness_counts_between_offences_too_and_order_does_not_matter() -> None:
    assert minutes_after(0, 1, 49, now=50) == minutes_after(49, 0, 1, now=50) == 1


def test_a_clock_that_stepped_back_forgives_nothing_and_adds_nothing() -> None:
    assert minutes_after(5, 5, now=4) == 5


def test_offences_older_than_the_memory_do_not_matter() -> None:
    hours = DEFAULT_RULES.memory / HOUR

    assert minutes_after(*([0.0] * 20), now=hours) == 0


def decline(world: World, player: Player, now: datetime) -> Offence:
    """The player declines a fresh match."""
    match = world.match(player, world.bob, state=Match.State.READY_CHECK)
    match.participants.update(is_live=False)
    return conduct.record_offence(
        player_id=player.pk, queue=world.queue, match_id=match.pk, kind=Offence.Kind.DECLINED, now=now
    )


@pytest.mark.service
def test_B47_the_text_before_and_after_names_the_duration(world: World) -> None:
    def before() -> str:
        penalty = read.next_penalty(player_id=world.alice.pk, club_id=world.club.pk, now=world.now)
        return read.warning_before(penalty)

    assert "a warning" in before()
    assert "a warning" in read.told_after(decline(world, world.alice, world.now))
    assert read.block(player_id=world.alice.pk, club_id=world.club.pk, now=world.now) is None

    assert "1 minute" in before()
    decline(world, world.alice, world.now)
    assert "5 minutes" in before()
    offence = decline(world, world.alice, world.now)

    assert "5 minutes" in read.told_after(offence)
    block = read.block(player_id=world.alice.pk, club_id=world.club.pk, now=world.now + timedelta(seconds=30))
    assert block is not None
    assert block.until == offence.created_at + timedelta(minutes=5)
    assert "in 5 minutes" in block.sentence
    assert read.block(player_id=world.alice.pk, club_id=world.club.pk, now=block.until) is None


@pytest.mark.service
def test_one_match_is_one_offence_however_often_it_is_told(world: World) -> None:
    match = world.match(world.alice, world.bob, state=Match.State.READY_CHECK)
    told = [
        conduct.record_offence(
            player_id=world.alice.pk, queue=world.queue, match_id=match.pk, kind="missed", now=world.later(seconds=1)
        )
        for _time in range(3)
    ]

    assert len({offence.pk for offence in told}) == 1
    assert Offence.objects.count() == 1


@pytest.mark.service
def test_another_club_does_not_hear_of_it(world: World) -> None:
    decline(world, world.alice, world.now)
    decline(world, world.alice, world.now)

    assert read.block(player_id=world.alice.pk, club_id=world.queue.pk, now=world.now) is None
    assert read.next_penalty(player_id=world.alice.pk, club_id=world.queue.pk, now=world.now).is_warning
