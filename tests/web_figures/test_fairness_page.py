"""The fairness page: figures from what was stored at formation, one-sided games, waits, with nothing, one and many."""

from __future__ import annotations

import csv
import io
import math
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.models import AuditEntry, Match, MatchParticipant, Queue
from ladder.selectors.fairness import played_matches
from ladder.services import matches, queues
from ladder.services.matches import Seat
from ratings.errors import DomainError
from ratings.models import ForecastEntry, PlayerRating, RatingModel
from ratings.selectors.models import engine_of
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_figures.stage import queue_match, two_months
from tests.web_record.stage import history, signed_in

pytestmark = pytest.mark.django_db


def shown(client: Client, **wish: str):
    return client.get(reverse("fairness", args=["chess"]), wish)


def chance_of(match: Match) -> float:
    """What was predicted for the first side."""
    return ForecastEntry.objects.get(forecast__match=match, team=0).expected


def test_without_a_game_the_page_says_what_will_stand_here(world: World) -> None:
    html = shown(signed_in(world.olga)).content.decode()

    assert "No games in this time" in html
    assert "Look at everything there is" in shown(signed_in(world.olga), span="month").content.decode()


def test_one_game_has_its_figures(world: World) -> None:
    match = queue_match(world, world.alice, world.bob, waited=42.0, quality=0.8)

    answer = shown(signed_in(world.olga))

    figures = answer.context["page"].matches.figures
    assert figures.total.matches == 1
    assert figures.total.log_loss == pytest.approx(-math.log(chance_of(match)))
    assert figures.total.quality == pytest.approx(0.8)
    assert "42 s" in answer.content.decode()


def test_log_loss_is_that_of_the_predictions_at_formation(world: World) -> None:
    played = [queue_match(world, world.alice, world.bob) for _number in range(4)]
    played.append(queue_match(world, world.bob, world.alice))

    figures = shown(signed_in(world.olga)).context["page"].matches.figures

    losses = [-math.log(chance_of(match)) for match in played]
    assert figures.total.log_loss == pytest.approx(sum(losses) / len(losses))
    assert sum(one.count for one in figures.calibration) == 5


def test_a_band_is_of_the_club_scale_whatever_the_engine(world: World) -> None:
    RatingModel.objects.update(algorithm="trueskill", parameters={})
    engine = engine_of(RatingModel.objects.get())
    match = queue_match(world, world.alice, world.bob)

    (played,) = played_matches([world.queue], "UTC", None)

    ratings = ForecastEntry.objects.filter(forecast__match=match).values_list("rating", flat=True)
    unit, centre = engine.unit, engine.centre  # type: ignore[attr-defined]
    assert played.rating == pytest.approx(1500.0 + (sum(ratings) / 2 - centre) / unit)


def test_the_hour_is_the_club_s_and_imported_matches_have_none(world: World) -> None:
    match = queue_match(world, world.alice, world.bob)
    history(world, "alice>bob")

    played = played_matches([world.queue], "Asia/Tokyo", None)

    hour = (match.formed_at + timedelta(hours=9)).hour
    assert sorted(str(one.hour) for one in played) == sorted([str(hour), "None"])


def test_games_called_off_or_not_to_be_rated_are_not_judged(world: World) -> None:
    queue_match(world, world.alice, world.bob)
    open_match = world.match(world.carol, world.dave)
    matches.cancel(match_id=open_match.pk, reason="voided", now=world.later(seconds=1))

    assert len(played_matches([world.queue], "UTC", None)) == 1


def test_one_sided_games_are_counted_once_somebody_said_what_that_is(world: World) -> None:
    for scores in ((11, 2), (11, 9), (11, 10), (11, 4)):
        queue_match(world, world.alice, world.bob, scores=scores)
    queue_match(world, world.alice, world.bob)
    client = signed_in(world.olga)
    assert "Nobody has said yet" in shown(client, queue="blitz").content.decode()

    answer = client.post(reverse("desk_queue_margin", args=["chess", "blitz"]), {"margin": 7}, follow=True)

    total = answer.context["page"].matches.figures.total
    assert (total.one_sided, total.with_margin) == (0.5, 4)
    assert "50% of the games were one-sided" in answer.content.decode()


def test_a_margin_that_was_told_counts_where_no_score_is_known(world: World) -> None:
    queues.set_stomp_margin(queue=world.queue, actor=world.olga, margin=7, now=world.now)
    for margin in (3.0, 7.0, None):
        match = queue_match(world, world.alice, world.bob)
        Match.objects.filter(pk=match.pk).update(margin=margin)

    assert [one.is_one_sided for one in played_matches([Queue.objects.get()], "UTC", None)] == [False, True, None]


def test_a_match_s_party_is_its_largest(world: World) -> None:
    alone, pair = (queue_match(world, world.alice, world.bob) for _number in range(2))
    MatchParticipant.objects.filter(match=alone, player=world.alice).update(party=0)
    MatchParticipant.objects.filter(match=pair).update(party=1, team=pair.teams.all()[0])

    assert [one.party for one in played_matches([world.queue], "UTC", None)] == [1, 2]


def test_setting_the_margin_is_written_down_once(world: World) -> None:
    for _again in range(2):
        queues.set_stomp_margin(queue=world.queue, actor=world.olga, margin=7, now=world.now)

    entry = AuditEntry.objects.get(action="queue.stomp_margin")
    assert entry.detail == {"before": None, "after": 7}
    assert Queue.objects.get(pk=world.queue.pk).stomp_margin == 7


