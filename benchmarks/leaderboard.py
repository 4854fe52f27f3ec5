"""The pages of a ladder of 100,000 players: milliseconds of server time and queries, beside a ladder of a hundred.

    .venv/bin/python -m benchmarks.leaderboard [--json] [--players 100000] [--matches 5] [--rounds 15]

A request goes through the whole of Django, templates included, in this process; browsers and networks take no part.
Runs on embedded servers of its own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from benchmarks.bench import arguments, own_database, progress, show

REFERENCE_PLAYERS = 100
WARM_UP = 2


@dataclass(frozen=True)
class Request:
    """One kind of request: what the figures call it, and its address."""

    name: str
    path: str


def requests_of(world: Any, today: date) -> Iterator[Request]:
    """Every kind of page that a ladder has, asked for by somebody in its middle."""
    from ladder.models import Player
    from ratings.models import PlayerRating

    here = PlayerRating.objects.filter(queue=world.queue, position__isnull=False, player__is_active=True)
    middle = here.filter(player__memberships__state="active").order_by("-position")[here.count() // 2]
    somebody = Player.objects.get(pk=middle.player_id)
    board = f"/c/{world.club.slug}/ladder/{world.queue.slug}/"
    past, yesterday = today - timedelta(days=45), today - timedelta(days=1)
    yield Request("page", board)
    yield Request("next page", board + "?after={next}")
    yield Request("around somebody in the middle", f"{board}?at={somebody.handle}")
    yield Request("tier", board + "?tier=2")
    yield Request("division", board + "?tier=2&division=2")
    yield Request("search, five letters", f"{board}?q={somebody.handle[:5]}")
    yield Request("search, three letters", f"{board}?q={somebody.handle[:3]}")
    yield Request("search, one letter", f"{board}?q={somebody.handle[0]}")
    yield Request("search, nobody", board + "?q=zzqxw")
    yield Request("yesterday", f"{board}?on={yesterday}")
    yield Request("45 days ago", f"{board}?on={past}")
    yield Request("45 days ago, next page", f"{board}?on={past}&after={{next}}")
    yield Request("45 days ago, around somebody", f"{board}?on={past}&at={somebody.handle}")
    yield Request("45 days ago, search", f"{board}?on={past}&q={somebody.handle[:5]}")
    yield Request("profile", f"/c/{world.club.slug}/players/{somebody.handle}/")
    yield Request("all as CSV", board + "standings.csv")


def measure(client: Any, path: str, rounds: int) -> tuple[float, int]:
    """The median time of a request in milliseconds, and its queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    spans = []
    for number in range(rounds + WARM_UP):
        begun = time.perf_counter()
        answer = client.get(path)
        span = time.perf_counter() - begun
        if answer.status_code != 200:
            raise SystemExit(f"{path} answered {answer.status_code}")
        if number >= WARM_UP:
            spans.append(span)
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return round(1000 * statistics.median(spans), 1), len(captured)


def figures_of(players: int, matches: int, rounds: int) -> dict[str, tuple[float, int]]:
    """By kind of request what it takes on a ladder of this size."""
    from django.test import Client
    from django.utils import timezone

    from benchmarks.big_ladder import build
    from ladder.models import Player
    from ladder.selectors.access import access_to
    from ladder.selectors.board_rows import Wish
    from ladder.selectors.boards import board_page
    from ladder.selectors.ladders import ladder

    now = timezone.now()
    world = build(players=players, matches=matches, now=now)
    owner = Player.objects.get(memberships__club=world.club, memberships__role="owner")
    client = Client(SERVER_NAME="localhost")
    client.force_login(owner)
    here = ladder(access_to(world.club, owner), world.queue.slug, None)
    found = {}
    for request in requests_of(world, now.date()):
        wish = Wish(on=now.date() - timedelta(days=45)) if "on=" in request.path else Wish()
        following = board_page(here, wish, viewer=None, now=now).next
        found[request.name] = measure(client, request.path.replace("{next}", following), rounds)
    return found


def main() -> None:
    """Measure both ladders and show the figures side by side."""
    parser = arguments("Pages of a large ladder.")
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=5, help="matches of each player")
    parser.add_argument("--rounds", type=int, default=15, help="requests of a kind, of which the median counts")
    options = parser.parse_args()
    with own_database():
        progress(f"a ladder of {REFERENCE_PLAYERS}", as_json=options.json)
        small = figures_of(REFERENCE_PLAYERS, options.matches, options.rounds)
        progress(f"a ladder of {options.players}", as_json=options.json)
        large = figures_of(options.players, options.matches, options.rounds)
    figures: dict[str, Any] = {"players": options.players, "reference_players": REFERENCE_PLAYERS}
    for name, (span, queries) in large.items():
        figures[name] = {"ms": span, "queries": queries, "reference_ms": small[name][0]}
        if queries != small[name][1]:
            figures[name]["reference_queries"] = small[name][1]
    show(figures, as_json=options.json)


if __name__ == "__main__":
    main()
