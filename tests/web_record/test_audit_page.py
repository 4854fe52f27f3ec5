"""The audit list: every filter narrows, filters survive paging, bad input is a message, everything says why."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.core.permissions import Role
from ladder.models import AuditEntry
from ladder.services import clubs
from ratings.models import RatingEvent
from ratings.services.ledger import apply_correction
from tests.harness.queries import assert_queries
from tests.ladder.world import World, play
from tests.web_record.stage import history, play_rated, signed_in

pytestmark = pytest.mark.django_db

EVENTS = "/c/chess/audit/"
ACTS = "/c/chess/audit/acts/"


def shown(world: World, address: str, **wish: object):
    return signed_in(world.maud).get(address, wish)


def correction(world: World) -> None:
    apply_correction(
        player_id=world.alice.pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=25.0,
        reason="Typed in wrong",
        actor=world.maud.pk,
        now=world.later(seconds=1),
    )


def test_an_event_shows_what_changed_by_which_rule_and_why(world: World) -> None:
    play_rated(world, world.alice, world.bob)

    html = shown(world, EVENTS, player="alice", kinds="match").content.decode()

    event = RatingEvent.objects.get(kind="match", player_rating__player=world.alice)
    assert f"{event.rating_before:.1f}" in html
    assert f"{event.rating_after:.1f}" in html
    assert f"{event.deviation_after:.1f}" in html
    assert event.hash in html
    assert reverse("match", args=["chess", event.match_id]) in html


@pytest.mark.parametrize(
    ("wish", "kinds"),
    [
        ({"player": "alice"}, {"placement", "match", "correction"}),
        ({"player": "dave"}, set()),
        ({"kinds": ["match"]}, {"match"}),
        ({"kinds": ["match", "correction"]}, {"match", "correction"}),
        ({"actor": "maud"}, {"correction"}),
        ({"queue": "blitz", "season": "spring", "kinds": "placement"}, {"placement"}),
        ({"since": "2020-01-01", "until": "2020-02-01"}, set()),
        ({"since": "2020-01-01", "kinds": "correction"}, {"correction"}),
    ],
)
def test_filters_narrow(world: World, wish: dict[str, object], kinds: set[str]) -> None:
    play_rated(world, world.alice, world.bob)
    correction(world)

    page = shown(world, EVENTS, **wish).context["page"]

    assert {row.kind for row in page.rows} == kinds


def test_the_events_of_one_match(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    play_rated(world, world.alice, world.carol)
    match_id = RatingEvent.objects.filter(kind="match").order_by("id").first().match_id

    page = shown(world, EVENTS, match=str(match_id)).context["page"]

    assert {row.handle for row in page.rows} == {"alice", "bob"}


def test_dates_are_days_of_the_club_s_zone(world: World) -> None:
    play_rated(world, world.alice, world.bob)
    day = RatingEvent.objects.latest("created_at").created_at.astimezone(timezone.get_fixed_timezone(60)).date()

    page = shown(world, EVENTS, since=day - timedelta(days=1), until=day + timedelta(days=1)).context["page"]

    assert page.rows


@pytest.mark.parametrize(
    "wish",
    [
        {"player": "nobody"},
        {"player": "\x00"},
        {"queue": "nothing"},
        {"season": "nothing"},
        {"kinds": "nonsense"},
        {"match": "not-an-id"},
        {"since": "yesterday"},
        {"since": "0001-01-01"},
        {"until": "9999-12-31"},
        {"actor": "x" * 500},
    ],
)
def test_a_bad_filter_is_a_message_and_never_an_error(world: World, wish: dict[str, str]) -> None:
    play_rated(world, world.alice, world.bob)

    answer = shown(world, EVENTS, **wish)

    assert answer.status_code == 200
    assert answer.context["page"] is None
    assert "could not be understood" in answer.content.decode()


@pytest.mark.parametrize("after", ["nonsense", "\x00", "2026-01-01_x", "0001-01-01T00:00:00+14:00_" + "0" * 32])
def test_a_bad_cursor_is_never_an_error(world: World, after: str) -> None:
    play_rated(world, world.alice, world.bob)

    assert shown(world, EVENTS, after=after).status_code == 200
    assert shown(world, ACTS, after=after).status_code == 200


def test_filters_survive_paging_and_pages_hold_every_event_once(world: World) -> None:
    history(world, " ".join(["alice>bob", "carol>dave"] * 60))
    answer = shown(world, EVENTS, player="alice", kinds="match")
    ids = [row.id for row in answer.context["page"].rows]

    assert "player=alice" in answer.content.decode().split('rel="next"')[1][:300]
    following = shown(world, EVENTS, player="alice", kinds="match", after=answer.context["page"].next)
    ids += [row.id for row in following.context["page"].rows]

    assert len(ids) == len(set(ids)) == 60


def test_a_page_of_events_costs_the_same_however_many_there_are(world: World) -> None:
    history(world, " ".join(["alice>bob"] * 200))
    client = signed_in(world.maud)
    client.get(EVENTS)

    with assert_queries(6, "session, person, membership, queues and seasons to choose from, the events"):
        client.get(EVENTS)


def test_acts_are_listed_in_words_and_filtered(world: World) -> None:
    clubs.set_role(
        club=world.club, actor=world.otto, player=world.dave, role=Role.MODERATOR, now=world.later(seconds=1)
    )

    html = shown(world, ACTS, action="role.set", actor="otto").content.decode()

    assert "set a role" in html
    assert "dave" in html
    assert "joined the club" not in html.split("<tbody>")[1]


def test_acts_come_in_pages_that_hold_each_once(world: World) -> None:
    AuditEntry.objects.bulk_create(
        AuditEntry(
            club=world.club, actor=world.otto, action="role.set", subject_type="x", subject_id="x", created_at=world.now
        )
        for _number in range(120)
    )
    ids: list[object] = []
    after = ""
    for _page in range(4):
        page = shown(world, ACTS, action="role.set", after=after).context["page"]
        ids += [row.id for row in page.rows]
        after = page.next
        if not after:
            break

    assert len(ids) == len(set(ids)) == AuditEntry.objects.filter(action="role.set").count()


def test_an_agreed_match_without_its_rating_is_listed_with_the_reason(world: World) -> None:
    play(world, world.alice, world.bob)
    play(world, world.carol, world.bob)

    html = shown(world, "/c/chess/audit/unrated/").content.decode()

    assert "Will be rated in a moment" in html
    assert "Waits for an earlier match" in html


def test_players_are_refused(world: World) -> None:
    for address in (EVENTS, ACTS, "/c/chess/audit/unrated/"):
        assert signed_in(world.alice).get(address).status_code == 403
