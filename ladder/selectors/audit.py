"""The audit list of a club: what was asked for in plain words, turned into filters; the acts; what waits for rating."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from ladder.core.cursors import pack, unpack
from ladder.models import AuditEntry, Match, Membership, Player, Queue, Season
from ladder.selectors.access import Access
from ladder.selectors.unrated import RunningPeriod, UnratedMatch, running_periods, unrated_matches, unrated_sentence
from ratings.models import RatingEvent
from ratings.selectors import AuditFilters, AuditPage, events_for_audit

PAGE = 50
NOT_COUNTED = 50


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer: (value, label) pairs."""

    queues: tuple[tuple[str, str], ...]
    seasons: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]


def choices(access: Access) -> Choices:
    """The club's queues and seasons, and the kinds of rating events; two queries."""
    queues = Queue.objects.filter(club=access.club).order_by("created_at", "id").values_list("slug", "name")
    seasons = Season.objects.filter(club=access.club).order_by("-created_at", "-id").values_list("slug", "name")
    kinds = ((str(value), str(label)) for value, label in RatingEvent.Kind.choices)
    return Choices(queues=tuple(queues), seasons=tuple(seasons), kinds=tuple(kinds))


def person_id(access: Access, handle: str) -> UUID | None:
    """Somebody who is or was a member, or who acted here, by handle; None for anybody else."""
    person = Player.objects.filter(handle=handle).values_list("pk", flat=True).first()
    if person is None:
        return None
    is_known = (
        Membership.objects.filter(club=access.club, player=person).exists()
        or AuditEntry.objects.filter(club=access.club, actor=person).exists()
    )
    return person if is_known else None


def filters(access: Access, wish: Mapping[str, Any]) -> AuditFilters:
    """The cleaned wish of an AuditForm as filters of the ledger; what is empty leaves open."""
    queue = Queue.objects.filter(club=access.club, slug=wish["queue"]).first() if wish.get("queue") else None
    season = Season.objects.filter(club=access.club, slug=wish["season"]).first() if wish.get("season") else None
    return AuditFilters(
        club_id=access.club.pk,
        player_id=wish.get("player"),
        queue_id=queue.pk if queue else None,
        season_id=season.pk if season else None,
        kinds=tuple(wish.get("kinds") or ()),
        actor_id=wish.get("actor"),
        match_id=wish.get("match"),
        since=wish.get("since"),
        until=wish.get("until"),
    )


def events(access: Access, wish: Mapping[str, Any], *, after: str) -> AuditPage:
    """A page of rating events that fit the wish."""
    return events_for_audit(filters(access, wish), after=after)


@dataclass(frozen=True, slots=True)
class ActRow:
    """Something that somebody did in the club."""

    id: UUID
    created_at: datetime
    actor: str
    action: str
    words: str
    subject: str
    detail: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ActPage:
    """A page of acts; next: the cursor of the following page, empty at the end."""

    rows: tuple[ActRow, ...]
    next: str


def acts(access: Access, wish: Mapping[str, Any], *, after: str) -> ActPage:
    """The newest acts that fit the wish (actor, action, since, until), from behind the cursor; two queries."""
    rows = AuditEntry.objects.filter(club=access.club).select_related("actor").order_by("-created_at", "-id")
    wanted = {
        "actor_id": wish.get("actor"),
        "action": wish.get("action") or None,
        "created_at__gte": wish.get("since"),
        "created_at__lt": wish.get("until"),
    }
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    cursor = _read_cursor(after)
    if cursor is not None:
        at, key = cursor
        rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=key), created_at__lte=at)
    found = list(rows[: PAGE + 1])
    shown = found[:PAGE]
    names = _names(shown)
    following = pack((shown[-1].created_at.isoformat(), str(shown[-1].pk))) if len(found) > PAGE else ""
    return ActPage(tuple(_act(entry, names) for entry in shown), following)


