"""A search over a queue's history, its candidates spread over workers: the same search as by one hand."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ratings.core.fit import axes_for, fit_report, loss_over
from ratings.core.requests import FitSettings, ModelChoice
from ratings.errors import DomainError
from ratings.models import ReplayPart, ReplayReport
from ratings.selectors.replay_history import QueueHistory
from ratings.selectors.reports import figures_as_rows, report_detail, report_row
from ratings.services import fit_search, report_runs, reports
from tests.ladder.world import World
from tests.reports.steps import ELO, some_history, ticking, work

pytestmark = [pytest.mark.django_db, pytest.mark.service]


def fit(world: World, start: ModelChoice = ELO, **wish: object) -> ReplayReport:
    wish = {"only": ["k"], "rounds": 6, **wish}
    return reports.request_fit(queue_id=world.queue.pk, start=start, requested_by=None, now=timezone.now(), **wish)


def test_a_search_by_many_workers_finds_what_a_search_by_one_finds(world: World) -> None:
    some_history(world, matches=80)

    report = work(fit(world, only=["k", "draw_probability"]), timezone.now())

    wish = FitSettings.of(report.settings)
    assert report.history_until is not None
    steps = list(QueueHistory(world.queue.pk, report.history_until).steps())
    expected = fit_report(
        "elo",
        wish.start.parameters,
        axes_for("elo", ["k", "draw_probability"]),
        lambda candidates, span: [loss_over("elo", one, steps, span, ageing=True) for one in candidates],
        fit_search.split_of(report, wish),
        rounds=6,
    )
    assert report.result == {"fit": {**expected, "period": "match"}}
    assert expected["parameters"]["k"] != 32.0
    assert expected["train"]["fitted"] < expected["train"]["start"]


def test_a_round_is_handed_out_when_the_one_before_it_is_in(world: World) -> None:
    some_history(world)
    report = fit(world)
    first = report.parts.get()

    report_runs.run_part(part_id=first.pk, clock=ticking(timezone.now()))

    waiting = report.parts.get(state=ReplayPart.State.WAITING)
    assert sorted(one["parameters"]["k"] for one in waiting.task.values()) == pytest.approx(
        [32.0 / 1.5, 32.0 * 1.5], rel=1e-4
    )
    row = report_row(queue_id=world.queue.pk, report_id=report.pk)
    assert (row.state, row.message) == ("running", "1 candidates measured")
    assert 0 < row.percent < 100


def test_nothing_is_measured_twice(world: World) -> None:
    some_history(world)
    report = work(fit(world, rounds=8), timezone.now())

    tasks = [str(one) for part in report.parts.all() for one in part.task.values()]

    assert len(tasks) == len(set(tasks)) < report.result["fit"]["candidates"] + 6
    assert set(report.parts.values_list("attempts", flat=True)) == {1}


def test_what_a_search_found_is_shown_beside_where_it_began(world: World) -> None:
    some_history(world, matches=80)
    report = work(fit(world), timezone.now())

    found = report_detail(queue_id=world.queue.pk, report_id=report.pk).fit
    rows = list(figures_as_rows(queue_id=world.queue.pk, report_id=report.pk))

    assert found is not None
    assert [one.name for one in found.changed] == ["k"]
    assert found.parameters["margin_cap"] == 4.0
    assert [(span.name, span.matches) for span in found.spans] == [("train", 40), ("held_out", 32), ("all", 72)]
    assert rows[1][:3] == ["elo start", "train", 40]
    assert rows[2][3] < rows[1][3]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"only": ["ks"]}, "bad_parameter"),
        ({"start": ModelChoice("x", "elo", {"k": 1e9})}, "bad_parameter"),
        ({"train": 0.05}, "bad_share"),
        ({"ignore_first": 1.5}, "bad_share"),
        ({"rounds": 0}, "bad_rounds"),
    ],
)
def test_what_cannot_be_searched_is_refused_at_once(world: World, wish: dict[str, object], code: str) -> None:
    some_history(world)

    with pytest.raises(DomainError) as refusal:
        fit(world, **wish)

    assert refusal.value.code == code
    assert not ReplayReport.objects.filter(kind="fit").exists()


def test_too_few_matches_to_search_on_are_refused_with_the_number(world: World) -> None:
    some_history(world, matches=20)

    with pytest.raises(DomainError, match="at least 50 rated matches; this queue has 20"):
        fit(world)


def test_an_engine_with_rating_periods_can_be_searched_with_them(world: World) -> None:
    some_history(world)

    weekly = work(fit(world, ModelChoice("weekly", "elo", period="week")), timezone.now())
    single = work(fit(world), timezone.now())

    assert weekly.result["fit"]["all"]["start"] != single.result["fit"]["all"]["start"]


def test_a_large_round_is_shared_out_among_workers(world: World) -> None:
    some_history(world)
    report = fit(world, only=[], rounds=1)
    report_runs.run_part(part_id=report.parts.get().pk, clock=ticking(timezone.now()))

    sizes = [len(part.task) for part in report.parts.filter(state=ReplayPart.State.WAITING)]

    assert len(sizes) > 1
    assert max(sizes) == fit_search.CANDIDATES_A_PART
    assert work(report, timezone.now()).state == "done"


def test_a_search_called_off_in_the_middle_of_a_round_stops(world: World) -> None:
    some_history(world)
    report = fit(world)
    report_runs.run_part(part_id=report.parts.get().pk, clock=ticking(timezone.now()))

    reports.cancel(report_id=report.pk, now=timezone.now())

    assert work(report, timezone.now()).state == "cancelled"
    assert report.parts.filter(state=ReplayPart.State.DONE).count() == 1
