"""The organizers' desk: members and roles, links, queues, seasons; every refusal is a sentence."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import AuditEntry, Invitation, Membership, Queue, Season
from ladder.services import clubs
from tests.ladder.world import World
from tests.web_record.stage import crowd, signed_in

pytestmark = pytest.mark.django_db


def post(client: Client, page: str, /, *args: object, **data: object):
    return client.post(reverse(page, args=["chess", *args]), data, follow=True)


def test_the_overview_says_what_is_missing(world: World) -> None:
    Season.objects.update(state=Season.State.DRAFT)

    assert "No season is open" in signed_in(world.olga).get(reverse("desk", args=["chess"])).content.decode()


def test_members_are_found_by_name_and_role(world: World) -> None:
    client = signed_in(world.olga)
    page = client.get(reverse("desk_members", args=["chess"]), {"role": "moderator"}).context["page"]
    found = client.get(reverse("desk_members", args=["chess"]), {"q": "car"}).context["page"]

    assert [row.handle for row in page.rows] == ["maud"]
    assert [row.handle for row in found.rows] == ["carol"]


def test_members_come_in_pages_that_hold_each_once(world: World) -> None:
    crowd(world, 120)
    client = signed_in(world.olga)
    handles: list[str] = []
    after = ""
    for _page in range(4):
        page = client.get(reverse("desk_members", args=["chess"]), {"after": after}).context["page"]
        handles += [row.handle for row in page.rows]
        after = page.after
        if not after:
            break

    assert len(handles) == len(set(handles)) == Membership.objects.count()


def test_an_owner_gives_a_role(world: World) -> None:
    html = post(signed_in(world.otto), "desk_set_role", "dave", role="moderator").content.decode()

    assert "dave is now moderator" in html
    assert Membership.objects.get(player=world.dave).role == "moderator"


def test_an_organizer_sees_no_way_to_give_roles_and_is_refused(world: World) -> None:
    client = signed_in(world.olga)

    assert 'name="role"' not in client.get(reverse("desk_members", args=["chess"])).content.decode()
    assert post(client, "desk_set_role", "dave", role="owner").status_code == 403


def test_the_last_owner_stays_and_reads_why(world: World) -> None:
    html = post(signed_in(world.otto), "desk_set_role", "otto", role="player").content.decode()

    assert "A club needs an owner" in html
    assert Membership.objects.get(player=world.otto).role == "owner"


def test_a_role_that_does_not_exist_is_refused_in_words(world: World) -> None:
    html = post(signed_in(world.otto), "desk_set_role", "dave", role="emperor").content.decode()

    assert "choose one of the roles" in html


def test_putting_out_with_a_ban_and_lifting_it(world: World) -> None:
    client = signed_in(world.olga)

    post(client, "desk_end_membership", "dave", ban="on", reason="Threw the clock")
    assert Membership.objects.get(player=world.dave).state == Membership.State.BANNED
    assert AuditEntry.objects.get(action="membership.banned").detail["reason"] == "Threw the clock"
    post(client, "desk_lift_ban", "dave")

    assert Membership.objects.get(player=world.dave).state == Membership.State.LEFT


def test_a_link_is_shown_once_and_lets_people_in(world: World) -> None:
    client = signed_in(world.olga)
    html = post(client, "desk_links", note="Open day", days=3, max_uses=2).content.decode()
    link = re.search(r'value="http://testserver([^"]+)"', html)

    assert link is not None
    assert signed_in(world.stranger).get(link[1]).status_code == 200
    assert link[1] not in client.get(reverse("desk_links", args=["chess"])).content.decode()


def test_a_revoked_link_is_marked(world: World) -> None:
    client = signed_in(world.olga)
    post(client, "desk_links", note="Open day", days=3, max_uses=2)
    html = post(client, "desk_revoke_link", Invitation.objects.get().pk).content.decode()

    assert "revoked" in html
    assert Invitation.objects.get().revoked_at is not None


def test_a_link_beyond_the_limits_keeps_the_form_and_says_why(world: World) -> None:
    answer = post(signed_in(world.olga), "desk_links", note="Open day", days=0, max_uses=2)

    assert answer.status_code == 400
    assert "Open day" in answer.content.decode()
    assert not Invitation.objects.exists()


def test_a_queue_is_created_closed_and_opened(world: World) -> None:
    client = signed_in(world.olga)
    wish = {"name": "Rapid 10", "game_name": "Chess", "accept_seconds": 20, "draws_allowed": "on"}
    assert "Rapid 10 is made" in post(client, "desk_queues", **wish).content.decode()
    queue = Queue.objects.get(slug="rapid-10")

    post(client, "desk_queue_state", queue.slug, state="closed")
    assert Queue.objects.get(pk=queue.pk).state == "closed"
    post(client, "desk_queue_state", queue.slug, state="open")

    assert Queue.objects.get(pk=queue.pk).state == "open"


def test_a_taken_address_keeps_the_form_and_says_why(world: World) -> None:
    wish = {"name": "Blitz", "game_name": "Chess", "accept_seconds": 20}
    answer = post(signed_in(world.olga), "desk_queues", **wish)

    assert answer.status_code == 409
    assert "has this address already" in answer.content.decode()


def test_a_name_without_latin_letters_asks_for_an_address(world: World) -> None:
    wish = {"name": "Быстрые", "game_name": "Chess", "accept_seconds": 20}
    answer = post(signed_in(world.olga), "desk_queues", **wish)

    assert answer.status_code == 400
    assert "choose an address" in answer.content.decode()


def test_a_season_is_created_in_the_club_s_time_and_opened_and_closed(world: World) -> None:
    client = signed_in(world.olga)
    post(client, "desk_queues", name="Rapid", game_name="Chess", accept_seconds=20)
    wish = {"name": "Summer", "queues": Queue.objects.get(slug="rapid").pk, "starts_at": "2031-07-01T20:00"}
    assert "Summer is made" in post(client, "desk_seasons", **wish).content.decode()
    season = Season.objects.get(slug="summer")
    assert season.rules.get().during.lower.isoformat() == "2031-07-01T18:00:00+00:00"

    assert "Summer is open" in post(client, "desk_open_season", "summer").content.decode()
    assert "standings are final" in post(client, "desk_close_season", "summer").content.decode()


def test_a_time_that_the_clock_change_skips_is_refused(world: World) -> None:
    wish = {"name": "Spring 2", "queues": world.queue.pk, "starts_at": "2031-03-30T02:30"}
    answer = post(signed_in(world.olga), "desk_seasons", **wish)

    assert answer.status_code == 400
    assert "no such time" in answer.content.decode()


def test_overlapping_seasons_are_refused_in_words(world: World) -> None:
    wish = {"name": "Overlap", "queues": world.queue.pk, "starts_at": "2031-03-01T12:00"}
    answer = post(signed_in(world.olga), "desk_seasons", **wish)

    assert answer.status_code == 409
    assert "another season at that time" in answer.content.decode()


def test_nobody_of_another_club_can_be_given_a_role_here(world: World) -> None:
    clubs.create_club(name="Other", slug="other", time_zone="UTC", owner=world.stranger, now=world.now)

    assert post(signed_in(world.otto), "desk_set_role", "stranger", role="player").status_code == 404
