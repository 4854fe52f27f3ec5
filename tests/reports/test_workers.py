"""Workers come and go: every part of a report is computed, and written once, whatever happens to them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.models import Match, MatchParticipant
from ladder.project.celery import app
from ratings.core.requests import ModelChoice
from ratings.models import ReplayPart, ReplayReport
from ratings.services import report_histories, report_parts, report_runs, reports
from ratings.services.ledger import apply_correction
from tests.harness.processes import eventually
from tests.harness.threads import run_together
from tests.ladder.world import World
from tests.reports.steps import ELO, WENG_LIN, some_history, ticking, work
from tests.reports.workers import worker

pytestmark = pytest.mark.service


def requested(world: World, *models: ModelChoice) -> ReplayReport:
    return reports.request_replay(
        queue_id=world.queue.pk, models=models or (ELO,), requested_by=None, now=timezone.now()
    )


def fresh(report: ReplayReport) -> ReplayReport:
    return ReplayReport.objects.get(pk=report.pk)


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_what_a_killed_worker_held_is_computed_by_another(shared_world: World) -> None:
    some_history(shared_world, matches=20)
    with transaction.atomic():
        with connection.cursor() as cursor:  # the worker gets as far as reading the history
            cursor.execute(f"LOCK TABLE {MatchParticipant._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        report = _request_in_a_connection_of_its_own(shared_world)
        with worker() as first:
            eventually(lambda: _state_seen_by_others(report) == "running", "the worker took the part", seconds=30)
            first.kill()

    part = report.parts.get()
    assert (part.state, part.attempts, fresh(report).state) == ("running", 1, "running")
    assert reports.resend(now=part.lease_until) == 0  # it might still be alive
    with worker():
        assert reports.resend(now=part.lease_until + timedelta(seconds=1)) == 1
        eventually(lambda: fresh(report).state == "done", "another worker finished it", seconds=30)
    assert report.parts.get().attempts == 2
    assert fresh(report).history_matches == 20


def _request_in_a_connection_of_its_own(world: World) -> ReplayReport:
    (report,) = run_together(lambda: requested(world))
    assert isinstance(report, ReplayReport), report
    return report


def _state_seen_by_others(report: ReplayReport) -> str:
    return str(report.parts.values_list("state", flat=True).get())


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_two_workers_with_the_same_part_write_it_once(shared_world: World) -> None:
    some_history(shared_world, matches=20)
    report = requested(shared_world)
    part = report.parts.get()

    outcomes = run_together(*[lambda: report_runs.run_part(part_id=part.pk, clock=timezone.now)] * 4)

    assert sorted(outcomes) == [False, False, False, True]
    assert (report.parts.get().attempts, fresh(report).state) == (1, "done")


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_parts_that_end_at_the_same_moment_are_assembled_once(shared_world: World) -> None:
    some_history(shared_world, matches=20)
    report = requested(shared_world, ELO, WENG_LIN)
    keys = list(report.parts.values_list("pk", flat=True))

    outcomes = run_together(*(lambda key=key: report_runs.run_part(part_id=key, clock=timezone.now) for key in keys))

    assert outcomes == [True, True]
    assert [one["label"] for one in fresh(report).result["models"]] == ["elo", "weng_lin"]


@pytest.mark.django_db
def test_a_worker_that_was_thought_dead_cannot_write_any_more(world: World) -> None:
    report = requested(world)
    part, now = report.parts.get(), timezone.now()
    slow = report_parts.claim(part.pk, now)
    assert slow is not None

    reports.resend(now=now + 2 * report_parts.LEASE)
    quick = report_parts.claim(part.pk, now + 2 * report_parts.LEASE)

    assert quick is not None
    with pytest.raises(report_parts.LostPart):
        report_parts.go_on(slow, 5, now)
    with pytest.raises(report_parts.LostPart):
        report_parts.finish(slow, {"loss": 1.0}, "", _never, now)
    assert report.parts.get().result == {}


def _never(_report: ReplayReport, _now: datetime) -> None:
    raise AssertionError("nothing was handed in")


@pytest.mark.django_db
def test_a_part_whose_message_was_lost_is_sent_again_and_once_only(world: World) -> None:
    report = requested(world, ELO, WENG_LIN)
    later = timezone.now() + report_parts.RESEND_AFTER + timedelta(seconds=1)

    assert reports.resend(now=timezone.now()) == 0
    assert reports.resend(now=later) == 2
    assert reports.resend(now=later) == 0
    assert work(report, later).state == "done"
    assert reports.resend(now=later + timedelta(days=1)) == 0


@pytest.mark.django_db
def test_a_part_that_kills_every_worker_ends_the_report_with_a_sentence(world: World) -> None:
    report = requested(world, ELO, WENG_LIN)
    part, now = report.parts.order_by("position")[0], timezone.now()
    for _attempt in range(report_parts.MOST_ATTEMPTS):
        assert report_parts.claim(part.pk, now) is not None
        now += 2 * report_parts.LEASE
        reports.resend(now=now)

    assert report_parts.claim(part.pk, now) is None

    ended = fresh(report)
    assert (ended.state, ended.finished_at) == ("failed", now)
    assert ended.error == "Its workers ended again and again, perhaps for want of memory."
    assert set(report.parts.values_list("state", flat=True)) == {"cancelled"}


@pytest.mark.django_db
def test_called_off_work_stops_at_its_next_step_and_stays_called_off(world: World) -> None:
    some_history(world, matches=20)
    report = requested(world)
    hold = report_parts.claim(report.parts.get().pk, timezone.now())
    assert hold is not None

    reports.cancel(report_id=report.pk, now=timezone.now())

    with pytest.raises(report_parts.LostPart):
        report_parts.go_on(hold, 10, timezone.now())
    assert report_runs.run_part(part_id=hold.part_id, clock=timezone.now) is False
    assert fresh(report).state == "cancelled"
    again = reports.cancel(report_id=report.pk, now=timezone.now() + timedelta(hours=1))
    assert again.finished_at == fresh(report).finished_at


@pytest.mark.django_db
def test_a_finished_report_cannot_be_called_off(world: World) -> None:
    report = work(requested(world), timezone.now())

    assert reports.cancel(report_id=report.pk, now=timezone.now()).state == "done"


@pytest.mark.django_db
def test_what_an_engine_refuses_ends_the_report_in_its_words(world: World) -> None:
    some_history(world, matches=20)
    report = requested(world)
    ReplayPart.objects.filter(report=report).update(task={**report.parts.get().task, "parameters": {"k": -5.0}})

    report_runs.run_part(part_id=report.parts.get().pk, clock=timezone.now)

    assert fresh(report).state == "failed"
    assert fresh(report).error.startswith("k: must be between")


@pytest.mark.django_db
def test_a_fault_of_ours_is_logged_and_told_in_general_words(world: World, caplog: pytest.LogCaptureFixture) -> None:
    report = requested(world)
    ReplayPart.objects.filter(report=report).update(task={"label": "elo"})

    report_runs.run_part(part_id=report.parts.get().pk, clock=timezone.now)

    assert fresh(report).error == "Something went wrong inside; the worker's log says what."
    assert f"of report {report.pk}" in caplog.text


@pytest.mark.django_db
def test_when_a_match_is_taken_back_in_between_all_models_begin_anew(world: World) -> None:
    some_history(world, matches=20)
    report = requested(world, ELO, WENG_LIN)
    _run_first_waiting(report, timezone.now())
    Match.objects.filter(pk=Match.objects.order_by("completed_at")[0].pk).update(unrated_reason="voided")
    _run_first_waiting(report, timezone.now())
    between = fresh(report)

    done = work(report, timezone.now())

    assert (between.state, between.history_matches, between.progress_done) == ("running", 19, 0)
    assert done.state == "done"
    assert [model["newcomers"]["matches"] for model in done.result["models"]] == [18, 18]
    assert set(report.parts.values_list("result__matches", flat=True)) == {19}


@pytest.mark.django_db
def test_a_history_that_never_rests_ends_the_report_with_a_sentence(world: World) -> None:
    some_history(world, matches=20)
    report = requested(world, ELO, WENG_LIN)
    matches = list(Match.objects.order_by("completed_at").values_list("pk", flat=True))
    for key in matches[: report_parts.MOST_RESTARTS + 1]:
        _run_first_waiting(report, timezone.now())
        Match.objects.filter(pk=key).update(unrated_reason="voided")
        _run_first_waiting(report, timezone.now())

    assert (fresh(report).state, fresh(report).error[:24]) == ("failed", "The queue's history chan")


def _run_first_waiting(report: ReplayReport, now: datetime) -> None:
    report_histories.forget()  # every part in a worker of its own
    part = report.parts.filter(state="waiting").order_by("position")[0]
    report_runs.run_part(part_id=part.pk, clock=ticking(now))


@pytest.mark.django_db
def test_a_correction_is_part_of_what_two_histories_differ_in(world: World) -> None:
    some_history(world, matches=20)
    before = work(requested(world), timezone.now())
    apply_correction(
        player_id=world.dave.pk,
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=120.0,
        reason="plays elsewhere",
        actor=world.otto.pk,
        now=timezone.now(),
    )
    after = work(requested(world), timezone.now())

    def rating(report: ReplayReport) -> float:
        return next(row[1] for row in report.parts.get().result["standings"] if row[0] == str(world.dave.pk))

    assert before.history_digest != after.history_digest
    assert rating(after) - rating(before) == pytest.approx(120.0)


@pytest.mark.django_db
def test_parts_in_one_worker_read_the_history_once(world: World) -> None:
    some_history(world, matches=20)
    report = requested(world, ELO, WENG_LIN, ModelChoice("fast", "elo", {"k": 60.0}))

    with CaptureQueriesContext(connection) as captured:
        work(report, timezone.now())

    walks = [query["sql"] for query in captured.captured_queries if 'FROM "ladder_matchparticipant"' in query["sql"]]
    assert len(walks) == 1


def test_parts_have_a_queue_of_their_own_and_the_sweeper_has_not() -> None:
    routed = app.amqp.router.route({}, report_parts.RUN_PART)

    assert routed["queue"].name == "reports"
    assert app.amqp.router.route({}, "ratings.tasks.resend_parts")["queue"].name == "celery"
