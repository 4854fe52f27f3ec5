"""Every event says why: a few sentences for the player, every number for the staff."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.explain import gap_word, player_facts, rounded_chance, signed
from ratings.core.visible_rank import Note, Result
from ratings.models import RatingEvent
from ratings.selectors import explanation, match_effects
from ratings.selectors.sentences import sentence
from ratings.services.ledger import apply_correction
from tests.ratings.world import World

pytestmark = pytest.mark.service


def test_a_surprising_win_of_an_underrated_rank_is_told_as_the_specification_does(quick_world: World) -> None:
    told = _told(quick_world, expected=0.352, result="win", steps=1, delta=27)

    assert told == (
        "You were expected to win about 35% of the time and won: a strong result. "
        "Your rank is a little below your skill, so wins pay more than losses cost: +27."
    )


@pytest.mark.parametrize(
    ("result", "steps", "delta", "notes", "words"),
    [
        ("loss", 0, -20, [], "about as much as losses cost: −20."),
        ("loss", -4, -40, ["unprotected", "demoted"], "nothing holds it back: you move down to Gold 2."),
        ("loss", 0, -20, ["demoted"], "You lost at 0 points, so you move down to Gold 2."),
        ("loss", 0, 0, ["shielded"], "You lost at 0 points soon after moving up, so you stay in Gold 2: 0."),
        ("loss", 0, 0, ["guarded"], "stay this time: leaving a tier takes one loss more: 0."),
        ("loss", 2, -3, ["stopped_at_zero"], "You stop at 0 points of Gold 2"),
        ("loss", 0, 0, ["at_the_bottom"], "Gold 2 is the lowest rank"),
        ("win", 5, 40, ["promoted"], "You move up to Gold 2 and cannot move down from it in your next 3 matches."),
        ("draw", -1, -2, [], "so a draw moves it down a little: −2."),
    ],
)
def test_every_effect_has_its_sentence(
    quick_world: World, result: str, steps: int, delta: int, notes: list[str], words: str
) -> None:
    assert words in _told(quick_world, expected=0.5, result=result, steps=steps, delta=delta, notes=notes)


def test_B13_a_long_break_is_explained(quick_world: World) -> None:
    quick_world.play("alice", "bob")
    quick_world.now += timedelta(days=400)
    quick_world.play("alice", "bob")

    words = str(explanation(quick_world.last_event("alice")))

    assert "You had not played for 399 days" in words or "You had not played for 400 days" in words
    assert "at most 40 points" in words


def test_placement_tells_its_progress_and_no_number_of_the_rating(world: World) -> None:
    world.play("alice", "bob")
    first = explanation(world.last_event("alice"))
    for _ in range(4):
        world.play("alice", "bob")
    last = explanation(world.last_event("alice"))

    assert first.sentences == ("Placement match 1 of 5: you won.", "Your rank appears when placement is over.")
    assert last.sentences[0] == "Placement match 5 of 5: you won."
    assert last.sentences[1].startswith("Placement is over: you start in ")


def test_against_somebody_in_placement_no_chance_is_told(quick_world: World) -> None:
    quick_world.play("alice", "bob")
    quick_world.play("alice", "carol")

    assert "%" not in str(explanation(quick_world.last_event("alice")))


def test_a_start_says_where_it_comes_from(world: World) -> None:
    world.answers = {"alice": "expert"}
    world.form(["alice"], ["bob"])

    assert "what you said about yourself" in str(explanation(world.last_event("alice")))
    assert str(explanation(world.last_event("bob"))) == "You start here with 5 placement matches."
    assert "Self-assessment: expert, 1800.00 ± 350.00." in explanation(world.last_event("alice"), "staff").sentences


def test_a_correction_is_told_without_its_numbers_or_the_note_of_the_staff(quick_world: World) -> None:
    world = quick_world
    world.play("alice", "bob")
    event = apply_correction(
        player_id=world.id("alice"),
        queue_id=world.queue.pk,
        season_id=world.season.pk,
        rating_delta=-137.5,
        reason="was 1637 on the other account",
        actor=world.id("dave"),
        now=world.now,
    )

    assert not re.search(r"\d", str(explanation(event)))
    staff = str(explanation(event, "staff"))
    assert "-137.50" in staff
    assert "dave" in staff
    assert "was 1637 on the other account" in staff


def test_the_staff_sees_every_number(quick_world: World) -> None:
    quick_world.play("alice", "bob")
    event = quick_world.last_event("alice")

    words = str(explanation(event, "staff"))

    for number in (event.rating_before, event.rating_after, event.deviation_after):
        assert f"{number:.2f}" in words
    assert "glicko2 v1" in words
    assert str(event.explanation["rank"]["target"]) in words


def test_the_players_words_hold_no_hidden_number(quick_world: World) -> None:
    for number in range(30):
        quick_world.play(*(("alice", "bob") if number % 3 else ("bob", "alice")))

    for event in RatingEvent.objects.filter(kind="match"):
        visible = {event.points_delta, *_visible_numbers(event)}
        told = {int(found) for found in re.findall(r"\d+", str(explanation(event)))}
        assert told <= {abs(one) for one in visible if one is not None}


def test_effects_of_a_match_stand_beside_each_other(quick_world: World) -> None:
    result = quick_world.play("alice", "bob")

    effects = {effect.player_id: effect for effect in match_effects(match_id=result.match_id)}

    alice = effects[quick_world.id("alice")]
    assert set(effects) == {quick_world.id("alice"), quick_world.id("bob")}
    assert (alice.result, alice.before, alice.points_delta) == ("win", None, None)
    assert alice.sentence.startswith("Placement match 1 of 1: you won.")


@given(st.floats(0.0, 1.0))
def test_chances_are_told_in_steps_of_five_and_never_as_sure(probability: float) -> None:
    told = rounded_chance(probability)

    assert told % 5 == 0
    assert 5 <= told <= 95


def test_every_fact_that_can_be_told_has_a_sentence() -> None:
    for told in _every_match():
        for fact in player_facts("match", told):
            assert sentence(fact)
    for steps in range(-30, 31):
        assert gap_word(steps) == "level" if steps == 0 else gap_word(steps).split("_")[0] in ("little", "clear", "far")
    assert [signed(delta) for delta in (5, 0, -5)] == ["+5", "0", "−5"]


def _every_match() -> Iterator[dict[str, object]]:
    for result, expected, steps, placing in product(Result, (0.01, 0.5, 0.99), range(-6, 7), (True, False)):
        yield _explanation(expected, result.value, steps, 5, [], placing)
    for note, shield in product(Note, (0, 1, 3)):
        if note not in (Note.PLACEMENT, Note.PLACED, Note.HELD_BY_RESET):
            yield _explanation(0.5, "loss", 0, 0, [note.value], False, shield)


def _explanation(
    expected: float, result: str, steps: int, delta: int, notes: list[str], placing: bool, shield: int = 3
) -> dict[str, object]:
    rank = {
        "before": {"name": "Gold 3", "points": 0, "position": 600, "tier": 2},
        "after": {"name": "Gold 2", "points": 0, "position": 700, "tier": 2},
        "steps": steps,
        "delta": delta,
        "notes": notes,
        "shield": shield,
        "high": 40,
        "placement": None,
    }
    return {
        "result": result,
        "expected": expected,
        "others_placing": placing,
        "aged": {"idle_days": 0.0},
        "rank": rank,
    }


def _told(world: World, *, expected: float, result: str, steps: int, delta: int, notes: list[str] | None = None) -> str:
    event = RatingEvent(kind="match", explanation=_explanation(expected, result, steps, delta, notes or [], False))
    return str(explanation(event))


def _visible_numbers(event: RatingEvent) -> list[int]:
    """What a player sees anyway: points, division, the settings, and a chance rounded to 5."""
    rank = event.explanation["rank"]
    shown = [0, 1, 2, 3, rounded_chance(event.explanation["expected"])]
    return shown + [place["points"] for place in (rank["before"], rank["after"]) if place]
