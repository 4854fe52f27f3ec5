"""The parts of a report in the hands of workers: taken under a lease, told of, written once, taken up again.

A worker takes a part for a while (`claim`), renews that with every piece of work (`go_on`) and hands in what it found
(`finish`). Every write names the number of the start that it belongs to, so that a worker that was thought dead can
neither write nor hold anything up. What a lost worker or a lost message leaves behind is sent again by `resend`.
Locks are taken in one order: the report, then its parts.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from ratings.errors import NotFound
from ratings.models import ReplayPart, ReplayReport
from ratings.selectors.replay_history import history_size

RUN_PART = "ratings.tasks.run_part"
LEASE = timedelta(minutes=2)
RESEND_AFTER = timedelta(minutes=2)
MOST_ATTEMPTS = 5
MOST_RESTARTS = 3
OPEN_REPORTS = (ReplayReport.State.WAITING, ReplayReport.State.RUNNING)
OPEN_PARTS = (ReplayPart.State.WAITING, ReplayPart.State.RUNNING)

Assemble = Callable[[ReplayReport, datetime], None]


class LostPart(Exception):
    """The part is no longer ours: called off, or somebody else has it. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A part in a worker's hand; `attempt` is the start that it stands for."""

    part_id: UUID
    attempt: int
    task: Mapping[str, Any]
    report: ReplayReport


def add_parts(report: ReplayReport, parts: Iterable[tuple[str, Mapping[str, Any]]], now: datetime) -> None:
    """New parts of a report (key and task), handed to the workers after commit. Inside the caller's transaction."""
    first = ReplayPart.objects.filter(report=report).count()
    made = ReplayPart.objects.bulk_create(
        ReplayPart(report=report, key=key, position=first + number, task=dict(task), lease_until=now + RESEND_AFTER)
        for number, (key, task) in enumerate(parts)
    )
    for part in made:
        _send_after_commit(part.pk)


def claim(part_id: UUID, now: datetime) -> Hold | None:
    """Take a part that waits; None when there is nothing to do."""
    report_id = ReplayPart.objects.filter(pk=part_id).values_list("report_id", flat=True).first()
    if report_id is None:
        return None
    with transaction.atomic():
        report = _locked_report(report_id)
        part = ReplayPart.objects.select_for_update().filter(pk=part_id, state=ReplayPart.State.WAITING).first()
        if report.state not in OPEN_REPORTS or part is None:
            return None
        if part.attempts >= MOST_ATTEMPTS:
            fail(report_id, _("Its workers ended again and again, perhaps for want of memory."), now)
            return None
        part.state, part.attempts, part.lease_until = ReplayPart.State.RUNNING, part.attempts + 1, now + LEASE
        part.save(update_fields=["state", "attempts", "lease_until"])
        if report.state == ReplayReport.State.WAITING:
            report.state, report.started_at = ReplayReport.State.RUNNING, now
            report.save(update_fields=["state", "started_at"])
    return Hold(part.pk, part.attempts, part.task, report)


def go_on(hold: Hold, progress: int, now: datetime) -> None:
    """Renew the lease and tell how much is done (matches of a replay, candidates of a fit). Raises LostPart."""
    held = ReplayPart.objects.filter(pk=hold.part_id, state=ReplayPart.State.RUNNING, attempts=hold.attempt)
    if not held.update(progress_done=progress, lease_until=now + LEASE):
        raise LostPart
    told = ReplayPart.objects.filter(report=hold.report).aggregate(done=Sum("progress_done"))
    ReplayReport.objects.filter(pk=hold.report.pk).update(progress_done=told["done"] or 0)


