"""Seasons: made, opened and closed by hand. Closed ones are read-only: what they hold are the final standings."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.live import tell_after_commit
from ladder.models import Club, Match, Player, Queue, Season, SeasonRules
from ladder.names import clean_address, clean_title
from ladder.selectors.access import require
from ladder.selectors.matches import ENDED_STATES
from ladder.services import audit
from ladder.services.periods import cut_short
from ratings.core.visible_rank import DEFAULT_RULES, RankRules
from ratings.errors import DomainError

LONGEST_NAME = 60


def create_season(
    *,
    club: Club,
    actor: Player,
    name: str,
    slug: str,
    queues: Sequence[Queue],
    starts_at: datetime,
    ends_at: datetime | None,
    now: datetime,
    rank_rules: RankRules | None = None,
) -> Season:
    """A draft season of these queues, [starts_at, ends_at) or without an announced end.

    Without rank rules of its own each queue goes on by those of its newest season, a new one by the standard rules.
    """
    name, slug = clean_title(name, LONGEST_NAME), clean_address(slug)
    if ends_at is not None and ends_at <= starts_at:
        raise DomainError("season_dates", _("A season ends after it starts."))
    if not queues or any(queue.club_id != club.pk for queue in queues):
        raise DomainError("season_queues", _("A season needs at least one queue of this club."))
    try:
        with transaction.atomic():
            require(club.pk, actor, Capability.MANAGE_SEASONS)
            season = Season.objects.create(club=club, slug=slug, name=name, created_at=now)
            so_far = _rank_rules_so_far(queues) if rank_rules is None else {}
            SeasonRules.objects.bulk_create(
                SeasonRules(
                    season=season,
                    queue=queue,
                    during=DateTimeTZRange(starts_at, ends_at),
                    rank_rules=so_far.get(queue.pk) or (rank_rules or DEFAULT_RULES).to_json(),
                )
                for queue in queues
            )
            audit.record(
                club=club, actor=actor, action="season.created", subject=season, detail={"name": name}, now=now
            )
    except IntegrityError as error:
        raise _refusal(error) from error
    return season


def add_queue(*, season: Season, queue: Queue, actor: Player, now: datetime) -> SeasonRules:
    """Let a further queue play a season that is not over, by the rank rules of its other queues, from now on."""
    try:
        with transaction.atomic():
            require(season.club_id, actor, Capability.MANAGE_SEASONS)
            locked = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
            if locked.state in (Season.State.CLOSING, Season.State.CLOSED) or queue.club_id != season.club_id:
                raise DomainError("season_closed", _("%(season)s is over.") % {"season": locked.name})
            other = locked.rules.order_by("id").first()
            rules = SeasonRules.objects.create(
                season=locked,
                queue=queue,
                during=DateTimeTZRange(now, other.during.upper if other else None),
                rank_rules=other.rank_rules if other else DEFAULT_RULES.to_json(),
            )
            audit.record(
                club=season.club_id,
                actor=actor,
                action="season.queue_added",
                subject=locked,
                detail={"queue": str(queue.pk)},
                now=now,
            )
    except IntegrityError as error:
        raise _refusal(error) from error
    return rules


def open_season(*, season: Season, actor: Player, now: datetime) -> Season:
    """Start play, early too. Refused while one of its queues still plays another season; done already: a no-op."""
    try:
        with transaction.atomic():
            require(season.club_id, actor, Capability.MANAGE_SEASONS)
            locked = _locked(season)
            if locked.state == Season.State.OPEN:
                return locked
            if locked.state not in (Season.State.DRAFT, Season.State.SCHEDULED):
                raise DomainError("season_closed", _("%(season)s is over.") % {"season": locked.name})
            _refuse_while_another_is_open(locked)
            for rules in locked.rules.order_by("id"):
                if now < rules.during.lower:
                    rules.during = DateTimeTZRange(now, rules.during.upper)
                    rules.save(update_fields=["during"])
            locked.state, locked.opened_at = Season.State.OPEN, now
            locked.save(update_fields=["state", "opened_at"])
            audit.record(club=season.club_id, actor=actor, action="season.opened", subject=locked, now=now)
            tell_after_commit("play", club=season.club_id)
    except IntegrityError as error:
        raise _refusal(error) from error
    return locked


def close_season(*, season: Season, actor: Player, now: datetime) -> Season:
    """End play. No further match is formed; the season is CLOSED at once when nothing is under way.

    A rating period that is under way ends now. While matches are played, reported or not yet rated the season stays
    CLOSING, and `finish_closing` closes it when the last of them has settled; the state of the season returned says
    which. A season that is over is left as it is.
    """
    with transaction.atomic():
        require(season.club_id, actor, Capability.MANAGE_SEASONS)
        locked = _locked(season)
        if locked.state in (Season.State.DRAFT, Season.State.SCHEDULED):
            raise DomainError("season_not_open", _("%(season)s has not been opened.") % {"season": locked.name})
        if locked.state == Season.State.OPEN:
            locked.state, locked.closing_at = Season.State.CLOSING, now
            locked.save(update_fields=["state", "closing_at"])
            audit.record(club=season.club_id, actor=actor, action="season.closing", subject=locked, now=now)
            tell_after_commit("play", club=season.club_id)
            cut_short(season=locked, now=now)
        _close_if_settled(locked, now=now)
    return locked


def finish_closing(*, now: datetime) -> int:
    """Close every closing season whose last match has settled; returns how many. The sweeper's door."""
    closed = 0
    for season in Season.objects.filter(state=Season.State.CLOSING):
        with transaction.atomic():
            locked = _locked(season)
            closed += locked.state == Season.State.CLOSING and _close_if_settled(locked, now=now)
    return closed


