"""The settings of the rank: round trip, and refusals that name the field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.problems import RatingInputError
from ratings.core.visible_rank import DEFAULT_RULES, RankRules, Tier

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