@pytest.mark.parametrize("margin", [0, -3, 30_001])
def test_a_margin_that_no_score_can_have_is_refused_and_changes_nothing(world: World, margin: int) -> None:
    with pytest.raises(DomainError, match="difference of scores"):
        queues.set_stomp_margin(queue=world.queue, actor=world.olga, margin=margin, now=world.now)

    html = (
        signed_in(world.olga)
        .post(reverse("desk_queue_margin", args=["chess", "blitz"]), {"margin": margin}, follow=True)
        .content.decode()
    )
    assert 'role="alert"' in html
    assert Queue.objects.get(pk=world.queue.pk).stomp_margin is None


def test_an_empty_margin_takes_it_back(world: World) -> None:
    queues.set_stomp_margin(queue=world.queue, actor=world.olga, margin=7, now=world.now)

    signed_in(world.olga).post(reverse("desk_queue_margin", args=["chess", "blitz"]), {"margin": ""})

    assert Queue.objects.get(pk=world.queue.pk).stomp_margin is None


def test_moderators_see_the_figures_and_no_form(world: World) -> None:
    queue_match(world, world.alice, world.bob)

    html = shown(signed_in(world.maud), queue="blitz").content.decode()

    assert "Log loss" in html
    assert "Keep this margin" not in html
    assert signed_in(world.maud).post(reverse("desk_queue_margin", args=["chess", "blitz"])).status_code == 403


def test_waits_are_told_by_band_and_hour_of_joining(world: World) -> None:
    for waited in (10.0, 20.0, 30.0, 40.0, 300.0):
        queue_match(world, world.alice, world.bob, waited=waited)

    page = shown(signed_in(world.olga)).context["page"]

    assert page.searches.total.players == 10
    assert page.searches.total.half == pytest.approx(30.0)
    assert sum(row.waits.players for row in page.bands) == 10
    assert sum(row.waits.players for row in page.hours if row.waits) == 10


def test_a_check_that_failed_is_no_end_of_a_wait(world: World) -> None:
    now = world.later(minutes=1)
    seats = [[Seat(player.pk, now - timedelta(seconds=50), 100)] for player in (world.alice, world.bob)]
    match = matches.create(queue=world.queue, season=world.season, seats=seats, quality=0.9, now=now)
    matches.cancel(match_id=match.pk, reason="not_accepted", now=world.later(seconds=20))

    assert shown(signed_in(world.olga)).context["page"].searches.total is None


def test_another_queue_has_its_own_figures_and_all_stand_side_by_side(world: World) -> None:
    queues.create_queue(club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now)
    queue_match(world, world.alice, world.bob)
    client = signed_in(world.olga)

    every = shown(client).context["page"].matches
    rapid = shown(client, queue="rapid").context["page"].matches

    assert [(row.name, row.group.matches) for row in every.by_queue] == [("Blitz", 1)]
    assert rapid.figures is None
    assert [row.name for row in rapid.by_queue] == ["Blitz"]
    assert shown(client, queue="nothing").status_code == 404


def test_the_time_asked_for_bounds_the_games(world: World) -> None:
    match = queue_match(world, world.alice, world.bob)
    Match.objects.filter(pk=match.pk).update(completed_at=timezone.now() - timedelta(days=100))
    client = signed_in(world.olga)

    assert shown(client, span="quarter").context["page"].matches.figures is None
    assert shown(client, span="year").context["page"].matches.figures.total.matches == 1


def test_unasked_a_quarter_without_a_game_gives_way_to_everything(world: World) -> None:
    match = queue_match(world, world.alice, world.bob)
    client = signed_in(world.olga)
    now = shown(client).context["page"].matches
    Match.objects.filter(pk=match.pk).update(completed_at=timezone.now() - timedelta(days=400))

    later = shown(client).context["page"].matches

    assert (now.span, later.span) == ("quarter", "all")
    assert later.figures.total.matches == 1


def test_the_csv_holds_every_table(world: World) -> None:
    two_months(world, matches=120)
    queue_match(world, world.alice, world.bob)
    client = signed_in(world.maud)

    answer = client.get(reverse("fairness_csv", args=["chess"]), {"span": "year"})

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    total = shown(client, span="year").context["page"].matches.figures.total
    parts = {row["part"] for row in rows}
    assert parts == {"queue", "band", "hour", "party", "calibration", "wait_band", "wait_hour"}
    assert float(rows[0]["log_loss"]) == pytest.approx(total.log_loss)
    assert total.matches == 121


@pytest.mark.parametrize(("who", "status"), [("otto", 200), ("olga", 200), ("maud", 200), ("alice", 403)])
def test_it_is_for_the_staff(world: World, who: str, status: int) -> None:
    assert shown(signed_in(getattr(world, who))).status_code == status


@pytest.mark.parametrize("count", [1, 300])
def test_the_page_costs_the_same_however_many_games(world: World, count: int) -> None:
    two_months(world, matches=count)
    queue_match(world, world.alice, world.bob)
    client = signed_in(world.olga)
    shown(client, span="year")

    reason = "session, person, membership with club; queues, models, matches; models, waits, ends; a place in the bar"
    with assert_queries(10, reason, at_most=True):
        assert shown(client, span="year").status_code == 200
    assert PlayerRating.objects.count() > 2
