"""B125: the hidden rating and what it follows from appear nowhere that a player can look, in no rounding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from html import unescape

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from ladder.models import Player
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent
from tests.ladder.world import World
from tests.permissions.addresses import every_address
from tests.permissions.cast import Cast, assemble

pytestmark = pytest.mark.django_db

STAFF_ONLY = {"audit", "audit_acts", "audit_unrated", "cases"}


@dataclass(frozen=True)
class Secret:
    """A hidden number: what it is, and the texts that would give it away."""

    what: str
    texts: frozenset[str]


def rating_texts(value: float) -> set[str]:
    """A rating to the nearest ten, to the nearest whole, and with one to six decimals, cut or rounded."""
    return {str(round(value, -1)).removesuffix(".0"), str(int(value)), *decimals(value, range(7))}


def decimals(value: float, places: Iterable[int]) -> set[str]:
    """The value with so many decimals, rounded and cut, and with all of them, as JSON writes it."""
    whole = repr(value)
    texts = {whole} if len(whole) > 12 else set()  # a short one is a round number: 0.5, 0.06
    for count in places:
        rounded = f"{value:.{count}f}"
        cut = f"{int(value * 10**count) / 10**count:.{count}f}"
        texts |= {rounded, cut, rounded.replace(".", ","), cut.replace(".", ",")}
    return texts


def chance_texts(value: float) -> set[str]:
    """A chance closer than to five in a hundred: as a share with two and more decimals, or in per cent."""
    texts = decimals(value, range(3, 8)) | {f"{100 * value:.{count}f}%" for count in range(1, 4)}
    if round(100 * value) % 5:
        texts.add(f"{100 * value:.0f}%")
    return texts


def secrets(world: World) -> list[Secret]:
    """Every hidden number that the ledger and the forecasts of the club hold."""
    found: list[Secret] = []
    for row in PlayerRating.objects.filter(season=world.season):
        found += belief(f"rating of {row.player.handle}", row.rating, row.deviation, row.volatility)
    for event in RatingEvent.objects.all():
        found += belief(f"before {event}", event.rating_before, event.deviation_before, event.volatility_before)
        found += belief(f"after {event}", event.rating_after, event.deviation_after, event.volatility_after)
    for entry in ForecastEntry.objects.all():
        found += belief(f"forecast {entry}", entry.rating, entry.deviation, entry.volatility)
        found.append(Secret(f"expected score of {entry}", frozenset(chance_texts(entry.expected))))
    found += [
        Secret(f"quality of {one}", frozenset(decimals(one.quality, range(3, 8))))
        for one in Forecast.objects.filter(quality__gt=0, quality__lt=1)
        if one.quality != round(one.quality, 2)
    ]
    return found


def belief(what: str, rating: float, deviation: float | None, volatility: float | None) -> list[Secret]:
    """The numbers of one belief. Round starting values (1500, 350, 0.06) are looked for too."""
    found = [Secret(what, frozenset(rating_texts(rating)))]
    if deviation is not None:
        found.append(Secret(f"deviation {what}", frozenset(decimals(deviation, range(1, 7)))))
    if volatility is not None:
        found.append(Secret(f"volatility {what}", frozenset(decimals(volatility, range(4, 9)))))
    return found


def numbers(text: str) -> set[str]:
    """Every number of a page, those in attributes and embedded data too.

    Left out are times, identifiers, tokens, and the coordinates of drawings, which ladder/core/plots.py makes from
    visible positions alone.
    """
    text = unescape(text)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", " ", text)
    text = re.sub(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:[+-]\d\d:?\d\d|Z)?", " ", text)
    text = re.sub(r'(?:csrfmiddlewaretoken"|name="csrf-token") (?:value|content)="[^"]*"', " ", text)
    text = re.sub(r'X-CSRFToken"?: ?"[^"]*"', " ", text)
    text = re.sub(r'(?<=\s)(?:d|points|viewBox|width|height|[xy][12]?|c[xy]|r|stroke-dasharray)="[^"]*"', " ", text)
    text = re.sub(r"[?&](?:amp;)?(?:after|before|seen)=[\w.~%=-]*", " ", text)
    return set(re.findall(r"(?<![\w.,])\d+(?:[.,]\d+)*%?(?![\w])", text))


def player_pages(cast: Cast) -> list[str]:
    """Every address that a player may open, with each player, season and page of it."""
    world = cast.world
    paths = [
        address.filled(cast.values)
        for address in every_address()
        if not address.is_admin and address.name not in STAFF_ONLY and not address.name.startswith("account_")
    ]
    for name in ("alice", "bob", "carol", "dave"):
        paths.append(f"/c/chess/players/{name}/?queue=blitz&season=spring")
    matches = [f"/c/chess/matches/{match_id}/" for match_id in world.queue.matches.values_list("pk", flat=True)]
    boards = [f"/c/chess/ladder/blitz/?{wish}" for wish in ("at=me", "q=a", "tier=0", "tier=1", "season=spring")]
    day = timezone.now().date() - timedelta(days=1)
    past = [f"on={day}{wish}" for wish in ("", "&at=alice", "&q=a", "&tier=1&division=1")]
    asked = [f"/c/chess/ladder/blitz/{page}?{wish}" for page in ("", "standings.csv") for wish in (*past, "tier=1")]
    return [*paths, *matches, *boards, *asked]


def looked_at(client: Client, path: str) -> dict[str, str]:
    """What a player gets to read from one address: the page, the fragment, and what a form of nonsense answers."""
    before = transaction.savepoint()
    asks = {
        f"GET {path}": client.get(path),
        f"GET {path} as a fragment": client.get(path, headers={"HX-Request": "true"}),
        f"POST {path}": client.post(path, {"revision": "0", "winner": "0", "note": "x"}),
    }
    transaction.savepoint_rollback(before)
    return {name: answer.content.decode() for name, answer in asks.items() if not answer.streaming}


def test_B125_invariant_8_no_page_or_answer_that_a_player_can_get_holds_a_hidden_number() -> None:
    cast = assemble()
    hidden = secrets(cast.world)
    leaks = []
    for player in (cast.world.alice, cast.world.carol):
        client = Client(raise_request_exception=False)
        client.force_login(player)
        for path in player_pages(cast):
            for name, text in looked_at(client, path).items():
                shown = numbers(text)
                leaks += [f"{name}: {one.what} as {shown & one.texts}" for one in hidden if shown & one.texts]

    assert leaks[:20] == []


def test_B125_the_scan_looks_at_boards_of_the_past_that_hold_somebody() -> None:
    cast = assemble()
    client = Client()
    client.force_login(cast.world.alice)

    for path in [path for path in player_pages(cast) if "?on=" in path and "q=" not in path and "tier=" not in path]:
        assert "alice" in client.get(path).content.decode().split("<tbody>")[-1], path


def test_B125_the_scan_would_notice() -> None:
    cast = assemble()
    rating = PlayerRating.objects.filter(season=cast.world.season, games__gt=0)[0]
    everything = {text for secret in secrets(cast.world) for text in secret.texts}

    shortened = (f"{rating.rating:.0f}", f"{rating.rating:.1f}", f"{rating.deviation:.2f}", f"{rating.volatility:.5f}")
    for text in (*shortened, *map(json.dumps, (rating.rating, rating.deviation, rating.volatility))):
        assert numbers(f'<p data-x="{text}">') & everything
        assert numbers(f'{{"rating": {text}}}') & everything


def test_B125_staff_do_see_it_so_that_the_scan_looks_at_the_right_numbers() -> None:
    cast = assemble()
    maud = Client()
    maud.force_login(Player.objects.get(handle="maud"))

    shown = numbers(maud.get("/c/chess/audit/").content.decode())

    assert shown & {text for secret in secrets(cast.world) for text in secret.texts}
