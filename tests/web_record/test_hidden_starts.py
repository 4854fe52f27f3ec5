"""Where newcomers start is for the staff: no page, fragment or answer that a player can get holds its numbers."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.models import Player, SeasonRules
from ladder.selectors.seasons import rank_rules
from ladder.services import newcomers, queues, seasons
from ladder.services.newcomers import AnswerWish
from ratings.models import RatingEvent
from ratings.services.placement import Newcomer, ensure_ratings
from tests.permissions.cast import Cast, assemble
from tests.web_record.test_hidden_numbers import decimals, looked_at, numbers, player_pages, rating_texts

pytestmark = pytest.mark.django_db

ANSWERS = {"Kitchen table": 1337.0, "Sunday league": 1733.0}
RULES = {"offset": 123.5, "same_game_widening": 77.25, "other_game_weight": 0.375, "other_game_widening": 211.5}


def club_with_starts() -> Cast:
    """A club with answers and rules of its own, in which everybody was placed in a second queue by all of them."""
    cast = assemble()
    world = cast.world
    wishes = [AnswerWish(label, rating) for label, rating in ANSWERS.items()]
    newcomers.set_self_assessments(club=world.club, actor=world.olga, answers=wishes, now=world.now)
    rapid = queues.create_queue(
        club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now
    )
    for queue in (world.queue, rapid):
        newcomers.set_prior_rules(queue=queue, actor=world.olga, values=RULES, now=world.now)
    told = {"name": "Rapid 1", "slug": "rapid-1", "queues": [rapid], "starts_at": world.now, "ends_at": None}
    season = seasons.create_season(club=world.club, actor=world.olga, now=world.now, **told)
    seasons.open_season(season=season, actor=world.olga, now=world.now)
    people = [world.alice, world.bob, world.carol, world.dave]
    ensure_ratings(
        queue_id=rapid.pk,
        season_id=season.pk,
        newcomers=[Newcomer(player.pk, "own-2") for player in people],
        rules=rank_rules(SeasonRules.objects.get(queue=rapid)),
        now=world.now,
    )
    return cast


def secrets() -> dict[str, set[str]]:
    """Every number behind a start, in whatever rounding."""
    found = {label: rating_texts(rating) for label, rating in ANSWERS.items()}
    found |= {name: decimals(value, (1, 2, 3)) for name, value in RULES.items()}
    for event in RatingEvent.objects.filter(kind="placement", explanation__source="other_queues"):
        for one in event.explanation["signals"]:
            name = f"signal of {event}"
            found[name] = found.get(name, set()) | rating_texts(one["mean"]) | decimals(one["deviation"], range(1, 5))
    return found


def test_no_road_of_a_player_or_a_stranger_leads_to_the_numbers_of_a_start() -> None:
    cast = club_with_starts()
    hidden = secrets()
    assert RatingEvent.objects.filter(explanation__source="other_queues").count() == 4
    leaks, doors = [], ""
    for player in (cast.world.alice, cast.world.stranger, None):
        client = Client(raise_request_exception=False)
        if player is not None:
            client.force_login(player)
        for path in player_pages(cast):
            for name, text in looked_at(client, path).items():
                doors += text if path.endswith("/join/") else ""
                shown = numbers(text)
                leaks += [f"{name}: {what} as {shown & texts}" for what, texts in hidden.items() if shown & texts]

    assert leaks[:20] == []
    assert "Sunday league" in doors, "the scan saw the question at the door"


def test_the_staff_does_see_them_so_that_the_scan_looks_for_the_right_numbers() -> None:
    cast = club_with_starts()
    olga = Client()
    olga.force_login(Player.objects.get(handle="olga"))

    pages = ("/c/chess/desk/queues/rapid/newcomers/", "/c/chess/desk/club/answers/", "/c/chess/audit/")
    shown = set().union(*(numbers(olga.get(path).content.decode()) for path in pages))

    assert [what for what, texts in secrets().items() if not shown & texts] == []
    assert cast.world.club.slug == "chess"
