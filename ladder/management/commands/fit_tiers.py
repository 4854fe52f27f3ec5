"""manage.py fit_tiers: propose where a queue's tiers should begin."""

import json
from argparse import ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ladder.models import Queue
from ladder.selectors.operators import queue_named
from ladder.selectors.tier_ratings import LEAST_GAMES, newest_rules, require_enough, tier_ratings
from ratings.core.fit_tiers import FEWEST, TierShare, fit_tiers, shares_of, spread_over
from ratings.core.problems import RatingInputError
from ratings.core.rank_rules import DIVISION, RankRules
from ratings.errors import DomainError


class Command(BaseCommand):
    """Prints a table of tiers beside what it would hold; changes nothing."""

    help = (
        "Propose where the tiers of a queue should begin, so that each holds a stated share of its players. It goes by "
        "the present ratings of the members who have played enough. The desk's tier table takes the numbers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The arguments."""
        parser.add_argument(
            "--queue", required=True, metavar="CLUB/QUEUE", help="Or QUEUE alone if it is the only one."
        )
        parser.add_argument(
            "--shares",
            type=shares,
            metavar="TIER[:DIVISIONS]=PERCENT,...",
            help="From the bottom up, such as Bronze:3=30,Silver:3=45,Gold:3=23,Master=2; as the present table has "
            "tiers and a bell of shares if not given. The last tier has no divisions.",
        )
        parser.add_argument(
            "--least-games", type=int, default=LEAST_GAMES, metavar="N", help="Rated matches that are enough."
        )
        parser.add_argument("--json", action="store_true", help="Print the proposal as JSON.")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Propose and print."""
        try:
            told = propose(queue_named(options["queue"]), options["shares"], options["least_games"])
        except (DomainError, RatingInputError) as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(told, indent=1))
            return
        for line in table(told):
            self.stdout.write(line)


def shares(text: str) -> tuple[TierShare, ...]:
    """`Bronze:3=30,...` as shares. Raises ArgumentTypeError."""
    found = []
    for part in text.split(","):
        named, equals, percent = part.rpartition("=")
        name, _colon, divisions = named.partition(":")
        try:
            found.append(TierShare(name.strip(), float(percent) / 100.0, int(divisions or 1)))
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise ArgumentTypeError(f"“{part}” is not TIER[:DIVISIONS]=PERCENT")
    return tuple(found)


def propose(queue: Queue, wanted: Sequence[TierShare] | None, least_games: int) -> dict[str, Any]:
    """The proposal in plain values: tiers as a season stores them, and what each division would hold."""
    present = newest_rules(queue.pk)
    ratings = tier_ratings(queue, present, least_games=least_games, now=timezone.now())
    require_enough(ratings, FEWEST)
    goal = wanted or shares_of(present)
    tiers = fit_tiers(ratings, goal)
    fitted = RankRules(tiers=tiers)
    bands = [
        {
            "tier": tiers[band.tier].name,
            "division": band.division,
            "begins": fitted.begins[index],
            "wanted": goal[band.tier].share / goal[band.tier].divisions,
            "share": band.share,
            "players": band.players,
        }
        for index, band in enumerate(spread_over(fitted, ratings))
    ]
    return {"players": len(ratings), "points": DIVISION, "tiers": fitted.to_json()["tiers"], "divisions": bands}


def table(told: dict[str, Any]) -> list[str]:
    """The proposal as lines, the highest division first."""
    lines = [f"{told['players']:,} players", f"{'division':<24}{'begins':>8}{'wanted':>9}{'share':>9}{'players':>9}"]
    for row in reversed(told["divisions"]):
        name = f"{row['tier']} {row['division'] or ''}".rstrip()
        begins = "" if row["begins"] is None else f"{row['begins']:.0f}"
        lines.append(f"{name:<24}{begins:>8}{row['wanted']:>9.1%}{row['share']:>9.1%}{row['players']:>9,}")
    return lines
