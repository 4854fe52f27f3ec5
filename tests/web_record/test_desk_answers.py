"""The answers at the door: changed at the desk, asked when joining, told in one's own data."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from ladder.models import Club, Membership
from ladder.services import newcomers, queues, seasons
from ladder.services.newcomers import AnswerWish
from matchmaking.services import queueing
from matchmaking.store import clock
from ratings.core.assessments import Answer, Assessments
from ratings.models import PlayerRating
from tests.ladder.world import World
from tests.web_record.forms import form_of, page, post, text
from tests.web_record.stage import play_rated, signed_in

pytestmark = pytest.mark.django_db


def rows_of(sent: dict[str, str]) -> dict[str, str]:
    """By key, the prefix of the row that holds an answer."""
    return {value: name.removesuffix("key") for name, value in sent.items() if name.endswith("-key") and value}


def offered() -> tuple[Answer, ...]:
    """What the club offers now."""
    return Assessments.from_json(Club.objects.get(slug="chess").self_assessments).offered


def set_answers(world: World, *wishes: AnswerWish) -> None:
    newcomers.set_self_assessments(club=world.club, actor=world.olga, answers=wishes, now=world.now)


def test_the_shipped_answers_are_changed_to_the_clubs_own_and_asked_at_its_door(world: World) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_answers"))
    rows = rows_of(sent)
    sent[f"{rows['expert']}label"] = "I play <b>for money</b>"
    sent[f"{rows['expert']}rating"] = "1733"
    sent |= {"answer-4-label": "I teach it", "answer-4-rating": "2111"}
    del sent[f"{rows['novice']}is_offered"]

    told = text(post(client, "desk_answers", **sent))
    door = signed_in(world.stranger).get(reverse("club_join", args=["chess"]))

    assert "The answers are kept." in told
    assert [(one.key, one.rating) for one in offered()] == [
        ("casual", 1200.0),
        ("club", 1500.0),
        ("expert", 1733.0),
        ("own-1", 2111.0),
    ]
    html = door.content.decode()
    places = [html.index(word) for word in ("I play now and then", "often and know", "for money", "I teach it")]
    assert places == sorted(places)
    assert "I play &lt;b&gt;for money&lt;/b&gt;" in html
    assert "New to it" not in html


def test_who_joins_in_the_clubs_own_words_starts_where_they_say_and_sees_no_number(world: World) -> None:
    set_answers(world, AnswerWish("Kitchen", 933.0), AnswerWish("League", 1877.0))
    stranger = signed_in(world.stranger)
    door = stranger.get(reverse("club_join", args=["chess"]))
    values = re.findall(r'name="self_assessment" value="([^"]+)"', door.content.decode())

    welcome = stranger.post(reverse("club_join", args=["chess"]), {"self_assessment": values[1]}, follow=True)
    queueing.join(queue=world.queue, player=world.stranger, now=clock())

    assert values == ["own-1", "own-2"]
    assert "Welcome to Chess Club" in text(welcome)
    assert PlayerRating.objects.get(player=world.stranger).rating == 1877.0
    assert not re.search(r"933|1877", door.content.decode() + welcome.content.decode())


def test_a_door_opened_before_the_answers_changed_asks_again(world: World) -> None:
    set_answers(world, AnswerWish("Kitchen", 900.0), AnswerWish("League", 1900.0))
    stranger = signed_in(world.stranger)

    late = stranger.post(reverse("club_join", args=["chess"]), {"self_assessment": "novice"})

    assert late.status_code == 400
    assert "no longer offered" in text(late)
    assert "Kitchen" in text(late)
    assert not Membership.objects.filter(player=world.stranger).exists()


def test_an_answer_taken_away_shows_how_many_gave_it_and_can_be_offered_again(world: World) -> None:
    set_answers(world, AnswerWish("Kitchen", 900.0), AnswerWish("League", 1900.0))
    client = signed_in(world.olga)
    before = page(client, "desk_answers")
    sent = form_of(before)
    sent[f"{rows_of(sent)['club']}is_offered"] = "on"

    post(client, "desk_answers", **sent)

    assert "6 members gave this answer." in text(before)
    assert [one.key for one in offered()] == ["own-1", "club", "own-2"]
    assert offered()[1].label == "", "shipped words stay translated"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"answer-4-label": "Alone"}, "Give it a rating."),
        ({"answer-4-rating": "1600"}, "Give it words."),
        ({"answer-4-label": "Good", "answer-4-rating": "50"}, "greater than or equal to 100"),
        ({"answer-4-label": "Good", "answer-4-rating": "nan"}, "Enter a number."),
        (
            {"answer-4-label": "Good", "answer-4-rating": "1600", "answer-5-label": "good", "answer-5-rating": "1700"},
            "Two answers read the same.",
        ),
        ({"answer-0-rating": ""}, "This field is required."),
        ({"answer-0-key": "strange"}, "no answer with the key strange"),
    ],
)
def test_unusable_answers_keep_what_was_typed_and_say_why(world: World, typed: dict[str, str], words: str) -> None:
    client = signed_in(world.olga)
    sent = {**form_of(page(client, "desk_answers")), **typed}

    answer = post(client, "desk_answers", **sent)

    assert answer.status_code in (400, 409)
    assert words in text(answer)
    assert Club.objects.get(slug="chess").self_assessments == []


def test_a_stale_page_of_answers_is_refused(world: World) -> None:
    client = signed_in(world.olga)
    sent = form_of(page(client, "desk_answers"))
    set_answers(world, AnswerWish("Kitchen", 900.0), AnswerWish("League", 1900.0))

    answer = post(client, "desk_answers", **sent)

    assert answer.status_code == 409
    assert "changed while you looked at it" in text(answer)
    assert "Load this page anew" in text(answer)


def test_in_placement_the_own_card_says_where_one_starts_and_nobody_elses(world: World) -> None:
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now
    )
    told = {"name": "Rapid 1", "slug": "rapid-1", "queues": [rapid], "starts_at": world.now, "ends_at": None}
    season = seasons.create_season(club=world.club, actor=world.olga, now=world.now, **told)
    season = seasons.open_season(season=season, actor=world.olga, now=world.now)
    play_rated(world, world.alice, world.bob)
    play_rated(replace(world, queue=rapid, season=season), world.alice, world.dave)
    words = "You start from your matches in Blitz and what you said about yourself when you joined"

    mine = text(signed_in(world.alice).get(reverse("me")))
    others = text(signed_in(world.dave).get(reverse("me")))
    data = signed_in(world.alice).get(reverse("my_data")).json()

    assert f"{words}, with 5 placement matches." in mine
    assert words not in others
    assert [change["why"].startswith(words) for change in data["rank_changes"] if change["kind"] == "placement"] == [
        False,
        True,
    ]


def test_ones_own_data_tells_the_answer_in_words(world: World) -> None:
    set_answers(world, AnswerWish("Kitchen", 933.0), AnswerWish("League", 1877.0))
    Membership.objects.filter(player=world.dave).update(self_assessment="own-2")

    told = signed_in(world.dave).get(reverse("my_data")).json()

    assert told["clubs"][0]["self_assessment"] == "League"
    assert signed_in(world.alice).get(reverse("my_data")).json()["clubs"][0]["self_assessment"] == (
        "I play often and know how to win a game"
    )
