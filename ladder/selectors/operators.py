"""What an operator names on the command line."""

from django.utils.translation import gettext as _

from ladder.core.permissions import Role
from ladder.models import Club, Membership, Player, Queue, Season
from ladder.names import comparison_key
from ratings.errors import NotFound


def queue_named(name: str) -> Queue:
    """The queue `club/queue`, or `queue` where only one club has one of that address."""
    club_slug, _slash, queue_slug = name.rpartition("/")
    found = Queue.objects.filter(slug=queue_slug).select_related("club")
    if club_slug:
        found = found.filter(club__slug=club_slug)
    queues = list(found.order_by("club__slug")[:2])
    if not queues:
        raise NotFound("not_found", _("There is no queue %(name)s.") % {"name": name})
    if len(queues) > 1:
        raise NotFound("ambiguous", _("Several clubs have a queue %(name)s; write club/queue.") % {"name": name})
    return queues[0]


def season_named(queue: Queue, slug: str) -> Season:
    """A season of the queue's club by its address."""
    season = Season.objects.filter(club=queue.club_id, slug=slug).first()
    if season is None:
        raise NotFound("not_found", _("There is no season %(name)s.") % {"name": slug})
    return season


def player_named(handle: str) -> Player:
    """The player with this handle."""
    player = Player.objects.filter(handle_key=comparison_key(handle)).first()
    if player is None:
        raise NotFound("not_found", _("There is no player %(name)s; sign up first.") % {"name": handle})
    return player


def owner_of(club: Club, handle: str | None) -> Player:
    """The player named, or else the club's first owner: in whose name an operator acts."""
    if handle:
        return player_named(handle)
    owners = Membership.objects.filter(club=club, role=Role.OWNER.value, state=Membership.State.ACTIVE)
    return owners.select_related("player").order_by("joined_at", "id")[0].player
