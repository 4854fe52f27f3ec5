"""Sign-up, sign-in, the way into a club, Me, and where people are sent afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from ladder.models import Membership, Player
from tests.ladder.world import World, drain_outbox, play

SignedIn = Callable[[Player], Client]
PASSWORD = "a fair game for all"


def sign_up(client: Client, handle: str, **more: Any) -> Any:
    data = {"username": handle, "email": f"{len(handle)}@new.example", "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("account_signup"), data | more)


def test_a_new_account_has_its_comparison_key(client: Client, world: World) -> None:
    assert sign_up(client, "Erin").status_code == 302

    assert Player.objects.get(handle="Erin").handle_key == "erin"


@pytest.mark.parametrize(
    ("handle", "sentence"),
    [
        ("alice", "looks just like it"),
        ("\u0430lice", "alphabets"),
        ("a1ice", "looks just like it"),
        ("a", "2 to 30 characters"),
        ("admin", "reserved"),
        ("<img src=x>", "letters, digits"),
    ],
)
def test_B121_look_alikes_and_impossible_handles_are_refused_in_words(
    client: Client, world: World, handle: str, sentence: str
) -> None:
    answer = sign_up(client, handle)

    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert Player.objects.count() == 8


def test_an_invitation_leads_through_sign_up_into_the_club(client: Client, world: World) -> None:
    from ladder.services import clubs

    world.club.is_open_to_join = False
    world.club.save()
    _row, token = clubs.create_invitation(club=world.club, actor=world.olga, note="", days=7, max_uses=1, now=world.now)
    door = reverse("club_invited", args=["chess", token])

    first = client.get(door)
    signed = client.post(first["Location"], {**_signup_fields("erin"), "next": door})
    joined = client.post(door, {"self_assessment": "casual"})

    assert first["Location"].startswith(reverse("account_signup"))
    assert signed["Location"] == door
    assert joined["Location"] == reverse("play", args=["chess"])
    assert Membership.objects.get(player__handle="erin").self_assessment == "casual"


def test_a_closed_door_and_a_dead_link_say_so(world: World, as_: SignedIn) -> None:
    world.club.is_open_to_join = False
    world.club.save()
    stranger = as_(world.stranger)

    shut = stranger.get(reverse("club_join", args=["chess"])).content.decode()
    dead = stranger.post(reverse("club_invited", args=["chess", "nonsense"]), {"self_assessment": "club"})

    assert "invitation link" in shut
    assert dead.status_code == 409
    assert "not valid" in dead.content.decode()


def test_joining_needs_an_answer(world: World, as_: SignedIn) -> None:
    assert as_(world.stranger).post(reverse("club_join", args=["chess"]), {}).status_code == 400


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_sent_off_the_site(client: Client, world: World, target: str) -> None:
    world.alice.set_password(PASSWORD)
    world.alice.save()

    answer = client.post(reverse("account_login"), {"login": "alice", "password": PASSWORD, "next": target})

    assert answer.status_code == 302
    assert answer["Location"].startswith("/")
    assert not answer["Location"].startswith("//")


def test_signing_in_leads_a_member_to_play(client: Client, world: World) -> None:
    world.alice.set_password(PASSWORD)
    world.alice.save()

    answer = client.post(reverse("account_login"), {"login": "alice@example.org", "password": PASSWORD})

    assert answer["Location"] == reverse("play", args=["chess"])


def test_a_lost_password_is_set_anew_by_mail(client: Client, world: World) -> None:
    client.post(reverse("account_reset_password"), {"email": "alice@example.org"})
    link = re.search(r"http://\S+", mail.outbox[0].body)
    assert link is not None

    form = client.get(link[0].replace("http://testserver", ""), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD})

    world.alice.refresh_from_db()
    assert world.alice.check_password(PASSWORD)


def test_settings_are_kept_and_the_page_takes_the_theme(world: World, as_: SignedIn) -> None:
    alice = as_(world.alice)

    answer = alice.post(reverse("me"), {"display_name": "Alice A.", "theme": "dark"})
    page = alice.get(reverse("me")).content.decode()

    assert answer.status_code == 302
    assert 'data-theme="dark"' in page
    assert 'data-alerts="off"' in page
    assert "Alice A." in page


def test_a_name_that_belongs_to_another_handle_is_refused(world: World, as_: SignedIn) -> None:
    answer = as_(world.alice).post(reverse("me"), {"display_name": "B\u043eb", "theme": "auto"})

    assert answer.status_code == 400
    world.alice.refresh_from_db()
    assert world.alice.display_name == ""


def test_B119_a_name_with_markup_is_text(world: World, as_: SignedIn) -> None:
    Player.objects.filter(pk=world.alice.pk).update(display_name='<img src=x onerror="alert(1)">')
    play(world, world.alice, world.bob)

    for path in ("/c/chess/", "/c/chess/matches/", "/c/chess/matches/?who=all"):
        assert "<img src=x" not in as_(world.bob).get(path).content.decode()


def test_my_data_has_my_matches_and_no_hidden_number(world: World, as_: SignedIn) -> None:
    for _round in range(6):
        play(world, world.alice, world.bob)
    drain_outbox(world.now)

    answer = as_(world.alice).get(reverse("my_data"))
    data = json.loads(answer.content)

    assert len(data["matches"]) == 6
    assert data["rank_changes"][-1]["rank_after"]
    assert not {"rating", "deviation", "volatility"} & set(re.findall(r'"(\w+)":', answer.content.decode()))
    assert "attachment" in answer["Content-Disposition"]


def test_leaving_and_the_last_owner(world: World, as_: SignedIn) -> None:
    as_(world.alice).post(reverse("club_leave", args=["chess"]))
    refused = as_(world.otto).post(reverse("club_leave", args=["chess"]), follow=True)

    assert Membership.objects.get(player=world.alice).state == "left"
    assert "A club needs an owner" in refused.content.decode()


def test_a_missing_csrf_token_is_explained(world: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.alice, backend="django.contrib.auth.backends.ModelBackend")

    answer = strict.post("/c/chess/play/blitz/join/", headers={"Referer": "http://testserver/c/chess/play/blitz/"})

    assert answer.status_code == 403
    assert "Please press once more" in answer.content.decode()
    assert 'href="/c/chess/play/blitz/"' in answer.content.decode()


def _signup_fields(handle: str) -> dict[str, str]:
    return {"username": handle, "email": f"{handle}@new.example", "password1": PASSWORD, "password2": PASSWORD}
