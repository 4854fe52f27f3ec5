"""Invariant 10: what a club owns is invisible and unusable through any other club's addresses."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ladder.models import Membership
from tests.permissions.addresses import Address, every_address
from tests.permissions.cast import Cast

pytestmark = pytest.mark.django_db

# Addresses that answer otherwise than with 404, and why that shows and changes nothing.
HARMLESS = {
    "play_cancel": "stops one's own search, wherever it is",
    "club_invited": "the other club's door, which does not know the token",
    "check_seen": "answers nothing, and notes it for nobody who was not asked",
}
INSIDE = [
    address
    for address in every_address()
    if address.capability is not None and len(address.parameters) > 1 and address.name not in HARMLESS
]


def counts() -> dict[str, int]:
    """How many rows each table of ours holds."""
    ours = [
        model for label in ("ladder", "ratings", "matchmaking") for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: model._default_manager.count() for model in ours}


@pytest.fixture
def rita(cast: Cast) -> Client:
    """The go club's owner, who may do everything there and nothing in the chess club."""
    return cast.visitor("another club's owner").client


def test_invariant_10_every_object_of_another_club_is_not_found(cast: Cast, rita: Client) -> None:
    values = cast.values | {"club_slug": cast.other.slug}
    before = counts()

    found = [
        f"{method} {address.route}: {status}"
        for address in INSIDE
        for method in ("GET", "POST")
        if (status := answer(rita, method, address.filled(values))) not in (404, 405)
    ]

    assert found == []
    assert counts() == before


def test_invariant_10_nor_does_a_member_of_both_reach_one_through_the_other(cast: Cast) -> None:
    Membership.objects.create(club=cast.other, player=cast.world.alice, role="owner", joined_at=cast.world.now)
    values = cast.values | {"club_slug": cast.other.slug}
    client = cast.visitor("player").client
    own_answers = {"check_accept", "check_decline"}

    found = [
        f"{method} {address.route}: {status}"
        for address in INSIDE
        if address.name not in own_answers
        for method in ("GET", "POST")
        if (status := answer(client, method, address.filled(values))) not in (404, 405)
    ]

    assert found == []


def answer(client: Client, method: str, path: str) -> int:
    """The status; what was done is undone."""
    before = transaction.savepoint()
    status = client.generic(method, path).status_code
    transaction.savepoint_rollback(before)
    return status


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_invariant_10_the_harmless_ones_show_and_change_nothing(cast: Cast, rita: Client, name: str) -> None:
    address: Address = next(one for one in every_address() if one.name == name)
    before = counts()

    shown = rita.post(address.filled(cast.values | {"club_slug": cast.other.slug}), {"self_assessment": "club"})

    assert counts() == before
    assert cast.world.club.name not in shown.content.decode()


@pytest.mark.parametrize(
    "wish", ["player=alice", "queue=blitz", "season=spring", "match={match_id}", "actor=maud", "kinds=match"]
)
def test_invariant_10_filters_of_the_audit_list_reach_no_other_club(cast: Cast, rita: Client, wish: str) -> None:
    page = rita.get(f"{reverse('audit', args=['go'])}?{wish.format(**cast.values)}").context["page"]

    assert page is None or page.rows == ()


@pytest.mark.parametrize("wish", ["season=spring", "q=alice", "at=me", "tier=1"])
def test_invariant_10_a_ladder_shows_nobody_of_another_club(cast: Cast, rita: Client, wish: str) -> None:
    shown = rita.get(f"{reverse('board', args=['go', 'even'])}?{wish}")

    assert "alice</bdi>" not in shown.content.decode()
