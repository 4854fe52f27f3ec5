"""A replay in the demo's desk: what an organizer finds there who never asked for one."""

import time
from collections.abc import Callable
from datetime import datetime

from ladder.models import Player, Queue
from ladder.services import rating_models
from matchmaking.demo import cast
from ratings.models import ReplayReport
from ratings.services import report_runs

NOTE = "Everybody could compute it by hand. Would it predict as well?"


def ensure_report(queue: Queue, *, clock: Callable[[], datetime]) -> ReplayReport:
    """A finished replay of a draft beside the model in force; computed here and now, only once."""
    stored = ReplayReport.objects.filter(queue=queue, kind=ReplayReport.Kind.REPLAY).order_by("created_at").first()
    if stored is not None:
        return stored
    organizer = Player.objects.get(handle=cast.PEOPLE["organizer"])
    draft = rating_models.create_draft(
        queue=queue, actor=organizer, algorithm="elo", parameters={"k": 24.0}, note=NOTE, now=clock()
    )
    report = rating_models.replay_model(model=draft, actor=organizer, now=clock())
    return report_runs.run_report(report_id=report.pk, clock=clock, pause=lambda: time.sleep(0.5))
