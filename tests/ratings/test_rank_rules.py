"""The settings of the rank: round trip, and refusals that name the field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.problems import RatingInputError
from ratings.core.rank_rules import Title
from ratings.core.visible_rank import DEFAULT_RULES, RankRules, Tier, title_of

rules = st.builds(
    RankRules,
    tiers=st.just((Tier("Wood", (None, 1000.0)), Tier("Stone", (1200.5, 1300.0)), Tier("Sky", (1900.0,)))),
    base=st.integers(15, 20),
    low=st.integers(0, 15),
    high=st.integers(20, 40),
    gap_pay=st.integers(0, 20),
    shield=st.integers(0, 9),
    placement_most=st.integers(5, 20),
    target_from=st.sampled_from(["rating", "conservative"]),
    reset_kept=st.integers(0, 100),
    decay_points=st.integers(0, 50),
    decay_from=st.integers(0, 2),
    titles=st.sampled_from([(), (Title("Legend", 3),), (Title("Legend", 1), Title("Hero", 10))]),
)


@given(rules)
def test_rules_come_back_from_json_as_they_went(made: RankRules) -> None:
    assert RankRules.from_json(json.loads(json.dumps(made.to_json()))) == made


def test_nothing_stored_means_the_standard_rules() -> None:
    assert RankRules.from_json({}) == DEFAULT_RULES


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"colour": "red"}, "colour"),
        ({"base": 5}, "base"),
        ({"base": 20.0}, "base"),
        ({"base": True}, "base"),
        ({"shield": -1}, "shield"),
        ({"high": 101}, "high"),
        ({"placement_most": 4}, "placement_most"),
        ({"placement_returning": 6}, "placement_returning"),
        ({"target_from": "guess"}, "target_from"),
        ({"reset_kept": 101}, "reset_kept"),
        ({"reset_middle": -1}, "reset_middle"),
        ({"reset_leave": 2.5}, "reset_leave"),
        ({"decay_points": 101}, "decay_points"),
        ({"decay_every": 0}, "decay_every"),
        ({"decay_points": 5, "decay_from": 6}, "decay_from"),
        ({"decay_points": 5, "decay_grace": 2, "decay_warning": 3}, "decay_warning"),
        ({"decay_points": 5, "decay_grace": 0, "decay_warning": 1}, "decay_warning"),
        ({"titles": "Legend"}, "titles"),
        ({"titles": [{"name": "Legend"}]}, "titles[0]"),
        ({"titles": [{"name": " ", "best": 3}]}, "titles[0].name"),
        ({"titles": [{"name": "Legend", "best": 0}]}, "titles[0].best"),
        ({"titles": [{"name": "A", "best": 3}, {"name": "B", "best": 3}]}, "titles[1].best"),
        ({"titles": [{"name": "A", "best": 3}, {"name": "A", "best": 9}]}, "titles[1].name"),
        ({"titles": [{"name": f"T{n}", "best": n} for n in range(1, 7)]}, "titles"),
        ({"tiers": "Bronze"}, "tiers"),
        ({"tiers": []}, "tiers"),
        ({"tiers": [{"name": "A"}]}, "tiers[0]"),
        ({"tiers": [{"name": "A", "begins": 5}]}, "tiers[0].begins"),
        ({"tiers": [{"name": "", "begins": [None]}, {"name": "B", "begins": [9]}]}, "tiers[0].name"),
        ({"tiers": [{"name": "A", "begins": [None]}, {"name": "A", "begins": [9]}]}, "tiers[1].name"),
        ({"tiers": [{"name": "A", "begins": []}, {"name": "B", "begins": [9]}]}, "tiers[0].begins"),
        ({"tiers": [{"name": "A", "begins": [1]}, {"name": "B", "begins": [9]}]}, "tiers[0].begins[0]"),
        ({"tiers": [{"name": "A", "begins": [None, 9]}, {"name": "B", "begins": [9]}]}, "tiers[1].begins[0]"),
        ({"tiers": [{"name": "A", "begins": [None]}, {"name": "B", "begins": [None]}]}, "tiers[1].begins[0]"),
        ({"tiers": [{"name": "A", "begins": [None]}, {"name": "B", "begins": ["9"]}]}, "tiers[1].begins[0]"),
        ({"tiers": [{"name": "A", "begins": [None]}, {"name": "B", "begins": [8, 9]}]}, "tiers[1].begins"),
        ({"tiers": [{"name": "A", "begins": [None]}]}, "tiers"),
    ],
)
def test_a_refusal_names_the_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(RatingInputError) as refusal:
        RankRules.from_json(data)

    assert refusal.value.field == field


def test_rules_stored_before_resets_decay_and_titles_are_still_rules() -> None:
    new = ("reset_middle", "reset_kept", "reset_leave", "titles", *(n for n in DEFAULT_RULES.to_json() if "decay" in n))
    stored = {name: value for name, value in DEFAULT_RULES.to_json().items() if name not in new}

    assert RankRules.from_json(stored) == DEFAULT_RULES
    assert not DEFAULT_RULES.fades


def test_a_table_of_few_tiers_needs_no_decay_settings_while_nothing_fades() -> None:
    few = RankRules(tiers=(Tier("Low", (None,)), Tier("High", (1500.0,))))

    assert few.decay_from >= len(few.tiers)


def test_titles_stand_beside_the_rank_of_the_best_of_the_top_tier_alone() -> None:
    rules = RankRules(titles=(Title("Champion", 1), Title("Grandmaster", 10)))

    assert [title_of(rules, 1720, place) for place in (1, 2, 10, 11)] == [
        "Champion",
        "Grandmaster",
        "Grandmaster",
        "",
    ]
    assert title_of(rules, 1499, 1) == ""
    assert title_of(DEFAULT_RULES, 1720, 1) == ""
