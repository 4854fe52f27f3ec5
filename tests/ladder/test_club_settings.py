"""A club's own settings: who may change them, what the trail keeps, and four eyes."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.models import AuditEntry, Club, Membership, Player
from ladder.services import clubs
from ladder.services.club_settings import change_settings
from ratings.errors import DomainError, NotAllowed
from tests.harness.threads import run_together
from tests.ladder.world import World

pytestmark = pytest.mark.service


def settings(world: World, **changes: Any) -> dict[str, Any]:
    club = Club.objects.get(pk=world.club.pk)
    names = ("name", "time_zone", "is_public", "is_listed", "is_open_to_join", "four_eyes")
    return {"club": club, "actor": world.olga, "now": world.now, **{n: getattr(club, n) for n in names}, **changes}


def test_settings_change_and_the_trail_tells_which(world: World) -> None:
    change_settings(**settings(world, name=" Chess & Co ", is_public=True))

    club = Club.objects.get(pk=world.club.pk)
    assert (club.name, club.is_public, club.time_zone, club.language) == ("Chess & Co", True, "Europe/Berlin", "en")
    entry = AuditEntry.objects.get(action="club.settings")
    assert (entry.actor, entry.detail) == (
        world.olga,
        {
            "name": {"before": "Chess Club", "after": "Chess & Co"},
            "is_public": {"before": False, "after": True},
        },
    )


def test_keeping_the_settings_as_they_are_writes_nothing(world: World) -> None:
    change_settings(**settings(world))

    assert not AuditEntry.objects.filter(action="club.settings").exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "  "}, "name_empty"),
        ({"name": "x" * 81}, "name_length"),
        ({"time_zone": "Mars/Olympus"}, "unknown_time_zone"),
        ({"name": "Other", "seen": "0" * 16}, "changed_meanwhile"),
    ],
)
def test_bad_settings_are_refused_whole(world: World, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        change_settings(**settings(world, **{"is_public": True, **changes}))

    assert refusal.value.code == code
    assert Club.objects.get(pk=world.club.pk).is_public is False


def test_an_organizer_switches_four_eyes_on_and_only_an_owner_off(world: World) -> None:
    change_settings(**settings(world, four_eyes=True))

    with pytest.raises(NotAllowed, match="Only an owner"):
        change_settings(**settings(world, four_eyes=False, name="Renamed"))
    assert Club.objects.get(pk=world.club.pk).four_eyes is True
    assert Club.objects.get(pk=world.club.pk).name == "Chess Club"

    change_settings(**settings(world, actor=world.otto, four_eyes=False))
    assert Club.objects.get(pk=world.club.pk).four_eyes is False


@pytest.mark.parametrize("name", ["maud", "alice", "stranger"])
def test_nobody_else_changes_the_settings(world: World, name: str) -> None:
    with pytest.raises(DomainError):
        change_settings(**settings(world, actor=getattr(world, name), name="Mine now"))

    assert Club.objects.get(pk=world.club.pk).name == "Chess Club"


def test_a_club_that_closes_its_door_at_once_with_somebody_at_it_is_told_apart(shared_world: World) -> None:
    world = shared_world
    people = [Player.objects.create_user(f"n{number}") for number in range(4)]

    results = run_together(
        *[
            lambda player=player: clubs.join_club(club=world.club, player=player, self_assessment="club", now=world.now)
            for player in people
        ],
        lambda: change_settings(**settings(world, is_open_to_join=False)),
    )

    refused = [one for one in results if isinstance(one, Exception)]
    assert {getattr(one, "code", one) for one in refused} <= {"invitation_needed"}
    assert Membership.objects.filter(player__in=people).count() == len(people) - len(refused)
    with pytest.raises(NotAllowed):
        clubs.join_club(club=world.club, player=world.stranger, self_assessment="club", now=world.now)
