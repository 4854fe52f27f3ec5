"""A moderator's decision, and matches called off."""

from __future__ import annotations

import pytest

from ladder.core.permissions import Role
from ladder.models import AuditEntry, Match, OutboxEvent
from ladder.selectors.unrated import end_sentence
from ladder.services import clubs, matches, results
from ratings.errors import DomainError, NotAllowed, NotFound, Stale
from tests.ladder.world import World

pytestmark = pytest.mark.service


def disputed(world: World) -> Match:
    """Alice says she won, bob says she did not."""
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    return results.dispute(match_id=match.pk, actor=world.bob, revision=1, note="I won.", now=world.now)


def test_the_decision_completes_the_match_and_is_on_the_trail(world: World) -> None:
    match = disputed(world)

    match = results.decide(
        match_id=match.pk, actor=world.maud, revision=2, winner=1, scores=(0, 2), note="Seen.", now=world.now
    )

    assert match.state == Match.State.COMPLETED
    assert [(team.rank, team.score) for team in match.teams.all()] == [(2, 0), (1, 2)]
    assert OutboxEvent.objects.filter(key=str(match.pk)).exists()
    entry = AuditEntry.objects.get(action="match.decided")
    assert (entry.actor, entry.detail["note"]) == (world.maud, "Seen.")


def test_a_voided_match_changes_nobody(world: World) -> None:
    match = disputed(world)

    match = results.decide(match_id=match.pk, actor=world.maud, revision=2, void=True, note="", now=world.now)

    assert (match.state, match.end_reason) == (Match.State.CANCELLED, "voided")
    assert "moderator" in end_sentence(match.end_reason)
    assert not OutboxEvent.objects.exists()


def test_a_second_click_is_done_and_a_second_moderator_is_too_late(world: World) -> None:
    match = disputed(world)
    for _click in range(2):
        results.decide(match_id=match.pk, actor=world.maud, revision=2, winner=1, note="", now=world.now)

    with pytest.raises(Stale):
        results.decide(match_id=match.pk, actor=world.olga, revision=2, winner=0, note="", now=world.now)

    assert AuditEntry.objects.filter(action="match.decided").count() == 1


def test_nobody_decides_a_match_they_play_in(world: World) -> None:
    clubs.set_role(club=world.club, actor=world.otto, player=world.alice, role=Role.MODERATOR, now=world.now)
    match = disputed(world)

    with pytest.raises(NotAllowed) as refusal:
        results.decide(match_id=match.pk, actor=world.alice, revision=2, winner=0, note="", now=world.now)

    assert refusal.value.code == "own_match"


def test_players_and_strangers_decide_nothing(world: World) -> None:
    match = disputed(world)

    with pytest.raises(NotAllowed):
        results.decide(match_id=match.pk, actor=world.carol, revision=2, winner=0, note="", now=world.now)
    with pytest.raises(NotFound):
        results.decide(match_id=match.pk, actor=world.stranger, revision=2, winner=0, note="", now=world.now)

    match.refresh_from_db()
    assert match.state == Match.State.DISPUTED


def test_a_match_nobody_disputes_can_only_be_voided(world: World) -> None:
    match = world.match(world.alice, world.bob)

    with pytest.raises(DomainError) as refusal:
        results.decide(match_id=match.pk, actor=world.maud, revision=0, winner=0, note="", now=world.now)
    assert refusal.value.code == "not_disputed"
    results.decide(match_id=match.pk, actor=world.maud, revision=0, void=True, note="stuck", now=world.now)

    assert not match.participants.filter(is_live=True).exists()


def test_the_players_wait_for_the_moderator_once_it_is_disputed(world: World) -> None:
    match = disputed(world)

    for attempt in (results.confirm, results.withdraw, results.ask_to_cancel):
        with pytest.raises(DomainError) as refusal:
            attempt(match_id=match.pk, actor=world.alice, revision=2, now=world.now)
        assert refusal.value.code == "disputed"


def test_assigning_and_cancelling_twice_change_nothing(world: World) -> None:
    match = world.match(world.alice, world.bob, state=Match.State.READY_CHECK)
    first = matches.assign(match_id=match.pk, now=world.later(seconds=1))
    second = matches.assign(match_id=match.pk, now=world.later(seconds=1))
    assert first.assigned_at == second.assigned_at

    matches.cancel(match_id=match.pk, reason="not_accepted", now=world.later(seconds=1))
    again = matches.cancel(match_id=match.pk, reason="other", now=world.later(seconds=1))

    assert again.end_reason == "not_accepted"
    with pytest.raises(DomainError):
        matches.assign(match_id=match.pk, now=world.now)


def test_only_staff_cancel_by_hand(world: World) -> None:
    match = world.match(world.alice, world.bob)

    with pytest.raises(NotAllowed):
        matches.cancel(match_id=match.pk, reason="staff", actor=world.alice, now=world.now)
    matches.cancel(match_id=match.pk, reason="staff", actor=world.maud, now=world.now)

    assert AuditEntry.objects.filter(action="match.cancelled", actor=world.maud).exists()


def test_a_match_needs_members_and_nobody_twice(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        world.match(world.alice, world.stranger)
    assert refusal.value.code == "not_a_member"
    with pytest.raises(DomainError) as refusal:
        world.match(world.alice, world.alice)
    assert refusal.value.code == "wrong_seats"

    assert not Match.objects.exists()


def test_invariant_4_whoever_is_in_a_match_enters_no_other(world: World) -> None:
    world.match(world.alice, world.bob)

    with pytest.raises(matches.Busy) as refusal:
        world.match(world.alice, world.carol)

    assert refusal.value.players == {world.alice.pk}
    assert not world.carol.participations.exists()
