"""Rated matches are taken back, or reinstated, by the staff: who may, what is on record, who is told.

The arithmetic and every number are the ledger's (`ratings.services.reversal`).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Match, MatchParticipant, Player, Season
from ladder.selectors.access import Access, require
from ladder.services import audit
from ladder.services.rating import tell
from ratings.errors import DomainError, NotAllowed, NotFound
from ratings.ids import new_id
from ratings.services import reversal
from ratings.services.reversal import Mode, Reversal

MOST_AT_ONCE = 2_000


def reverse(
    *,
    match_ids: Sequence[UUID],
    mode: Mode,
    reason: str,
    actor: Player,
    now: datetime,
    approver: Player | None = None,
) -> list[Reversal]:
    """Take matches of one club back: `refund` or `recompute`, see the ledger. One answer for each queue.

    A match stays on the record and counts for nobody. Those that are taken back already are passed over. Nobody acts
    on a match that they played in; where the club wants four eyes a second member of the staff, `approver`, stands
    by it. What moves in a closed season stands in the audit as a correction of that season.
    Raises DomainError ("no_reason", "too_many", "four_eyes", "not_rated"), NotAllowed or NotFound; nothing is changed
    then.
    """
    return _carry_out(
        match_ids,
        (actor, approver),
        "match.reversed",
        {"mode": mode, "reason": reason.strip()},
        now,
        lambda queue, keys: reversal.reverse(
            queue_id=queue, match_ids=keys, mode=mode, reason=reason, actor=actor.pk, now=now
        ),
    )


def reinstate(
    *, match_ids: Sequence[UUID], reason: str, actor: Player, now: datetime, approver: Player | None = None
) -> list[Reversal]:
    """Let matches count again; who may, what is recorded and what is refused as for `reverse`."""
    return _carry_out(
        match_ids,
        (actor, approver),
        "match.reinstated",
        {"reason": reason.strip()},
        now,
        lambda queue, keys: reversal.reinstate(queue_id=queue, match_ids=keys, reason=reason, actor=actor.pk, now=now),
    )


def preview(*, match_ids: Sequence[UUID], mode: Mode, actor: Player, now: datetime) -> list[Reversal]:
    """What `reverse` would do, for those who may do it; nothing is written or locked."""
    matches = _matches(match_ids, lock=False)
    _allowed(matches, actor)
    return [reversal.preview(queue_id=queue, match_ids=keys, mode=mode, now=now) for queue, keys in _by_queue(matches)]


def preview_reinstating(*, match_ids: Sequence[UUID], actor: Player, now: datetime) -> list[Reversal]:
    """What `reinstate` would do, for those who may do it."""
    matches = _matches(match_ids, lock=False)
    _allowed(matches, actor)
    return [reversal.preview_reinstating(queue_id=queue, match_ids=keys, now=now) for queue, keys in _by_queue(matches)]


def _carry_out(
    match_ids: Sequence[UUID],
    people: tuple[Player, Player | None],
    action: str,
    detail: dict[str, str],
    now: datetime,
    door: Callable[[UUID, list[UUID]], Reversal],
) -> list[Reversal]:
    actor, approver = people
    with transaction.atomic():
        matches = _matches(match_ids, lock=True)
        access = _allowed(matches, actor)
        if access.club.four_eyes:
            _second_pair(matches, actor, approver)
            detail = detail | {"approver": str(approver.pk) if approver else ""}
        done = []
        for queue, keys in _by_queue(matches):
            one = door(queue, keys)
            done.append(one)
            _record(one, access, actor, action, detail, now)
            if one.shifts:
                players = sorted({shift.player_id for shift in one.shifts})
                tell(queue, access.club.pk, players, key=f"{action} {new_id()}", now=now)
    return done


def _matches(match_ids: Sequence[UUID], *, lock: bool) -> list[Match]:
    """The matches, all of one club; locked in the order of their ids, before any rating."""
    wanted = sorted(set(match_ids))
    if len(wanted) > MOST_AT_ONCE:
        raise DomainError("too_many", _("At most %(most)d matches at once.") % {"most": MOST_AT_ONCE})
    rows = Match.objects.filter(pk__in=wanted).select_related("queue").order_by("pk")
    found = list(rows.select_for_update(no_key=True, of=("self",)) if lock else rows)
    if not found or len(found) < len(wanted) or len({match.queue.club_id for match in found}) > 1:
        raise NotFound("not_found", _("There is no such match."))
    return found


def _allowed(matches: Sequence[Match], actor: Player) -> Access:
    access = require(matches[0].queue.club_id, actor, Capability.REVERSE_MATCHES)
    if MatchParticipant.objects.filter(match__in=matches, player=actor).exists():
        raise NotAllowed("own_match", _("You play in one of these matches; another moderator decides it."))
    if any(match.rated_at is None for match in matches):
        raise DomainError("not_rated", _("A match that moved no rating cannot be taken back."))
    return access


def _second_pair(matches: Sequence[Match], actor: Player, approver: Player | None) -> None:
    if approver is None or approver.pk == actor.pk:
        raise DomainError("four_eyes", _("This club wants four eyes: a second moderator has to approve it."))
    _allowed(matches, approver)


def _by_queue(matches: Sequence[Match]) -> list[tuple[UUID, list[UUID]]]:
    ordered = sorted(matches, key=lambda match: (match.queue_id, match.completed_at, match.pk))
    return [(queue, [match.pk for match in group]) for queue, group in groupby(ordered, lambda match: match.queue_id)]


def _record(one: Reversal, access: Access, actor: Player, action: str, detail: dict[str, str], now: datetime) -> None:
    """Mark the matches, and write down the act and every closed season that it corrects."""
    moment = now if action == "match.reversed" else None
    Match.objects.filter(pk__in=one.matches).update(reversed_at=moment)
    for match_id in one.matches:
        told = {**detail, "players_moved": len(one.shifts)}
        audit.record(club=access.club, actor=actor, action=action, subject=Match(pk=match_id), detail=told, now=now)
    seasons = {shift.season_id for shift in one.shifts}
    for season in Season.objects.filter(pk__in=seasons, state=Season.State.CLOSED).order_by("pk"):
        moved = sum(1 for shift in one.shifts if shift.season_id == season.pk)
        told = {**detail, "players_moved": moved, "matches": [str(key) for key in one.matches]}
        audit.record(club=access.club, actor=actor, action="season.corrected", subject=season, detail=told, now=now)
