"""The desk's pages of the club: its settings, and where newcomers of a queue start."""

from __future__ import annotations

import re

import pytest

from ladder.models import AuditEntry, Club, Queue
from ladder.services import queues
from ratings.core.prior_rules import PriorRules
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.selectors.prior_basis import prior_basis
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.forms import form_of, page, post, text
from tests.web_record.stage import crowd, signed_in

pytestmark = pytest.mark.django_db


def test_the_settings_are_changed_and_a_tick_taken_away_counts(world: World) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_club"))
    sent |= {"name": "Harbour Chess", "time_zone": "America/Sao_Paulo", "is_public": "on"}
    del sent["is_listed"]

    told = text(post(client, "desk_club", **sent))

    club = Club.objects.get(slug="chess")
    assert "The settings are kept." in told
    assert (club.name, club.time_zone, club.is_public, club.is_listed) == (
        "Harbour Chess",
        "America/Sao_Paulo",
        True,
        False,
    )
    assert "changed the club's settings" in text(page(client, "audit_acts"))


def test_four_eyes_on_stay_on_for_an_organizer_and_not_for_an_owner(world: World) -> None:
    Club.objects.update(four_eyes=True)
    olga, otto = signed_in(world.olga), signed_in(world.otto)
    sent = form_of(page(olga, "desk_club"))
    del sent["four_eyes"]

    (box,) = re.findall(r'<input[^>]*name="four_eyes"[^>]*>', page(olga, "desk_club").content.decode())
    assert " disabled" in box
    assert " checked" in box
    post(olga, "desk_club", **{**sent, "name": "Renamed"})
    assert Club.objects.get(slug="chess").four_eyes is True
    post(otto, "desk_club", **{**form_of(page(otto, "desk_club")), "name": "Again"} | {"four_eyes": ""})

    assert Club.objects.get(slug="chess").four_eyes is False


def test_settings_out_of_range_keep_the_form_and_say_why(world: World) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_club"))

    empty = post(client, "desk_club", **{**sent, "name": " "})
    strange = post(client, "desk_club", **{**sent, "time_zone": "Mars/Olympus"})
    stale = post(client, "desk_club", **{**sent, "seen": "0" * 16})

    assert [one.status_code for one in (empty, strange, stale)] == [400, 400, 409]
    assert "This field is required." in text(empty)
    assert "not one of the available choices" in text(strange)


def test_nothing_typed_keeps_everything_as_it_is(world: World) -> None:
    client = signed_in(world.olga)

    for name, args in (("desk_answers", ()), ("desk_club", ()), ("desk_newcomers", ("blitz",))):
        answer = post(client, name, *args, **form_of(page(client, name, *args)))
        assert answer.status_code == 200, name

    acts = ["club.self_assessments", "club.settings", "queue.newcomers"]
    assert not AuditEntry.objects.filter(action__in=acts).exists()


def sibling(world: World, name: str = "Rapid", game: str = "Chess") -> Queue:
    return queues.create_queue(
        club=world.club, actor=world.olga, name=name, slug=name.lower(), game_name=game, now=world.now
    )


def in_both(world: World, there: Queue, offset: float) -> None:
    """Everybody with a standing here is rated there too, so much higher, after a dozen matches in each."""
    PlayerRating.objects.filter(queue=world.queue).update(games=12, wins=12)
    model = RatingModel.objects.get(queue=there)
    PlayerRating.objects.bulk_create(
        PlayerRating(
            player_id=row.player_id,
            queue=there,
            season=world.season,
            rating_model=model,
            rating=row.rating + offset,
            deviation=row.deviation,
            volatility=row.volatility,
            games=12,
            wins=12,
            created_at=row.created_at,
            last_match_at=row.last_match_at,
        )
        for row in PlayerRating.objects.filter(queue=world.queue)
    )


def test_a_queue_alone_says_that_there_is_nothing_to_measure(world: World) -> None:
    shown = text(page(signed_in(world.olga), "desk_newcomers", "blitz"))

    assert "Other queues of the game none" in shown
    assert "0 of the 10 players that it takes" in shown
    assert "Answer at the door: New to it: I know the rules, or am learning them 800 ± 350" in shown
    assert "Take over" not in shown


