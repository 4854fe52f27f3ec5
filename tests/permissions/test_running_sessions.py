"""What somebody may do is asked at every request, by one function, whatever their session was begun as."""

from __future__ import annotations

import pytest

from ladder.core.permissions import Role
from ladder.models import Player
from ladder.services import clubs
from tests.ladder.world import World
from tests.web_record.stage import past_world, signed_in

pytestmark = pytest.mark.django_db

CASES = "/c/chess/cases/"


@pytest.fixture
def world(db: None) -> World:
    return past_world()


def test_B127_a_role_given_in_a_running_session_counts_from_the_next_request(world: World) -> None:
    client = signed_in(world.dave)
    assert client.get(CASES).status_code == 403

    clubs.set_role(club=world.club, actor=world.otto, player=world.dave, role=Role.MODERATOR, now=world.now)

    assert client.get(CASES).status_code == 200
    assert client.get("/c/chess/audit/").status_code == 200
    assert client.get("/c/chess/desk/").status_code == 403


def test_B127_a_role_taken_in_a_running_session_is_gone_at_the_next_request(world: World) -> None:
    client = signed_in(world.maud)
    assert client.get(CASES).status_code == 200

    clubs.set_role(club=world.club, actor=world.otto, player=world.maud, role=Role.PLAYER, now=world.now)

    assert client.get(CASES).status_code == 403


def test_a_ban_ends_a_running_session_s_sight_of_the_club(world: World) -> None:
    client = signed_in(world.dave)
    assert client.get("/c/chess/ladder/blitz/").status_code == 200

    clubs.end_membership(club=world.club, actor=world.olga, player=world.dave, now=world.now, ban=True)

    assert client.get("/c/chess/ladder/blitz/").status_code == 404


def test_a_deactivated_account_s_running_session_is_nobody_s(world: World) -> None:
    client = signed_in(world.dave)
    Player.objects.filter(pk=world.dave.pk).update(is_active=False)

    assert client.get("/c/chess/ladder/blitz/").status_code == 302
