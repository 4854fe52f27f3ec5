"""Clubs: who gets in, who has to go, who may say so."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ladder.core.permissions import Capability, Role
from ladder.models import AuditEntry, Invitation, Membership, Player
from ladder.selectors.access import access_to
from ladder.services import clubs, results
from ratings.errors import DomainError, NotAllowed, NotFound
from tests.ladder.world import START, World

pytestmark = pytest.mark.service


def role_of(world: World, player: Player) -> Role:
    """What the player is to the club now."""
    return access_to(world.club, player).role


def test_a_club_has_an_owner_from_the_start(world: World) -> None:
    assert role_of(world, world.otto) is Role.OWNER
    assert AuditEntry.objects.filter(club=world.club, action="club.created", actor=world.otto).exists()


def test_an_address_that_is_taken_is_refused_and_leaves_nothing(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        clubs.create_club(name="Other", slug="chess", time_zone="UTC", owner=world.stranger, now=START)

    assert refusal.value.code == "slug_taken"
    assert not Membership.objects.filter(player=world.stranger).exists()


def test_joining_twice_is_one_membership(world: World) -> None:
    first = clubs.join_club(club=world.club, player=world.stranger, self_assessment="novice", now=world.now)
    second = clubs.join_club(club=world.club, player=world.stranger, self_assessment="expert", now=world.now)

    assert first.pk == second.pk
    assert second.self_assessment == "novice"


def test_joining_needs_an_answer_that_exists(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        clubs.join_club(club=world.club, player=world.stranger, self_assessment="grandmaster", now=world.now)

    assert refusal.value.code == "unknown_self_assessment"
    assert role_of(world, world.stranger) is Role.OUTSIDER


def test_a_closed_club_is_joined_by_invitation_only(world: World) -> None:
    world.club.is_open_to_join = False
    world.club.save()

    with pytest.raises(NotAllowed):
        clubs.join_club(club=world.club, player=world.stranger, self_assessment="club", now=world.now)
    _row, token = invite(world)
    clubs.join_club(club=world.club, player=world.stranger, self_assessment="club", token=token, now=world.now)

    assert role_of(world, world.stranger) is Role.PLAYER


def test_only_a_hash_of_the_token_is_kept(world: World) -> None:
    row, token = invite(world)

    assert len(token) >= 32
    assert token not in str(Invitation.objects.filter(pk=row.pk).values().get())


def test_an_invitation_ends_by_time_by_use_and_by_hand(world: World) -> None:
    row, token = invite(world, max_uses=1)

    def enter(player: Player, now: timedelta = timedelta(0)) -> None:
        clubs.join_club(club=world.club, player=player, self_assessment="club", token=token, now=world.now + now)

    with pytest.raises(DomainError, match="expired"):
        enter(world.stranger, timedelta(days=8))
    enter(world.stranger)
    other = Player.objects.create_user("other")
    with pytest.raises(DomainError, match="used up"):
        enter(other)
    clubs.revoke_invitation(club=world.club, actor=world.olga, invitation_id=row.pk, now=world.now)
    with pytest.raises(DomainError, match="not valid"):
        enter(other)
    with pytest.raises(DomainError, match="not valid"):
        clubs.join_club(club=world.club, player=other, self_assessment="club", token="guess", now=world.now)


def test_an_invitation_of_another_club_opens_no_door_here(world: World) -> None:
    other = clubs.create_club(name="Go", slug="go", time_zone="UTC", owner=world.stranger, now=START)
    _row, token = clubs.create_invitation(club=other, actor=world.stranger, note="", days=7, max_uses=5, now=world.now)

    with pytest.raises(DomainError, match="not valid"):
        clubs.join_club(club=world.club, player=world.stranger, self_assessment="club", token=token, now=world.now)


def test_players_and_moderators_invite_nobody(world: World) -> None:
    for somebody in (world.alice, world.maud):
        with pytest.raises(NotAllowed):
            clubs.create_invitation(club=world.club, actor=somebody, note="", days=7, max_uses=5, now=world.now)


def test_the_last_owner_neither_leaves_nor_steps_down_nor_is_put_out(world: World) -> None:
    for attempt in (
        lambda: clubs.leave_club(club=world.club, player=world.otto, now=world.now),
        lambda: clubs.set_role(club=world.club, actor=world.otto, player=world.otto, role=Role.PLAYER, now=world.now),
        lambda: clubs.end_membership(club=world.club, actor=world.otto, player=world.otto, now=world.now),
    ):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert refusal.value.code == "last_owner"

    assert role_of(world, world.otto) is Role.OWNER


def test_with_a_second_owner_the_first_may_go(world: World) -> None:
    clubs.set_role(club=world.club, actor=world.otto, player=world.olga, role=Role.OWNER, now=world.now)

    clubs.leave_club(club=world.club, player=world.otto, now=world.now)

    assert role_of(world, world.otto) is Role.OUTSIDER


def test_nobody_leaves_in_the_middle_of_a_match(world: World) -> None:
    world.match(world.alice, world.bob)

    with pytest.raises(DomainError) as refusal:
        clubs.leave_club(club=world.club, player=world.alice, now=world.now)

    assert refusal.value.code == "in_a_match"


def test_only_owners_set_roles_and_the_act_is_on_the_trail(world: World) -> None:
    for somebody in (world.olga, world.maud, world.alice):
        with pytest.raises(NotAllowed):
            clubs.set_role(club=world.club, actor=somebody, player=world.bob, role=Role.OWNER, now=world.now)
    clubs.set_role(club=world.club, actor=world.otto, player=world.bob, role=Role.MODERATOR, now=world.now)

    entry = AuditEntry.objects.filter(action="role.set").latest("id")
    assert entry.detail == {"player": str(world.bob.pk), "before": "player", "after": "moderator"}


def test_B127_a_new_role_works_at_the_next_request(world: World) -> None:
    match = world.match(world.alice, world.bob)
    results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)
    results.dispute(match_id=match.pk, actor=world.bob, revision=1, note="", now=world.now)
    with pytest.raises(NotAllowed):
        results.decide(match_id=match.pk, actor=world.carol, revision=2, winner=0, note="", now=world.now)

    clubs.set_role(club=world.club, actor=world.otto, player=world.carol, role=Role.MODERATOR, now=world.now)

    assert access_to(world.club, world.carol).may(Capability.DECIDE_DISPUTES)
    results.decide(match_id=match.pk, actor=world.carol, revision=2, winner=0, note="", now=world.now)


def test_an_organizer_puts_out_players_but_nobody_with_a_role(world: World) -> None:
    with pytest.raises(NotAllowed):
        clubs.end_membership(club=world.club, actor=world.olga, player=world.maud, now=world.now)
    with pytest.raises(NotAllowed):
        clubs.end_membership(club=world.club, actor=world.maud, player=world.bob, now=world.now)

    clubs.end_membership(club=world.club, actor=world.olga, player=world.bob, now=world.now)

    assert role_of(world, world.bob) is Role.OUTSIDER


def test_a_ban_closes_the_way_back_until_it_is_lifted(world: World) -> None:
    clubs.end_membership(club=world.club, actor=world.olga, player=world.bob, ban=True, reason="rude", now=world.now)

    with pytest.raises(NotAllowed, match="does not let you in"):
        clubs.join_club(club=world.club, player=world.bob, self_assessment="club", now=world.now)
    clubs.lift_ban(club=world.club, actor=world.olga, player=world.bob, now=world.now)
    clubs.join_club(club=world.club, player=world.bob, self_assessment="club", now=world.now)

    assert role_of(world, world.bob) is Role.PLAYER


def test_people_of_another_club_do_nothing_here(world: World) -> None:
    clubs.create_club(name="Go", slug="go", time_zone="UTC", owner=world.stranger, now=START)

    with pytest.raises(NotFound):
        clubs.set_role(club=world.club, actor=world.stranger, player=world.bob, role=Role.OWNER, now=world.now)
    with pytest.raises(NotFound):
        clubs.end_membership(club=world.club, actor=world.stranger, player=world.bob, now=world.now)


def invite(world: World, *, max_uses: int = 5) -> tuple[Invitation, str]:
    """A link of organizer olga's, good for a week."""
    return clubs.create_invitation(
        club=world.club, actor=world.olga, note="spring", days=7, max_uses=max_uses, now=world.now
    )