def test_the_settings_are_kept_and_place_the_next_newcomer(world: World) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_newcomers", "blitz"), 'class="stack"')

    told = text(post(client, "desk_newcomers", "blitz", **{**sent, "offset": "-45", "other_game_weight": "0.3"}))

    assert "no rating moved" in told
    assert prior_basis(world.queue.pk).rules == PriorRules(-45.0, 100.0, 0.3, 200.0)
    assert "1800 ± 80 1755 ± 128" in told


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"offset": "900"}, "From -800 to 800."),
        ({"offset": ""}, "This field is required."),
        ({"same_game_widening": "inf"}, "Enter a number."),
        ({"other_game_weight": "1.01"}, "From 0 to 1."),
        ({"other_game_widening": "60"}, "Another game cannot be surer than the same one: at least 100."),
    ],
)
def test_settings_of_newcomers_out_of_range_say_so_at_their_field(
    world: World, typed: dict[str, str], words: str
) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_newcomers", "blitz"), 'class="stack"')

    answer = post(client, "desk_newcomers", "blitz", **{**sent, **typed})

    assert answer.status_code == 400
    (told,) = re.findall(r'<ul class="errorlist".*?</ul>', answer.content.decode(), re.DOTALL)
    assert words in told
    assert Queue.objects.get(pk=world.queue.pk).prior_rules == {}


def test_one_press_takes_over_what_was_measured(world: World) -> None:
    crowd(world, 20)
    in_both(world, sibling(world), 90.0)
    client = signed_in(world.olga)
    shown = page(client, "desk_newcomers", "blitz")

    told = text(post(client, "desk_take_measured", "blitz", **form_of(shown, "measured/")))

    assert "offset −60, give or take" in text(shown)
    assert "by 20 players" in text(shown)
    assert "Newcomers start by what was measured" in told
    assert "What was measured is what is set." in told
    assert prior_basis(world.queue.pk).rules.offset == -60.0
    assert AuditEntry.objects.get(action="queue.newcomers").detail["measured_on"]["same_game_players"] == 20


def test_a_press_on_a_stale_measurement_changes_nothing(world: World) -> None:
    crowd(world, 20)
    rapid = sibling(world)
    in_both(world, rapid, 90.0)
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_newcomers", "blitz"), "measured/")
    PlayerRating.objects.filter(queue=rapid).update(rating=1900.0)

    told = text(post(client, "desk_take_measured", "blitz", **sent))
    nonsense = text(post(client, "desk_take_measured", "blitz", offset="x"))

    assert "changed while you looked at it" in told
    assert "changed while you looked at it" in nonsense
    assert Queue.objects.get(pk=world.queue.pk).prior_rules == {}


def test_the_page_costs_the_same_queries_with_many_players_and_queues(world: World) -> None:
    client = signed_in(world.olga)
    rapid = sibling(world)
    counts = []
    for _round in range(2):
        reason = "session, person, access, queue, basis, pairs, models, queues, answers, the frame"
        with assert_queries(20, reason, at_most=True) as made:
            page(client, "desk_newcomers", "blitz")
        counts.append(len(made))
        if not _round:
            crowd(world, 300)
            in_both(world, rapid, 90.0)
            sibling(world, "Darts", "Darts")

    assert counts[1] <= counts[0] + 1, "one more: the models behind the pairs"


def test_another_clubs_queue_is_not_found(world: World) -> None:
    assert page(signed_in(world.olga), "desk_newcomers", "nothing-here").status_code == 404


def test_a_placement_is_explained_to_the_staff_with_its_numbers(world: World) -> None:
    world.match(world.alice, world.bob)

    shown = text(page(signed_in(world.maud), "audit"))

    assert "Self-assessment: club, 1500.00 ± 350.00." in shown
    assert RatingEvent.objects.filter(kind="placement").count() == 2
