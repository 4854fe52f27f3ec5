"""Emblems say tier and division without colour, to the eye and to a screen reader."""

import pytest
from django.template import Context, Template

from ladder.core.emblems import emblem


def drawn(tag: str, **context: object) -> str:
    return Template("{% load rank %}" + tag).render(Context(context))


def test_each_tier_has_one_corner_more_until_the_star() -> None:
    corners = [len(emblem(tier, 1).points.split()) for tier in range(6)]

    assert corners == [3, 4, 5, 6, 8, 16]


def test_the_dots_count_the_division() -> None:
    assert [len(emblem(2, division).dots) for division in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_the_undivided_top_tier_has_one_large_dot() -> None:
    master = emblem(5, 0)

    assert (master.shape, len(master.dots)) == ("star", 1)
    assert float(master.dot_radius) > float(emblem(4, 1).dot_radius)


def test_tiers_beyond_the_sixth_keep_the_star() -> None:
    assert emblem(9, 2).shape == "star"


@pytest.mark.parametrize("tier", [None, -1])
def test_nobodys_rank_is_an_open_ring(tier: int | None) -> None:
    assert emblem(tier, None).shape == "none"


def test_a_labelled_emblem_is_an_image_with_a_title() -> None:
    html = drawn("{% emblem 2 1 40 'Gold 1' %}")

    assert 'role="img"' in html
    assert 'aria-label="Gold 1"' in html
    assert "<title>Gold 1</title>" in html


def test_an_emblem_beside_its_words_is_hidden_from_screen_readers() -> None:
    assert 'aria-hidden="true"' in drawn("{% emblem 2 1 40 %}")


def test_emblems_hold_no_inline_style() -> None:
    assert "style=" not in drawn("{% emblem 2 1 40 'Gold 1' %}{% emblem None 0 40 %}")


def test_B119_a_label_is_escaped_in_title_and_attribute() -> None:
    html = drawn("{% emblem 1 1 20 label %}", label='"><img src=x onerror=alert(1)>')

    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") == 2
