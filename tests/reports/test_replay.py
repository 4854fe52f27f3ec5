"""A replay of a queue: reads what the ledger rated, computes each model, and puts them side by side."""

from __future__ import annotations

import pytest

from ladder.models import Match
from ratings.core.requests import ModelChoice
from ratings.errors import DomainError, NotFound
from ratings.models import PlayerRating, ReplayPart, ReplayReport
from ratings.selectors.reports import (
    compare_reports,
    figures_as_rows,
    report_as_json,
    report_detail,
    report_page,
    report_row,
    standings_as_rows,
)
from ratings.services import report_runs, reports
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.reports.steps import ELO, WENG_LIN, in_force, replayed, some_history, ticking, work
from tests.web_record.stage import play_rated

pytestmark = [pytest.mark.django_db, pytest.mark.service]


def test_a_replay_of_the_model_in_force_ends_where_the_ledger_stands(world: World) -> None:
    some_history(world)

    report = replayed(world, reports.choice_of(in_force(world)))

    standings = report.parts.get(position=0).result["standings"]
    ledger = {str(row.player_id): row for row in PlayerRating.objects.filter(queue=world.queue)}
    assert {row[0] for row in standings} == set(ledger)
    for player, rating, deviation, games in standings:
        assert rating == pytest.approx(ledger[player].rating, abs=1e-9)
        assert deviation == pytest.approx(ledger[player].deviation, abs=1e-9)
        assert games == ledger[player].games


def test_a_replay_measures_all_but_the_first_tenth_of_the_matches(world: World) -> None:
    some_history(world, matches=60)

    report = replayed(world)
    detail = report_detail(queue_id=world.queue.pk, report_id=report.pk)

    assert (report.state, report.history_matches) == (ReplayReport.State.DONE, 60)
    assert [model.label for model in detail.models] == ["glicko2", "glicko2, weekly periods", "elo"]
    assert [model.total.matches for model in detail.models] == [54, 54, 54]
    assert all(0.0 < (model.total.log_loss or 0.0) < 1.0 for model in detail.models)
    assert sum(group.figures.matches for group in detail.models[0].bands) == 54
    assert [row.place for row in detail.models[2].standings] == [1, 2, 3, 4]
    assert detail.row.percent == 100


def test_without_matches_a_replay_is_done_and_says_so(world: World) -> None:
    report = replayed(world)
    detail = report_detail(queue_id=world.queue.pk, report_id=report.pk)

    assert (report.state, report.history_matches) == (ReplayReport.State.DONE, 0)
    assert [model.total.log_loss for model in detail.models] == [None] * 3
    assert detail.models[0].standings == ()


def test_matches_that_do_not_count_are_left_out(world: World) -> None:
    some_history(world, matches=60)
    first, second, *_rest = Match.objects.filter(queue=world.queue).order_by("completed_at", "id")
    Match.objects.filter(pk=first.pk).update(state=Match.State.ABANDONED)
    Match.objects.filter(pk=second.pk).update(unrated_reason="voided")

    assert replayed(world).history_matches == 58


def test_results_that_come_in_later_belong_to_the_next_report(world: World) -> None:
    some_history(world, matches=20)
    report = reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)
    play_rated(world, world.alice, world.bob, times=3)

    assert work(report, world.now).history_matches == 20
    assert replayed(world).history_matches == 23


def test_progress_is_told_as_it_goes(world: World) -> None:
    some_history(world, matches=20)
    report = reports.request_replay(queue_id=world.queue.pk, models=[ELO, WENG_LIN], requested_by=None, now=world.now)
    before = report_row(queue_id=world.queue.pk, report_id=report.pk)

    first = report.parts.order_by("position").first()
    assert first is not None
    report_runs.run_part(part_id=first.pk, clock=ticking(world.now))
    half = report_row(queue_id=world.queue.pk, report_id=report.pk)
    after = report_row(queue_id=world.queue.pk, report_id=work(report, world.now).pk)

    assert [(row.state, row.percent) for row in (before, half, after)] == [
        ("waiting", 0),
        ("running", 50),
        ("done", 100),
    ]


