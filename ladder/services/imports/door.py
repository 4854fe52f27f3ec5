"""The door of an import."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.history import BadLine, History, HistoryRow, ReadingRules, read
from ladder.core.permissions import Capability
from ladder.live import tell_after_commit
from ladder.models import Player, Queue, Season
from ladder.selectors.access import require
from ladder.services import audit
from ladder.services.imports.people import Directory, create_players
from ladder.services.imports.plan import Plan, make_plan
from ladder.services.imports.reports import ImportReport, Progress, Source
from ladder.services.imports.writing import write_matches
from ladder.services.matches import lock_players
from ratings.errors import DomainError


def import_matches(
    *,
    queue: Queue,
    actor: Player,
    sources: Sequence[Source],
    now: datetime,
    season: Season | None = None,
    dry_run: bool = False,
    skip_bad: bool = False,
    allow_repeats: bool = False,
    progress: Progress = lambda _done, _all: None,
) -> ImportReport:
    """Bring the matches of these files into the queue, rated in order; bad lines mean that nothing is written,
    unless they are to be skipped.

    Inside a file its own order counts, as days are too coarse to give one; several files are put in the order of
    their first day, so that it does not matter in which they are named. What an earlier import brought is passed over.
    A row older than a rated match of one of its players is a bad line: the ledger is never rewritten. Rows dated in
    no season go to the open one; rows of a closed season settle there unless its standings are final. Draws were
    played, whatever the queue's report form offers now.
    Raises DomainError when no season can take the rows or the queue has more than two sides.
    """
    if queue.teams != 2:
        raise DomainError("two_sides", _("Only queues of two sides can import a history."))
    histories = [_read(source, queue, allow_repeats=allow_repeats, now=now) for source in sources]
    rows, bad = _in_order(histories)
    with transaction.atomic():
        Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        require(queue.club_id, actor, Capability.IMPORT_MATCHES)
        directory = Directory.of(queue.club)
        members = directory.members_among(rows)
        lock_players(members)
        plan = make_plan(rows, queue=queue, season=season, directory=directory, members=members, now=now)
        bad = (*bad, *plan.bad)
        writes = bool(plan.matches) and not dry_run and (skip_bad or not bad)
        if writes:
            seated = {player for match in plan.matches for side in match.sides for player in side}
            new = {name: player for name, player in directory.new.items() if player in seated}
            create_players(club=queue.club, new=new, now=now)
            write_matches(plan.matches, queue=queue, actor=actor, answers=directory.answers, now=now, progress=progress)
            _record(plan, queue=queue, actor=actor, sources=sources, bad=bad, now=now)
    return ImportReport(
        written=not dry_run and (skip_bad or not bad),
        imported=len(plan.matches),
        known=plan.known,
        bad=tuple(sorted(bad, key=lambda entry: (entry.source, entry.line))),
        new_players=tuple(directory.new),
        seasons=dict(Counter(match.rules.season.name for match in plan.matches)),
        outside=plan.outside,
        draws=0 if queue.draws_allowed else sum(match.row.result.winner is None for match in plan.matches),
        out_of_order=sum(_steps_back(history.rows) for history in histories),
    )


def _read(source: Source, queue: Queue, *, allow_repeats: bool, now: datetime) -> History:
    rules = ReadingRules(
        today=now.astimezone(ZoneInfo(queue.club.time_zone)).date(),
        team_size=queue.team_size,
        allow_repeats=allow_repeats,
    )
    return read(source.name, source.content, rules)


def _in_order(histories: Sequence[History]) -> tuple[list[HistoryRow], tuple[BadLine, ...]]:
    """The rows of all files, the file with the earliest first day first; a row that two files hold is bad."""
    rows: list[HistoryRow] = []
    bad = [entry for history in histories for entry in history.bad]
    seen: dict[str, str] = {}
    for history in sorted(histories, key=lambda one: one.rows[0].day if one.rows else date.min):
        for row in history.rows:
            other = seen.setdefault(row.external_id, row.source)
            if other == row.source:
                rows.append(row)
            else:
                bad.append(BadLine(row.source, row.line, "same_in_other_file", {"other": other}))
    return rows, tuple(bad)


def _steps_back(rows: Sequence[HistoryRow]) -> int:
    return sum(later.day < earlier.day for earlier, later in pairwise(rows))


def _record(
    plan: Plan, *, queue: Queue, actor: Player, sources: Sequence[Source], bad: Sequence[BadLine], now: datetime
) -> None:
    audit.record(
        club=queue.club_id,
        actor=actor,
        action="matches.imported",
        subject=queue,
        detail={
            "files": [source.name for source in sources],
            "matches": len(plan.matches),
            "known": plan.known,
            "skipped": len(bad),
        },
        now=now,
    )
    tell_after_commit("board", club=queue.club_id)
