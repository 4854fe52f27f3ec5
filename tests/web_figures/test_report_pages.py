"""Replays and searches at the desk: asked for, watched, called off, read, compared, taken away."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.urls import reverse

from ladder.selectors.fit_reports import chance
from ladder.services import queues, rating_models
from ratings.core.requests import ModelChoice
from ratings.models import RatingModel, ReplayReport
from ratings.services import reports
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.reports.steps import ELO, GLICKO2, WENG_LIN, in_force, replayed, some_history, work
from tests.web_figures.test_model_pages import path, said
from tests.web_record.stage import play_rated, signed_in

pytestmark = pytest.mark.django_db


def replay_wish(*models: str, **other: object) -> dict[str, object]:
    return {"models": list(models), "title": "", "ignore_first": 10, "ageing": "on", **other}


def fit_wish(*only: str, **other: object) -> dict[str, object]:
    return {"only": list(only), "train": 60, "rounds": 3, "title": "", "ignore_first": 10, "ageing": "on", **other}


def fitted(world: World, *only: str, rounds: int = 4) -> ReplayReport:
    """A finished search of Elo's parameters."""
    found = reports.request_fit(
        queue_id=world.queue.pk,
        start=ModelChoice("elo", "elo", {"k": 200.0}),
        requested_by=world.olga.pk,
        only=only or ("k",),
        rounds=rounds,
        now=world.now,
    )
    return work(found, world.now)


def test_a_replay_of_several_models_is_asked_for_and_read(world: World) -> None:
    some_history(world, matches=40)
    client = signed_in(world.olga)
    form = client.get(path("desk_replay"))
    assert form.context["form"]["models"].value() == (f"model:{in_force(world).pk}",)

    asked = client.post(path("desk_replay"), replay_wish("engine:elo@match", "engine:weng_lin@match", title="Which?"))
    report = ReplayReport.objects.get(kind="replay")
    assert asked.headers["Location"] == path("desk_report", report.pk)
    waiting = client.get(path("desk_report", report.pk))
    work(report, world.now)
    done = client.get(path("desk_report", report.pk))

    assert "Waiting for a worker" in said(waiting)
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert "Which?" in said(done)
    assert [column.name for column in done.context["page"].shown.columns] == ["elo", "weng_lin"]
    assert "predicted best" in said(done)


def test_a_poll_gets_the_progress_alone_nothing_when_nothing_moved_and_the_page_at_the_end(world: World) -> None:
    some_history(world, matches=40)
    report = reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)
    client = signed_in(world.olga)
    version = re.findall(r"\?v=(\w+)", client.get(path("desk_report", report.pk)).content.decode())[0]
    swap = {"HX-Request": "true"}

    same = client.get(path("desk_report", report.pk), {"v": version}, headers=swap)
    other = client.get(path("desk_report", report.pk), {"v": "old"}, headers=swap)
    work(report, world.now)
    over = client.get(path("desk_report", report.pk), {"v": version}, headers=swap)

    assert same.status_code == 204
    assert "<html" not in other.content.decode()
    assert 'id="progress"' in other.content.decode()
    assert (over.status_code, over.headers["HX-Refresh"]) == (204, "true")


def test_it_is_called_off_and_says_so(world: World) -> None:
    report = reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)
    client = signed_in(world.otto)

    first = client.post(path("desk_report_cancel", report.pk), follow=True)
    again = client.post(path("desk_report_cancel", report.pk), follow=True)

    assert "Called off. Nothing was changed." in said(first)
    assert "It was called off before it was done" in said(again)
    assert ReplayReport.objects.get(pk=report.pk).state == "cancelled"


def test_a_report_that_failed_says_why_and_what_to_do(world: World) -> None:
    report = reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)
    ReplayReport.objects.filter(pk=report.pk).update(
        state="failed", finished_at=world.now, error="A worker was lost three times."
    )

    text = said(signed_in(world.olga).get(path("desk_report", report.pk)))

    assert "A worker was lost three times." in text
    assert "Ask for it again" in text


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (replay_wish(), "Choose one model or more"),
        (replay_wish("engine:ouija@match"), "not one of the available choices"),
        (replay_wish("engine:elo@match", ignore_first=95), "less than or equal to 90"),
        (replay_wish("engine:elo@match", title="x" * 121), "at most 120 characters"),
    ],
)
def test_a_bad_wish_keeps_the_form_and_says_why(world: World, wish: dict[str, object], sentence: str) -> None:
    answer = signed_in(world.olga).post(path("desk_replay"), wish)

    assert answer.status_code == 400
    assert sentence in said(answer)
    assert not ReplayReport.objects.filter(kind="replay").exists()


def test_too_many_reports_under_way_are_refused_in_words(world: World) -> None:
    for _number in range(reports.MOST_OPEN):
        reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)

    answer = signed_in(world.olga).post(path("desk_replay"), replay_wish("engine:elo@match"))

    assert answer.status_code == 409
    assert "Wait for the reports" in said(answer)


def test_without_matches_the_report_says_that_nothing_was_measured(world: World) -> None:
    report = replayed(world)

    text = said(signed_in(world.olga).get(path("desk_report", report.pk)))

    assert "Nothing was measured" in text


