"""B119: a name is text wherever it stands: page, attribute, title of a drawing, fragment, message."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from ladder.models import Player
from ladder.names import clean_handle
from ratings.errors import DomainError
from tests.ladder.world import World
from tests.web_record.stage import play_until_ranked, signed_in

pytestmark = pytest.mark.django_db

NAME = "<img src=x onerror=alert(1)>\"'</title><script>x</script>"


class Tags(HTMLParser):
    """Collects what a browser would take for elements and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _value in attrs]


def found(html: str) -> Tags:
    """The elements of a page."""
    parser = Tags()
    parser.feed(html)
    return parser


@pytest.fixture
def named(world: World) -> World:
    """Alice's display name is an attack, whatever the forms think of it; she has a rank, a history and rivals."""
    play_until_ranked(world, [world.alice, world.bob, world.carol])
    Player.objects.filter(pk=world.alice.pk).update(display_name=NAME[:60])
    world.alice.refresh_from_db()
    return world


PAGES = [
    "/c/chess/ladder/blitz/",
    "/c/chess/ladder/blitz/?q=img",
    "/c/chess/players/alice/",
    "/c/chess/players/bob/",
    "/c/chess/seasons/spring/",
    "/c/chess/matches/",
    "/c/chess/audit/",
    "/c/chess/audit/?player=alice",
    "/c/chess/audit/acts/",
    "/c/chess/desk/members/",
    "/c/chess/",
    "/c/chess/play/blitz/",
    "/me/",
]


@pytest.mark.parametrize("page", PAGES)
def test_B119_a_name_with_markup_makes_no_element_on_any_page(named: World, page: str) -> None:
    client = signed_in(named.otto)
    for headers in ({}, {"HX-Request": "true"}):
        html = client.get(page, headers=headers).content.decode()
        seen = found(html)
        assert "img" not in seen.tags
        assert not any(name.startswith("on") for name in seen.attributes)
        assert "<script>x" not in html


def test_B119_the_name_stands_in_the_plot_s_title_as_text(named: World) -> None:
    html = signed_in(named.bob).get("/c/chess/players/alice/").content.decode()

    titles = re.findall(r"<title>(.*?)</title>", html, flags=re.S)
    assert any("&lt;img src=x onerror=alert(1)&gt;" in title for title in titles[1:])


def test_B119_a_message_about_the_name_is_escaped(named: World) -> None:
    client = signed_in(named.otto)

    html = client.post("/c/chess/desk/members/alice/role/", {"role": "moderator"}, follow=True).content.decode()

    assert "&lt;img src=x" in html
    assert "img" not in found(html).tags


@pytest.mark.parametrize("handle", ["<img src=x>", "a<b", 'a"b', "a'b>", "a&b", "a b/c"])
def test_B119_a_handle_with_markup_is_refused(handle: str) -> None:
    with pytest.raises(DomainError):
        clean_handle(handle)


def test_B119_the_same_name_is_harmless_in_json(named: World) -> None:
    answer = signed_in(named.alice).get("/me/data.json")

    assert answer.headers["Content-Type"].startswith("application/json")
