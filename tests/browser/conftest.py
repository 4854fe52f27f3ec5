"""A club with a queue and an open season, and nobody in it but its staff; committed for the live processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ladder.models import Club, Player, Queue

PASSWORD = "a fair game for all"


@dataclass
class Stage:
    """Where the browser tests play. Staff sign in with PASSWORD."""

    club: Club
    queue: Queue
    owner: Player
    moderator: Player
    invitation: str

    @property
    def play(self) -> str:
        """The address of the Play page."""
        return f"/c/{self.club.slug}/play/{self.queue.slug}/"


@pytest.fixture
def stage(live_db: None) -> Stage:
    """Harbour Table Tennis: owner otto, moderator maud, the queue Singles, the season Spring."""
    from django.utils import timezone

    from ladder.core.permissions import Role
    from ladder.models import Player
    from ladder.services import clubs, queues, seasons
    from matchmaking.services.policies import set_preset

    now = timezone.now()
    otto = Player.objects.create_user("otto", "otto@example.org", PASSWORD)
    maud = Player.objects.create_user("maud", "maud@example.org", PASSWORD)
    club = clubs.create_club(
        name="Harbour Table Tennis", slug="harbour", time_zone="Europe/Berlin", owner=otto, now=now
    )
    clubs.join_club(club=club, player=maud, self_assessment="club", now=now)
    clubs.set_role(club=club, actor=otto, player=maud, role=Role.MODERATOR, now=now)
    queue = queues.create_queue(
        club=club, actor=otto, name="Singles", slug="singles", game_name="Table tennis", now=now
    )
    set_preset(queue=queue, actor=otto, preset="quick", now=now)
    season = seasons.create_season(
        club=club,
        actor=otto,
        name="Spring",
        slug="spring",
        queues=[queue],
        starts_at=now - timedelta(days=30),
        ends_at=now + timedelta(days=40),
        now=now,
    )
    seasons.open_season(season=season, actor=otto, now=now)
    _invitation, token = clubs.create_invitation(club=club, actor=otto, note="friends", days=7, max_uses=50, now=now)
    return Stage(club=club, queue=queue, owner=otto, moderator=maud, invitation=f"/c/harbour/join/{token}/")
