"""product-faults.md 1.8: who is gone stays gone, and a name is text in an e-mail too."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from ladder.models import Membership, Player
from ladder.services import backlog, clubs, outbox, rating, results, seasons
from tests.ladder.world import World, drain_outbox, play
from tests.web_record.stage import history, play_until_ranked, signed_in

pytestmark = pytest.mark.django_db


def nightly(world: World) -> None:
    """All that runs by itself."""
    now = world.later(minutes=5)
    results.settle_silence(now=now)
    rating.requeue_unrated(now=now)
    backlog.relieve(now=now, least=1)
    outbox.deliver_due(now=now)
    drain_outbox(now)
    seasons.finish_closing(now=now)
    outbox.forget_delivered(now=now)


def shown(world: World) -> str:
    """The ladder, the season and the search, as bob reads them."""
    client = signed_in(world.bob)
    pages = ("/c/chess/ladder/blitz/", "/c/chess/ladder/blitz/?q=alice", "/c/chess/seasons/spring/")
    return " ".join(client.get(page).content.decode().split("<main", 1)[1] for page in pages)


@pytest.fixture
def ranked(past: World) -> World:
    """Alice, bob and carol have ranks and are on the ladder."""
    play_until_ranked(past, [past.alice, past.bob, past.carol])
    assert "/players/alice/" in shown(past)
    return past


def test_B115_a_banned_player_stays_off_the_ladder_whatever_jobs_and_imports_do(ranked: World) -> None:
    clubs.end_membership(club=ranked.club, actor=ranked.otto, player=ranked.alice, now=ranked.now, ban=True)

    nightly(ranked)
    history(ranked, "alice>carol")
    nightly(ranked)

    assert "/players/alice/" not in shown(ranked)
    assert Membership.objects.get(club=ranked.club, player=ranked.alice).state == Membership.State.BANNED


def test_B117_a_closed_account_does_not_come_back_to_the_ladder_with_the_nightly_jobs(ranked: World) -> None:
    match = play(ranked, ranked.alice, ranked.bob)
    Player.objects.filter(pk=ranked.alice.pk).update(is_active=False)

    nightly(ranked)
    nightly(ranked)

    match.refresh_from_db()
    assert match.rated_at is not None, "bob keeps his win or loss"
    assert "/players/alice/" not in shown(ranked)


def test_B119_an_e_mail_is_plain_text_in_which_no_name_can_be_markup(client: Client, past: World) -> None:
    Player.objects.filter(pk=past.alice.pk).update(display_name="<img src=x onerror=alert(1)>")

    client.post(reverse("account_reset_password"), {"email": "alice@example.org"})

    (letter,) = mail.outbox
    assert (letter.content_subtype, getattr(letter, "alternatives", [])) == ("plain", [])
    assert "\n" not in letter.subject
    assert "<img" not in letter.subject
