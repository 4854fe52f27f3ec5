"""Every address, GET and POST, with everybody who may knock, against the permission table."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import resolve_url
from django.test import Client

from ladder.core.permissions import Capability, Role, may
from ladder.models import Player
from tests.permissions.addresses import Address, every_address
from tests.permissions.cast import Cast, Visitor
from tests.permissions.rules import OUTSIDE_CLUBS, REFUSED_INSIDE, SIGNED_IN

pytestmark = pytest.mark.django_db

VISITORS = [
    "not signed in",
    "owner",
    "organizer",
    "moderator",
    "player",
    "no club",
    "another club's owner",
    "left",
    "banned",
    "inactive account",
]
MAY_BE_UNREADY = {"readyz"}  # 503 is its true answer where no worker runs
OURS = [address for address in every_address() if not address.is_admin]


def knock(client: Client, method: str, path: str) -> HttpResponse:
    """The answer; whatever the request did is undone, so that the next visitor finds the club as it was."""
    before = transaction.savepoint()
    answer = client.generic(method, path)
    transaction.savepoint_rollback(before)
    return answer


def sends_to_sign_in(answer: HttpResponse) -> bool:
    """Whether the answer leads to the sign-in page."""
    return answer.status_code == 302 and answer.headers["Location"].startswith(resolve_url(settings.LOGIN_URL))


def verdict(answer: HttpResponse) -> str:
    """What the answer says about the door: "in", "sign in", "forbidden", "not found" or "broken"."""
    if sends_to_sign_in(answer):
        return "sign in"
    if answer.status_code >= 500:
        return f"broken ({answer.status_code})"
    return {403: "forbidden", 404: "not found"}.get(answer.status_code, "in")


def expected(capability: Capability, role: Role, method: str, *, is_public: bool) -> str:
    """What the table means for one knock: who may not even see the club is told of no page."""
    if may(role, capability, club_is_public=is_public):
        return "in"
    sees_club = may(role, Capability.SEE_CLUB, club_is_public=is_public)
    if role is Role.STRANGER and (method == "GET" or sees_club):
        return "sign in"
    return "forbidden" if sees_club else "not found"


def test_every_address_has_a_declared_rule() -> None:
    without = [one.route for one in OURS if one.capability is None and one.name not in OUTSIDE_CLUBS]

    assert without == [], "give the view @club_page(Capability.X), or the name a line in tests/permissions/rules.py"


def test_every_rule_outside_of_clubs_has_its_address() -> None:
    assert set(OUTSIDE_CLUBS) == {one.name for one in OURS if one.capability is None}


def test_every_address_below_a_club_asks_for_a_capability() -> None:
    assert [one.route for one in OURS if one.route.startswith("c/") and one.capability is None] == []


@pytest.mark.parametrize("is_public", [False, True], ids=["private club", "public club"])
@pytest.mark.parametrize("name", VISITORS)
def test_club_pages_open_for_those_in_the_table_alone(cast: Cast, name: str, is_public: bool) -> None:
    cast.world.club.is_public = is_public
    cast.world.club.save()
    visitor = cast.visitor(name)

    wrong = [
        found
        for address in OURS
        if address.capability is not None
        for method in ("GET", "POST")
        if (found := surprise(cast, visitor, address, method, is_public=is_public))
    ]

    assert wrong == []


def surprise(cast: Cast, visitor: Visitor, address: Address, method: str, *, is_public: bool) -> str:
    """What is wrong with the answer to one knock, nothing when it is as the table says."""
    assert address.capability is not None
    wanted = expected(address.capability, visitor.role, method, is_public=is_public)
    got = verdict(knock(visitor.client, method, address.filled(cast.values)))
    if got == wanted:
        return ""
    if wanted == "in" and method == "POST" and address.name in REFUSED_INSIDE and got in ("forbidden", "not found"):
        return ""
    return f"{method} {address.route} for {visitor.name}: {got} instead of {wanted}"


@pytest.mark.parametrize("name", ["not signed in", "player", "no club", "inactive account"])
def test_pages_outside_of_clubs_open_by_their_rules(cast: Cast, name: str) -> None:
    visitor = cast.visitor(name)
    is_signed_in = name not in ("not signed in", "inactive account")

    wrong = []
    for address in OURS:
        if address.capability is not None:
            continue
        needs_sign_in = OUTSIDE_CLUBS[address.name] == SIGNED_IN and not is_signed_in
        for method in ("GET", "POST"):
            answer = knock(visitor.client, method, address.filled(cast.values))
            is_broken = answer.status_code >= 500 and address.name not in MAY_BE_UNREADY
            if is_broken or (needs_sign_in and not sends_to_sign_in(answer)):
                wrong.append(f"{method} {address.route} for {name}: {answer.status_code}")

    assert wrong == []


@pytest.mark.parametrize("name", ["not signed in", "owner", "player"])
def test_the_admin_site_opens_for_its_staff_alone(cast: Cast, name: str) -> None:
    admin_values = {"object_id": "x", "app_label": "ladder", "url": "x/", "content_type_id": "1", "id": "x"}
    open_to_all = {"admin:login", "admin:logout", "admin:jsi18n"}
    client = cast.visitor(name).client

    wrong = []
    for address in every_address():
        if not address.is_admin or address.name in open_to_all:
            continue
        answer = knock(client, "GET", path_of(address, admin_values))
        if not (answer.status_code == 302 and "/admin/login/" in answer.headers["Location"]):
            wrong.append(f"{address.name or address.route}: {answer.status_code}")

    assert wrong == []


def test_the_admin_site_has_no_broken_page(cast: Cast) -> None:
    admin_values = {"object_id": "x", "app_label": "ladder", "url": "x/", "content_type_id": "1", "id": "x"}
    client = Client(raise_request_exception=False)
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "pw"))

    broken = [
        f"{address.route}: {answer.status_code}"
        for address in every_address()
        if address.is_admin
        if (answer := knock(client, "GET", path_of(address, admin_values))).status_code >= 500
    ]

    assert broken == []


def path_of(address: Address, values: dict[str, str]) -> str:
    """The path of an admin address; its nameless catch-all is reached by any other word."""
    return address.filled(values) if address.name.removeprefix("admin:") else "/admin/x/"
