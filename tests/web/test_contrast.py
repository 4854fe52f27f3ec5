"""The stylesheet itself: every pair of colours that meets on a page is readable, in light and in dark."""

from __future__ import annotations

import re

import pytest

from tests.harness.workspace import ROOT

CSS = (ROOT / "static" / "css" / "app.css").read_text()
TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", CSS)
}
GROUNDS = ("paper", "raised", "sunken", "tint")
TEXT = [(text, ground) for text in ("ink", "muted", "accent", "win", "loss", "draw", "warn") for ground in GROUNDS]
TEXT += [("on-accent", "accent"), ("on-urgent", "urgent"), ("urgent", "paper"), ("urgent", "raised")]
TEXT += [("warn", "warn-tint"), ("loss", "loss-tint"), ("ink", "warn-tint"), ("ink", "loss-tint")]
SHAPES = [("edge", "raised"), ("edge", "paper"), ("accent", "sunken"), ("urgent", "sunken")]


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_has_four_and_a_half_to_one(text: str, ground: str, theme: int) -> None:
    assert contrast(TOKENS[text][theme], TOKENS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_edges_and_bars_have_three_to_one(shape: str, ground: str, theme: int) -> None:
    assert contrast(TOKENS[shape][theme], TOKENS[ground][theme]) >= 3.0


def test_there_are_five_type_sizes_and_two_radii() -> None:
    sizes = set(re.findall(r"font-size: ([^;}\n]+)", CSS)) | set(re.findall(r"font: ([^;/\n]+)/", CSS))
    radii = set(re.findall(r"border-radius: ([^;}\n]+)", CSS))

    named = {f"var(--{name})" for name in ("small", "body", "lead", "title", "figure")}
    assert sizes - named <= {"inherit"}
    assert radii <= {"var(--round)", "var(--pill)"}


def test_templates_hold_no_inline_style_or_script() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"\sstyle=|<style|hx-on|\son[a-z]+=|<script(?![^>]*\ssrc=)", text), path
