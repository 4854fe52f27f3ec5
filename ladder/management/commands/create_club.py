"""manage.py create_club: start a club from nothing."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from ladder.names import LONGEST_ADDRESS
from ladder.selectors.operators import player_named
from ladder.services import clubs, queues, seasons
from ratings.errors import DomainError


class Command(BaseCommand):
    """A club with its owner, a 1v1 queue and an open season."""

    help = "Create a club with a 1v1 queue and an open season. The owner signs up first, or by createsuperuser."

    def add_arguments(self, parser: CommandParser) -> None:
        """The arguments."""
        parser.add_argument("--name", required=True)
        parser.add_argument("--slug", help="The club's address; made from the name if not given.")
        parser.add_argument("--owner", required=True, metavar="HANDLE")
        parser.add_argument("--queue", default="1v1", metavar="NAME", help="The queue's name.")
        parser.add_argument("--game", default="Game", metavar="NAME", help="What is played.")
        parser.add_argument("--season", default="First season", metavar="NAME")
        parser.add_argument("--time-zone", default="UTC")
        parser.add_argument("--draws", action="store_true", help="The game has draws.")
        parser.add_argument("--public", action="store_true", help="Everybody may see ladders, players and matches.")
        parser.add_argument("--invitation-only", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Create all of it, or nothing."""
        now = timezone.now()
        slug = options["slug"] or slugify(options["name"])[:LONGEST_ADDRESS]
        if not slug:
            raise CommandError("This name has no Latin letters to make an address from: please add --slug ADDRESS.")
        try:
            owner = player_named(options["owner"])
            with transaction.atomic():
                club = clubs.create_club(
                    name=options["name"],
                    slug=slug,
                    time_zone=options["time_zone"],
                    owner=owner,
                    is_public=options["public"],
                    is_open_to_join=not options["invitation_only"],
                    now=now,
                )
                queue = queues.create_queue(
                    club=club,
                    actor=owner,
                    name=options["queue"],
                    slug=slugify(options["queue"])[:LONGEST_ADDRESS] or "queue",
                    game_name=options["game"],
                    draws_allowed=options["draws"],
                    now=now,
                )
                season = seasons.create_season(
                    club=club,
                    actor=owner,
                    name=options["season"],
                    slug=slugify(options["season"])[:LONGEST_ADDRESS] or "season",
                    queues=[queue],
                    starts_at=now,
                    ends_at=None,
                    now=now,
                )
                seasons.open_season(season=season, actor=owner, now=now)
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"Club {club.name} at /c/{club.slug}/ with queue {club.slug}/{queue.slug}.")
        self.stdout.write(f"Season {season.name} is open.")