def test_one_model_alone_is_told_without_a_winner(world: World) -> None:
    some_history(world, matches=40)
    report = replayed(world, ELO)

    assert "elo predicted 36 matches with a log loss of" in said(
        signed_in(world.olga).get(path("desk_report", report.pk))
    )


def test_every_plot_has_its_table_and_nothing_is_told_by_colour_alone(world: World) -> None:
    some_history(world, matches=400)
    report = replayed(world, GLICKO2, ELO, WENG_LIN)

    answer = signed_in(world.olga).get(path("desk_report", report.pk))

    html = answer.content.decode()
    shown = answer.context["page"].shown
    assert html.count('role="img"') == 8  # losses, calibration, newcomers and bands, each for wide and for narrow
    assert html.count("<table") >= 6
    assert len(shown.bins) > 3
    assert [games for games, _cells in shown.errors] == [1, 2, 3, 5, 10, 15, 20, 30, 40]
    assert sum(row.matches for row in shown.bands) >= 360
    marks = {mark.d for mark in shown.calibration[0].marks}
    assert len(marks) == len(shown.columns) == 4  # and Glicko-2 rated weekly, which stands beside it by itself


def test_who_would_move_stands_against_the_first_model(world: World) -> None:
    some_history(world, matches=60)
    report = replayed(world, GLICKO2, ModelChoice("fast elo", "elo", {"k": 400.0}))

    answer = signed_in(world.olga).get(path("desk_report", report.pk))

    movers = answer.context["page"].shown.columns[1].figures.movers
    assert answer.context["page"].shown.columns[0].figures.movers == ()
    for one in movers:
        assert one.player in said(answer)


def test_equal_models_are_said_to_be_equal(world: World) -> None:
    some_history(world, matches=40)
    report = replayed(world, ELO, ModelChoice("the same", "elo", {"k": 32.0}))

    text = said(signed_in(world.olga).get(path("desk_report", report.pk)))

    assert "predicted equally well" in text


def test_a_difference_within_chance_is_called_that(world: World) -> None:
    some_history(world, matches=40)
    report = replayed(world, ELO, WENG_LIN)

    answer = signed_in(world.olga).get(path("desk_report", report.pk))

    behind = next(one.behind for one in answer.context["page"].shown.columns if one.behind is not None)
    assert behind.is_chance
    assert f"chance alone makes up to {behind.chance:.4f}" in said(answer)


def test_a_model_that_guesses_wildly_is_clearly_behind(world: World) -> None:
    some_history(world, matches=400)
    report = replayed(world, ELO, ModelChoice("wild", "elo", {"k": 900.0}))

    answer = signed_in(world.olga).get(path("desk_report", report.pk))

    best, wild = answer.context["page"].shown.columns
    assert best.behind is None
    assert wild.behind.mean > wild.behind.chance > 0.0
    assert "elo predicted best: its log loss is" in said(answer)


def test_replays_of_different_histories_are_judged_by_the_rule_of_thumb(world: World) -> None:
    some_history(world, matches=40)
    first = replayed(world, ELO)
    play_rated(world, world.alice, world.bob, times=3)
    second = replayed(world, ModelChoice("wild", "elo", {"k": 900.0}))

    found = signed_in(world.olga).get(path("desk_compare"), {"report": [first.pk, second.pk]}).context["found"]

    best, worse = sorted(found.shown.columns, key=lambda column: column.figures.total.log_loss)
    assert worse.behind.chance == pytest.approx(chance(best.figures.total.matches))


def test_a_search_is_asked_for_found_and_made_a_draft(world: World) -> None:
    some_history(world, matches=120)
    client = signed_in(world.olga)
    form = client.get(path("desk_fit"), {"engine": "elo"})
    assert "k" in form.context["form"]["only"].value()

    client.post(f"{path('desk_fit')}?engine=elo", fit_wish("k"))
    report = ReplayReport.objects.get(kind="fit")
    text = said(client.get(path("desk_report", report.pk)))
    assert "0 candidates measured" in text
    work(report, world.now)
    done = client.get(path("desk_report", report.pk))
    assert "held out" in said(done)
    assert "Make a draft of it" in said(done)

    draft = client.get(path("desk_draft"), {"report": report.pk})
    found = done.context["page"].fit.figures.parameters
    assert draft.context["form"]["k"].value() == found["k"] != 32.0
    assert "Found by the search" in draft.context["form"]["note"].value()
    kept = client.post(
        f"{path('desk_draft')}?report={report.pk}",
        {**{name: value for name, value in found.items() if value is not False}, "period": "match", "note": "Found."},
    )
    assert kept.status_code == 302
    assert RatingModel.objects.get(queue=world.queue, version=2).parameters == found