def test_replays_side_by_side_say_when_they_read_different_histories(world: World) -> None:
    some_history(world, matches=20)
    first, again = replayed(world, ELO), replayed(world, WENG_LIN)
    play_rated(world, world.alice, world.bob, times=3)
    later = replayed(world, ELO)

    same = compare_reports(queue_id=world.queue.pk, report_ids=[first.pk, again.pk])
    different = compare_reports(queue_id=world.queue.pk, report_ids=[first.pk, later.pk])

    assert [(one.report.id, one.figures.label) for one in same.models] == [(first.pk, "elo"), (again.pk, "weng_lin")]
    assert same.differences == ()
    assert different.differences == ("These replays read different histories (matches: 20, 23).",)


def test_a_report_can_be_taken_away_as_json_and_as_tables(world: World) -> None:
    some_history(world)
    report = replayed(world)

    told = report_as_json(queue_id=world.queue.pk, report_id=report.pk)
    figures = list(figures_as_rows(queue_id=world.queue.pk, report_id=report.pk))
    standings = list(standings_as_rows(queue_id=world.queue.pk, report_id=report.pk))

    assert told["result"]["models"][0]["log_loss"] == figures[1][3]
    assert figures[0][:3] == ["model", "part", "matches"]
    assert standings[0] == ["model", "place", "handle", "name", "rating", "deviation", "matches"]
    assert {row[2] for row in standings[1:]} == {"alice", "bob", "carol", "dave"}
    assert len(standings) == 1 + 3 * 4


def test_a_report_of_another_queue_is_not_found(world: World) -> None:
    report = replayed(world, ELO)

    with pytest.raises(NotFound):
        report_detail(queue_id=world.club.pk, report_id=report.pk)
    with pytest.raises(NotFound):
        compare_reports(queue_id=world.club.pk, report_ids=[report.pk])


def test_the_shipped_model_has_a_report_of_its_own(world: World) -> None:
    detail = report_detail(queue_id=world.queue.pk, report_id=in_force(world).report_id)

    assert detail.row.kind == "shipped"
    assert {one.data for one in detail.shipped} == {"leagues.csv", "intl_football.csv"}
    assert [model.version for model in detail.drafts] == [1]


@pytest.mark.parametrize("reports_stored", [3, 300])
def test_lists_and_details_ask_the_same_few_questions_whatever_there_is(world: World, reports_stored: int) -> None:
    some_history(world, matches=20)
    report = replayed(world)
    ReplayReport.objects.bulk_create(
        ReplayReport(
            queue=world.queue, kind="replay", settings=report.settings, created_at=report.created_at, title=str(number)
        )
        for number in range(reports_stored)
    )

    with assert_queries(1, "the reports with who asked for them"):
        page = report_page(queue_id=world.queue.pk)
    with assert_queries(3, "the report, the players' names, the models that stand on it"):
        report_detail(queue_id=world.queue.pk, report_id=report.pk)

    assert len(page.rows) == min(50, reports_stored + 2)


def test_pages_of_reports_neither_repeat_nor_skip(world: World) -> None:
    made = [replayed(world, ELO).pk for _number in range(5)]

    seen, after = [], ""
    while True:
        page = report_page(queue_id=world.queue.pk, after=after, limit=2)
        seen += [row.id for row in page.rows]
        after = page.after
        if not after:
            break

    assert seen[:5] == made[::-1]
    assert len(seen) == len(set(seen)) == 6  # and the shipped model's


@pytest.mark.parametrize(
    ("models", "code"),
    [
        ([], "no_models"),
        ([ELO] * 2, "same_label"),
        ([ModelChoice("x", "elo", {"k": -1})], "bad_parameter"),
        ([ModelChoice("x", "ouija")], "bad_parameter"),
    ],
)
def test_what_cannot_be_replayed_is_refused_at_once(world: World, models: list[ModelChoice], code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        reports.request_replay(queue_id=world.queue.pk, models=models, requested_by=None, now=world.now)

    assert refusal.value.code == code
    assert not ReplayPart.objects.exists()


def test_a_queue_has_only_a_few_reports_under_way(world: World) -> None:
    for _number in range(reports.MOST_OPEN):
        reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)

    with pytest.raises(DomainError, match="Wait for the reports"):
        reports.request_replay(queue_id=world.queue.pk, models=[ELO], requested_by=None, now=world.now)
