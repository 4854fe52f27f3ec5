"""Queues: what a club plays and rates."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.live import tell_after_commit
from ladder.models import Club, Game, Player, Queue
from ladder.names import clean_address, clean_title
from ladder.selectors.access import require
from ladder.services import audit
from ratings.errors import DomainError
from ratings.services.models import ensure_first_model

LONGEST_NAME = 60
MOST_MARGIN = 30_000


def create_queue(
    *,
    club: Club,
    actor: Player,
    name: str,
    slug: str,
    game_name: str,
    now: datetime,
    teams: int = 2,
    team_size: int = 1,
    is_ranked: bool = True,
    draws_allowed: bool = False,
    accept_seconds: int = 20,
    confirm_seconds: int = 24 * 3600,
) -> Queue:
    """A new queue with its first rating model (the shipped preset). It can be played once a season includes it."""
    name, slug, game_name = clean_title(name, LONGEST_NAME), clean_address(slug), clean_title(game_name, LONGEST_NAME)
    if not 2 <= teams <= 16 or not 1 <= team_size <= 8:
        raise DomainError("queue_sizes", _("A queue has 2 to 16 sides of 1 to 8 players."))
    if not 5 <= accept_seconds <= 300 or not 60 <= confirm_seconds <= 14 * 24 * 3600:
        raise DomainError("queue_times", _("Players accept within 5 to 300 seconds, and confirm within 14 days."))
    try:
        with transaction.atomic():
            require(club.pk, actor, Capability.MANAGE_QUEUES)
            game, _made = Game.objects.get_or_create(club=club, name=game_name)
            queue = Queue.objects.create(
                club=club,
                game=game,
                slug=slug,
                name=name,
                mode="v".join([str(team_size)] * teams),
                teams=teams,
                team_size=team_size,
                is_ranked=is_ranked,
                draws_allowed=draws_allowed,
                accept_seconds=accept_seconds,
                confirm_seconds=confirm_seconds,
                created_at=now,
            )
            ensure_first_model(queue_id=queue.pk, now=now)
            audit.record(club=club, actor=actor, action="queue.created", subject=queue, detail={"name": name}, now=now)
    except IntegrityError as error:
        raise DomainError("slug_taken", _("Another queue of this club has this address already.")) from error
    return queue


def set_state(*, queue: Queue, actor: Player, state: Queue.State, now: datetime) -> Queue:
    """Open or close a queue. Closing keeps people from joining; matches under way go on."""
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_QUEUES)
        locked = Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        if locked.state != state:
            locked.state = state
            locked.save(update_fields=["state"])
            audit.record(
                club=queue.club_id,
                actor=actor,
                action="queue.state",
                subject=locked,
                detail={"state": str(state)},
                now=now,
            )
            tell_after_commit("play", club=queue.club_id)
    return locked


def set_stomp_margin(*, queue: Queue, actor: Player, margin: int | None, now: datetime) -> Queue:
    """From which difference of the scores on a match of two sides counts as one-sided; None where nothing does.

    It only counts games on the fairness page: no rating and no rank depends on it.
    """
    if margin is not None and not 1 <= margin <= MOST_MARGIN:
        raise DomainError(
            "stomp_margin", _("The margin is a difference of scores, 1 to %(most)d.") % {"most": MOST_MARGIN}
        )
    with transaction.atomic():
        require(queue.club_id, actor, Capability.MANAGE_QUEUES)
        locked = Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)
        if locked.stomp_margin != margin:
            detail = {"before": locked.stomp_margin, "after": margin}
            locked.stomp_margin = margin
            locked.save(update_fields=["stomp_margin"])
            audit.record(
                club=queue.club_id, actor=actor, action="queue.stomp_margin", subject=locked, detail=detail, now=now
            )
    return locked
