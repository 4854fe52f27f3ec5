"""A history in which more stands than who won: neutral ground, margins, shares played, individual figures."""

from __future__ import annotations

import pytest

from ladder.models import Match, MatchParticipant
from ladder.selectors.matches import lineups
from ladder.services.imports import sentence
from ratings.core.match_facts import MatchFacts
from ratings.core.registry import get_engine
from ratings.models import PlayerRating, RatingEvent, RatingModel
from ratings.services.verify import verify_ledger
from tests.ladder.test_imports import HEADER, bring, csv
from tests.ladder.world import World

pytestmark = pytest.mark.service
FACTS = f"{HEADER},neutral,played_a,played_b,perf_a,perf_b"
BARE = "date,team_a,team_b,result,margin"


def test_the_first_side_has_the_advantage_unless_the_ground_is_neutral(world: World) -> None:
    bring(world, csv("2024-01-01,Ann,Ben,3,1,1,1,,,,", "2024-01-02,Ann,Ben,0,2,0,0,,,,", header=FACTS))
    bring(world, csv("2024-01-03,Ben,Ann,2,1,1"))

    assert list(Match.objects.order_by("completed_at").values_list("side", "margin")) == [
        (None, 2.0),
        (0, 2.0),
        (0, 1.0),
    ]


def test_a_margin_counts_where_no_scores_are_given(world: World) -> None:
    bring(world, csv("2024-01-01,Ann,Ben,1,-4.5", "2024-01-02,Ann,Ben,0,", header=BARE))

    assert list(Match.objects.order_by("completed_at").values_list("margin", flat=True)) == [4.5, None]


def test_shares_and_figures_are_kept_with_everybody_and_rated_with(world: World) -> None:
    world.queue.team_size = 2
    world.queue.save()
    model = RatingModel.objects.get(queue=world.queue)
    wish = {**model.parameters, "side_advantage": 50.0, "margin_weight": 1.0}
    RatingModel.objects.update(parameters=get_engine("glicko2", wish).parameters.as_dict())

    report = bring(world, csv("2024-01-01,Ann|Ben,Cleo|Dan,3,1,1,0,100|50,0|100,|7.5,2|", header=FACTS))

    assert report.bad == ()
    seats = {seat.player.name: seat for seat in MatchParticipant.objects.select_related("player")}
    assert {name: (seat.share_played, seat.performance) for name, seat in seats.items()} == {
        "Ann": (1.0, None),
        "Ben": (0.5, 7.5),
        "Cleo": (0.0, 2.0),
        "Dan": (1.0, None),
    }
    match = Match.objects.get()
    events = {event.player_rating.player.name: event for event in RatingEvent.objects.filter(kind="match")}
    assert events["Ben"].explanation["known"]["moved"] == ["side", "margin", "share"]
    assert events["Cleo"].rating_after == events["Cleo"].rating_before
    gained = {name: event.rating_after - event.rating_before for name, event in events.items()}
    assert 0.0 < gained["Ben"] < gained["Ann"]
    assert {row.player.name: row.games for row in PlayerRating.objects.all()} == {
        "Ann": 1,
        "Ben": 1,
        "Cleo": 0,
        "Dan": 1,
    }
    assert lineups([match.pk])[match.pk].facts.margin == 2.0
    assert verify_ledger() == []


def test_a_line_without_these_columns_says_nothing_besides(world: World) -> None:
    bring(world, csv("2024-01-01,Ann,Ben,1,", header=BARE))

    match = Match.objects.get()
    assert lineups([match.pk])[match.pk].facts == MatchFacts(side=0)


@pytest.mark.parametrize(
    ("row", "header", "words"),
    [
        ("2024-01-01,Ann,Ben,3,1,1,yes,,,,", FACTS, "“yes” is not what stands under neutral"),
        ("2024-01-01,Ann,Ben,3,1,1,,101,,,", FACTS, "“101”: give each member the share played"),
        ("2024-01-01,Ann,Ben,3,1,1,,-1,,,", FACTS, "“-1”: give each member the share played"),
        ("2024-01-01,Ann,Ben,3,1,1,,50|50,,,", FACTS, "“50|50”: give each member the share played"),
        ("2024-01-01,Ann,Ben,3,1,1,,,0,,", FACTS, "Nobody of Ben played."),
        ("2024-01-01,Ann,Ben,3,1,1,,,,best,", FACTS, "“best”: give each member a figure"),
        ("2024-01-01,Ann,Ben,3,1,1,,,,nan,", FACTS, "“nan”: give each member a figure"),
        ("2024-01-01,Ann,Ben,1,wide", BARE, "“wide” is no margin"),
        ("2024-01-01,Ann,Ben,1,1e300", BARE, "“1e300” is no margin"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_imported(world: World, row: str, header: str, words: str) -> None:
    report = bring(world, csv(row, header=header))

    (bad,) = report.bad
    assert (bad.line, words in sentence(bad)) == (2, True)
    assert not Match.objects.exists()


def test_a_file_that_gains_these_columns_brings_no_match_twice(world: World) -> None:
    bring(world, csv("2024-01-01,Ann,Ben,3,1,1"))

    again = bring(world, csv("2024-01-01,Ann,Ben,3,1,1,1,100,50,,", header=FACTS))

    assert (again.imported, again.known) == (0, 1)