def finish(hold: Hold, result: Mapping[str, Any], digest: str, assemble: Assemble, now: datetime) -> None:
    """Hand in what a part found; who hands in the last one also assembles, in the same transaction.

    digest: of the history that was read, empty when it was not read whole. Parts that read different histories (a
    match was taken back in between) cannot stand side by side: then all begin anew. Raises LostPart.
    """
    with transaction.atomic():
        report = _locked_report(hold.report.pk)
        held = ReplayPart.objects.filter(pk=hold.part_id, state=ReplayPart.State.RUNNING, attempts=hold.attempt)
        if report.state != ReplayReport.State.RUNNING or not held.update(state=ReplayPart.State.DONE, result=result):
            raise LostPart
        if digest and report.history_digest and digest != report.history_digest:
            _restart(report, now)
            return
        report.history_digest = digest or report.history_digest
        report.save(update_fields=["history_digest"])
        if not ReplayPart.objects.filter(report=report, state__in=OPEN_PARTS).exists():
            assemble(report, now)


def complete(report: ReplayReport, result: Mapping[str, Any], now: datetime) -> None:
    """Write a report's result, once. Inside the transaction that holds its lock."""
    report.state, report.finished_at = ReplayReport.State.DONE, now
    report.result, report.message = dict(result), ""
    report.progress_done = report.progress_total
    report.save()


def fail(report_id: UUID, sentence: str, now: datetime) -> None:
    """End a report with a sentence for people that says why."""
    _end(report_id, ReplayReport.State.FAILED, sentence, now)


def cancel(report_id: UUID, now: datetime) -> ReplayReport:
    """Call a report off; what is being computed stops at its next step. When it is over already, a no-op."""
    return _end(report_id, ReplayReport.State.CANCELLED, "", now)


def resend(now: datetime, limit: int = 200) -> int:
    """Send again what waits unheard and what a lost worker held; returns how many."""
    with transaction.atomic():
        lost = ReplayPart.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            state__in=OPEN_PARTS, lease_until__lt=now, report__state__in=OPEN_REPORTS
        )
        keys = [part.pk for part in lost.order_by("lease_until")[:limit]]
        ReplayPart.objects.filter(pk__in=keys).update(
            state=ReplayPart.State.WAITING, lease_until=now + RESEND_AFTER, progress_done=0
        )
        for key in keys:
            _send_after_commit(key)
    return len(keys)


def _end(report_id: UUID, state: ReplayReport.State, sentence: str, now: datetime) -> ReplayReport:
    with transaction.atomic():
        report = _locked_report(report_id)
        if report.state in OPEN_REPORTS:
            report.state, report.finished_at, report.error, report.message = state, now, sentence[:300], ""
            report.save(update_fields=["state", "finished_at", "error", "message"])
            parts = ReplayPart.objects.filter(report=report, state__in=OPEN_PARTS)
            parts.update(state=ReplayPart.State.CANCELLED)
    return report


def _restart(report: ReplayReport, now: datetime) -> None:
    """All parts anew, over the history as it is now; too often, and the report ends."""
    restarts = int(report.result.get("restarts", 0)) + 1
    if restarts > MOST_RESTARTS:
        fail(report.pk, _("The queue's history changed again and again while it was read. Please try again."), now)
        return
    parts = ReplayPart.objects.filter(report=report)
    tasks = list(parts.order_by("position").values_list("key", "task"))
    parts.delete()
    assert report.history_until is not None
    report.history_matches = history_size(queue_id=report.queue_id, until=report.history_until)
    report.history_digest, report.result = "", {"restarts": restarts}
    report.progress_done = 0
    report.save()
    add_parts(report, tasks, now)


def _locked_report(report_id: UUID) -> ReplayReport:
    report = ReplayReport.objects.select_for_update().filter(pk=report_id).first()
    if report is None:
        raise NotFound("no_such_report", _("There is no such report."))
    return report


def _send_after_commit(part_id: UUID) -> None:
    """Ask a worker to compute a part once the present transaction is committed; a lost request is sent again."""
    transaction.on_commit(lambda: _send(part_id), robust=True)


def _send(part_id: UUID) -> None:
    # The app by its setting: in a web process's threads Celery's "current app" is one without our broker.
    import_string(settings.BACKGROUND_APP).send_task(RUN_PART, kwargs={"part_id": str(part_id)})