def test_a_search_that_moves_nothing_offers_no_draft(world: World) -> None:
    some_history(world, matches=60)
    report = reports.request_fit(
        queue_id=world.queue.pk,
        start=ModelChoice("elo", "elo", {"provisional_games": 0}),
        requested_by=None,
        only=("provisional_k",),  # without provisional games it changes no prediction
        rounds=1,
        now=world.now,
    )
    work(report, world.now)

    answer = signed_in(world.olga).get(path("desk_report", report.pk))

    assert answer.context["page"].fit.changed == ()
    assert "Make a draft of it" not in said(answer)
    assert "they stay" in said(answer)


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (fit_wish(), "Choose one parameter or more"),
        (fit_wish("k", train=20, ignore_first=30), "more than what is not measured at first"),
        (fit_wish("k", rounds=0), "greater than or equal to 1"),
        (fit_wish("wings"), "not one of the available choices"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused_at_its_field(
    world: World, wish: dict[str, object], sentence: str
) -> None:
    some_history(world, matches=60)

    answer = signed_in(world.olga).post(f"{path('desk_fit')}?engine=elo", wish)

    assert answer.status_code == 400
    assert sentence in said(answer)


def test_a_search_over_too_few_matches_is_refused_in_words(world: World) -> None:
    some_history(world, matches=10)

    answer = signed_in(world.olga).post(f"{path('desk_fit')}?engine=elo", fit_wish("k"))

    assert answer.status_code == 409
    assert "A search needs at least 50 rated matches; this queue has 10." in said(answer)


def test_finished_replays_stand_side_by_side_with_what_to_beware_of(world: World) -> None:
    some_history(world, matches=40)
    first = replayed(world, ELO, WENG_LIN)
    play_rated(world, world.alice, world.bob)
    second = replayed(world, ELO)
    client = signed_in(world.olga)

    empty = client.get(path("desk_compare"))
    both = client.get(path("desk_compare"), {"report": [first.pk, second.pk]})

    assert "Choose two replays or more" in said(empty)
    assert [column.name for column in both.context["found"].shown.columns] == ["A: elo", "A: weng_lin", "B: elo"]
    assert "These replays read different histories" in said(both)


def test_before_a_replay_is_finished_there_is_nothing_to_compare(world: World) -> None:
    assert "No replay of this queue is finished yet" in said(signed_in(world.olga).get(path("desk_compare")))


def test_the_shipped_model_s_report_tells_of_which_matches_it_speaks(world: World) -> None:
    text = said(signed_in(world.olga).get(path("desk_report", in_force(world).report_id)))

    assert "leagues.csv" in text
    assert "intl_football.csv" in text
    assert "Replay it over your own matches" in text


def test_a_report_names_the_models_that_stand_on_it(world: World) -> None:
    some_history(world, matches=40)
    model = rating_models.create_draft(
        queue=world.queue, actor=world.olga, algorithm="elo", parameters={}, now=world.now
    )
    report = work(rating_models.replay_model(model=model, actor=world.olga, now=world.now), world.now)

    text = said(signed_in(world.otto).get(path("desk_report", report.pk)))

    assert "Version 2 replayed" in text
    assert "then approve it on its page" in text


def test_everything_can_be_taken_away(world: World) -> None:
    some_history(world, matches=40)
    report = replayed(world, ELO, WENG_LIN)
    client = signed_in(world.olga)

    told = json.loads(client.get(path("desk_report_json", report.pk)).content)
    figures = list(csv.DictReader(io.StringIO(client.get(path("desk_report_figures", report.pk)).content.decode())))
    standings = list(csv.DictReader(io.StringIO(client.get(path("desk_report_standings", report.pk)).content.decode())))

    assert told["result"]["models"][0]["log_loss"] == float(figures[0]["log_loss"])
    assert {row["model"] for row in standings} == {"elo", "weng_lin"}
    assert len(standings) == 8


def test_a_report_of_another_queue_is_not_found_here(world: World) -> None:
    queues.create_queue(club=world.club, actor=world.olga, name="Rapid", slug="rapid", game_name="Chess", now=world.now)
    report = replayed(world, ELO)
    client = signed_in(world.olga)

    for name in ("desk_report", "desk_report_json", "desk_report_figures", "desk_report_standings"):
        assert client.get(path(name, report.pk, queue="rapid")).status_code == 404
    assert client.post(path("desk_report_cancel", report.pk, queue="rapid")).status_code == 404


@pytest.mark.parametrize("players", [4, 60])
def test_a_report_costs_the_same_however_many_it_names(world: World, players: int) -> None:
    from tests.web_figures.stage import two_months

    two_months(world, players=players, matches=120)
    report = replayed(world, ELO, GLICKO2)
    client = signed_in(world.olga)
    client.get(path("desk_report", report.pk))

    with assert_queries(7, "session, person, membership with club; queue, report, names, models on it", at_most=True):
        client.get(path("desk_report", report.pk))


@pytest.mark.parametrize(("who", "status"), [("otto", 200), ("olga", 200), ("maud", 403), ("alice", 403)])
def test_reports_are_for_the_desk(world: World, who: str, status: int) -> None:
    client = signed_in(getattr(world, who))
    report = in_force(world).report_id

    for name, args in (("desk_replay", ()), ("desk_fit", ()), ("desk_compare", ()), ("desk_report", (report,))):
        assert client.get(reverse(name, args=["chess", "blitz", *args])).status_code == status
