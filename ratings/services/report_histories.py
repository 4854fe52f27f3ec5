"""The history that a report's parts read: kept in the worker between the parts of one report while it is small."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from uuid import UUID

from ratings.core.periods import MATCH
from ratings.core.replay_steps import Step
from ratings.models import ReplayReport
from ratings.selectors.queues import club_zone
from ratings.selectors.replay_history import QueueHistory

KEPT_MATCHES = 100_000  # some 30 MB
STEP = 2_000  # a candidate of a search stops reading at its last match, so small pieces waste little


@dataclass(frozen=True, slots=True)
class Reading:
    """A report's history. kept: its steps where it is small; else every walk reads anew.

    `history.digest` is empty until a whole walk was made.
    """

    history: QueueHistory
    kept: tuple[Step, ...] | None

    def steps(self) -> Iterable[Step]:
        """A walk."""
        return self.history.steps(STEP) if self.kept is None else self.kept


def history_of(report: ReplayReport, period: str) -> Reading:
    """What a model with this rating period reads for the report."""
    assert report.history_until is not None
    zone = zone_for(report.queue_id, period)
    if (report.history_matches or 0) > KEPT_MATCHES:
        return Reading(QueueHistory(report.queue_id, report.history_until, zone), None)
    return _kept(report.pk, int(report.result.get("restarts", 0)), report.queue_id, report.history_until, zone)


def zone_for(queue_id: UUID, period: str) -> tzinfo:
    """Rating periods are weeks and months by the club's clocks; otherwise days are all of one length."""
    return UTC if period == MATCH else club_zone(queue_id)


def forget() -> None:
    """Give the memory back: the report is done."""
    _kept.cache_clear()


@lru_cache(maxsize=2)  # one by the club's clocks, one by even days
def _kept(_report: UUID, _restarts: int, queue_id: UUID, until: datetime, zone: tzinfo) -> Reading:
    history = QueueHistory(queue_id, until, zone)
    return Reading(history, tuple(history.steps(STEP)))