def under_way(season: Season) -> int:
    """How many matches of the season are not over, or over and not yet rated."""
    matches = Match.objects.filter(season=season)
    waiting = matches.filter(state=Match.State.COMPLETED, unrated_reason="", rated_at__isnull=True)
    return matches.exclude(state__in=ENDED_STATES).count() + waiting.count()


def _rank_rules_so_far(queues: Sequence[Queue]) -> dict[UUID, dict[str, Any]]:
    """By queue: the rank rules of its newest season, as they are stored."""
    newest = SeasonRules.objects.filter(queue__in=queues).order_by("queue_id", "-during").distinct("queue_id")
    return dict(newest.values_list("queue_id", "rank_rules"))


def _close_if_settled(season: Season, *, now: datetime) -> bool:
    if season.state != Season.State.CLOSING or under_way(season):
        return False
    for rules in season.rules.order_by("id"):
        end = max(now, rules.during.lower + timedelta(microseconds=1))
        if rules.during.upper is None or end < rules.during.upper:
            rules.during = DateTimeTZRange(rules.during.lower, end)
            rules.save(update_fields=["during"])
    season.state, season.closed_at = Season.State.CLOSED, now
    season.save(update_fields=["state", "closed_at"])
    audit.record(club=season.club_id, actor=None, action="season.closed", subject=season, now=now)
    tell_after_commit("board", club=season.club_id)
    return True


def _locked(season: Season) -> Season:
    """The season as it is now, locked, after its club (so that two openings of one club stand in line)."""
    Club.objects.select_for_update(no_key=True).get(pk=season.club_id)
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def _refuse_while_another_is_open(season: Season) -> None:
    busy = (
        SeasonRules.objects.filter(
            queue__in=season.rules.values("queue"), season__state__in=[Season.State.OPEN, Season.State.CLOSING]
        )
        .select_related("season", "queue")
        .first()
    )
    if busy is not None:
        raise DomainError(
            "season_open",
            _("%(queue)s still plays %(season)s. Close that first.")
            % {"queue": busy.queue.name, "season": busy.season.name},
        )


def _refusal(error: IntegrityError) -> DomainError:
    if "seasons_of_a_queue_never_overlap" in str(error):
        return DomainError("season_overlap", _("One of the queues has another season at that time."))
    return DomainError("slug_taken", _("Another season of this club has this address already."))