def actions(access: Access) -> list[str]:
    """The codes of the acts that the club's trail holds."""
    codes = AuditEntry.objects.filter(club=access.club).order_by("action").values_list("action", flat=True).distinct()
    return list(codes)


def _read_cursor(word: str) -> tuple[datetime, UUID] | None:
    values = unpack(word, (str, str))
    try:
        at, key = (datetime.fromisoformat(str(values[0])), UUID(str(values[1]))) if values else (None, None)
    except ValueError:
        return None
    return (at, key) if at is not None and key is not None and at.tzinfo else None


def _names(entries: list[AuditEntry]) -> dict[str, str]:
    """Handles for the people whose ids the details hold; one query."""
    ids = {str(entry.detail.get("player", "")) for entry in entries} - {""}
    valid = [value for value in ids if _is_uuid(value)]
    return {str(pk): handle for pk, handle in Player.objects.filter(pk__in=valid).values_list("pk", "handle")}


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _act(entry: AuditEntry, names: Mapping[str, str]) -> ActRow:
    detail = tuple((name, names.get(str(value), _plain(value))) for name, value in entry.detail.items())
    return ActRow(
        id=entry.pk,
        created_at=entry.created_at,
        actor=entry.actor.name if entry.actor else "",
        action=entry.action,
        words=act_words(entry.action),
        subject=entry.subject_id if entry.subject_type == "match" else "",
        detail=detail,
    )


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_plain(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    return "" if value is None else str(value)


def act_words(action: str) -> str:
    """An act in words; an unknown code speaks for itself."""
    return {
        "club.created": _("founded the club"),
        "club.settings": _("changed the club's settings"),
        "club.self_assessments": _("changed the answers at the door"),
        "membership.joined": _("joined the club"),
        "membership.left": _("left the club"),
        "membership.ended": _("ended a membership"),
        "membership.banned": _("banned a member"),
        "membership.ban_lifted": _("lifted a ban"),
        "role.set": _("set a role"),
        "invitation.created": _("made an invitation link"),
        "invitation.revoked": _("revoked an invitation link"),
        "queue.created": _("created a queue"),
        "queue.state": _("opened or closed a queue"),
        "queue.newcomers": _("set where newcomers start"),
        "queue.stomp_margin": _("set what counts as one-sided"),
        "season.created": _("created a season"),
        "season.queue_added": _("added a queue to a season"),
        "season.opened": _("opened a season"),
        "season.closing": _("began to close a season"),
        "season.closed": _("closed a season"),
        "match.decided": _("decided a match"),
        "match.cancelled": _("called off a match"),
        "match.voided": _("declared a match void"),
        "matches.imported": _("imported matches"),
        "model.drafted": _("drafted a rating model"),
        "model.edited": _("changed a draft of a rating model"),
        "model.discarded": _("threw away a draft of a rating model"),
        "model.approved": _("approved a rating model"),
        "model.in_force": _("put a rating model in force"),
        "replay.requested": _("asked for a replay of the history"),
        "fit.requested": _("asked for a search of parameters"),
        "report.cancelled": _("called off a replay or a search"),
    }.get(action, action)


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A completed match that will not be rated, and why."""

    match: Match
    sentence: str


def waiting(access: Access, *, now: datetime) -> list[UnratedMatch]:
    """Agreed matches whose rating is due, the oldest first, with the reason for each."""
    return unrated_matches(now=now, club_id=access.club.pk, limit=PAGE)


def periods(access: Access, *, now: datetime) -> list[RunningPeriod]:
    """How many agreed matches wait for the end of their rating period, by queue."""
    return running_periods(now=now, club_id=access.club.pk)


def not_counted(access: Access) -> list[NotCounted]:
    """The latest completed matches that are not to be rated, with the reason for each."""
    rows = (
        Match.objects.filter(queue__club=access.club, state=Match.State.COMPLETED)
        .exclude(unrated_reason="")
        .select_related("queue")
        .order_by("-completed_at", "-id")[:NOT_COUNTED]
    )
    return [NotCounted(match, unrated_sentence(match.unrated_reason)) for match in rows]
